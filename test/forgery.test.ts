// What other people's pages, mails and headers can make the service do: nothing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routes } from '#main/routes.ts'
import { isWrite, routeName, type Route } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { ConsoleBrowser, signedIn } from './console-browser.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from './service.ts'
import { create } from './signature-requests.ts'
import { linkOf, openLink, type Browser } from './signing-flow.ts'
import { until } from './until.ts'

const ADDRESS = 'https://sign.example.com'
const writes = routes.filter(isWrite)
const pathOf = ({ url }: Route) => url.replaceAll(/:\w+/g, () => newId())

/** Where a body is looked at before the page that it comes from. */
const BODIES: Record<string, object> = {
  '/console/session': { login: 'nobody@example.com', password: PASSWORD },
  '/console/password': { token: 'x', password: 'correct horse battery staple' },
  '/console/password/forgotten': { login: 'nobody@example.com' },
  '/sign/api/session': { token: 'x' },
  '/sign/api/report': { token: 'x' },
}

describe('forgery', () => {
  let service: TestService
  let acme: TestTenant
  let person: ConsoleBrowser
  let signatory: Browser
  let requestId: string

  before(async () => {
    service = await startService({ COUNTERSIGN_PUBLIC_URL: ADDRESS }, { worker: true })
    acme = await service.createTenant()
    person = await signedIn(service.url, acme.administratorEmail)
    requestId = await create(acme.call)
    const { json } = await acme.call('GET', `/signing/signaturerequest/${requestId}`)
    signatory = await openLink(service, acme, requestId, json.signatories[0].id)
  })
  after(() => service.stop())

  /** What a page of somebody else can send along with the cookies of a visitor: no header of its own, its own origin. */
  const forged: [how: string, headers: Record<string, string>][] = [
    ['a form of another site', { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form sent as plain text', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['a page without an origin', { origin: 'null', 'content-type': 'application/json' }],
    ['a request that says nothing of its origin', { 'content-type': 'application/json' }],
  ]
  /** The same where our header came along: by a mistake in a proxy, or an old browser. */
  const withHeader = { 'x-countersign-console': '1', 'x-countersign-sign': '1' }

  for (const [how, headers] of forged) {
    test(`${how} reaches no operation that writes, with the cookies of a person and of a signatory`, async () => {
      const cookie = `${person.cookie}; ${signatory.cookie}`
      for (const route of writes) {
        for (const more of [{}, withHeader]) {
          // What anybody may do without a cookie needs none to be forged.
          if (route.isPublic && !/^\/(sign|console)\//.test(route.url)) continue
          const raw = JSON.stringify(BODIES[route.url] ?? {})
          const options = { raw, headers: { ...headers, ...more, cookie } }
          const { status, text } = await service.call(route.method, pathOf(route), undefined, options)
          assert.ok([401, 403, 415].includes(status), `${routeName(route)} ${status} ${text}`)
        }
      }
      assert.equal((await person.call('GET', '/identity/me')).status, 200, 'nobody was signed out')
      assert.equal((await acme.call('GET', `/signing/signaturerequest/${requestId}`)).json.status, 'Open')
    })
  }

  test('reading stays reading, whatever method it claims to stand for', async () => {
    const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
    for (const name of overrides) {
      const headers = { [name]: 'POST' }
      const path = `/signing/signaturerequest/${requestId}/cancel?_method=POST`
      assert.equal((await acme.call('GET', path, undefined, { headers })).status, 404)
    }
    assert.equal((await acme.call('GET', `/signing/signaturerequest/${requestId}`)).json.status, 'Open')
  })

  test('links begin with the configured address, whatever a caller says about the host', async () => {
    const headers = {
      host: 'evil.example',
      forwarded: 'host=evil.example;proto=http',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-original-host': 'evil.example',
    }
    const email = `${newId()}@example.com`
    const { json: user } = await acme.asAdministrator('POST', '/onboarding/user', { email }, { headers })
    await person.call(
      'POST',
      '/console/password/forgotten',
      { login: acme.administratorEmail },
      { headers: { ...headers, host: '' } },
    )
    const created = await acme.call('POST', `/signing/signaturerequest/${requestId}/remind`, undefined, { headers })
    assert.equal(created.status, 200)
    const kinds = await until('the messages', async () => {
      const { json } = await acme.asAdministrator('GET', '/messages')
      const ready = json.items.filter(({ state }: { state: string }) => state === 'outbox')
      return ready.length >= 3 && ready
    })
    assert.ok(user.id)
    for (const { id } of kinds) {
      const { json } = await acme.asAdministrator('GET', `/messages/${id}`)
      assert.ok(json.url.startsWith(`${ADDRESS}/`), json.url)
      assert.ok(!JSON.stringify(json).includes('evil.example'))
    }
    const { json } = await acme.call('GET', `/signing/signaturerequest/${requestId}`, undefined, { headers })
    const link = await linkOf(acme, requestId, json.signatories[0].id)
    assert.ok(link.startsWith(`${ADDRESS}/sign/`), link)
  })

  test('a caller without a proxy in front can not choose the address that its calls are counted for', async () => {
    const statuses = new Set<number>()
    for (let n = 0; n < 30; n++) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` }
      const browser = new ConsoleBrowser(service.url)
      const login = `${newId()}@example.com`
      statuses.add((await browser.call('POST', '/console/password/forgotten', { login }, { headers })).status)
    }
    assert.ok(statuses.has(429), [...statuses].join())
  })
})

describe('behind a proxy that is trusted', () => {
  let service: TestService

  before(async () => {
    service = await startService({ COUNTERSIGN_TRUST_PROXY: '127.0.0.1,::1' })
  })
  after(() => service.stop())

  /** How many of so many calls are answered, each from another address. */
  async function answeredFrom(address: (n: number) => string): Promise<number> {
    let answered = 0
    for (let n = 0; n < 30; n++) {
      const headers = { 'x-forwarded-for': address(n) }
      const browser = new ConsoleBrowser(service.url)
      const login = `${newId()}@example.com`
      const { status } = await browser.call('POST', '/console/password/forgotten', { login }, { headers })
      if (status !== 429) answered++
    }
    return answered
  }

  test('whoever changes address within a network of IPv6 is counted as one; other networks are not', async () => {
    const within = await answeredFrom((n) => `2001:db8:0:1:${n.toString(16)}:${n + 7}:0:${n}`)
    assert.ok(within < 30, `${within} were answered`)
    assert.equal(await answeredFrom((n) => `2001:db8:0:${(n + 2).toString(16)}::1`), 30)
  })
})
