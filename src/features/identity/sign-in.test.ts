import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConsoleBrowser, signedIn } from '../../../test/console-browser.ts'
import { PASSWORD, startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'

const MINUTE_MS = 60_000

describe('signing in to the console', () => {
  let service: TestService
  let acme: TestTenant
  let departmentId: string

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    const made = await acme.call('POST', '/onboarding/department', { department: { name: 'Sales' } })
    departmentId = made.json.id
  })
  after(() => service.stop())

  const browser = () => new ConsoleBrowser(service.url)
  const administrator = () => signedIn(service.url, acme.administratorEmail)

  async function freshUser(name: string, { tenant = acme, role = 'clerk' } = {}) {
    const email = `${name}@example.com`
    const place = tenant === acme ? { departmentId } : {}
    const { json: user } = await tenant.asAdministrator('POST', '/onboarding/user', { email, role, ...place })
    const { json } = await tenant.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
    const body = { token: json.token, password: PASSWORD }
    assert.equal((await tenant.call('POST', '/identity/password', body)).status, 204)
    return { id: user.id as string, email }
  }

  function requireRefusal({ status, json }: Reply, expected: number, code: number): void {
    assert.deepEqual({ status, code: json?.code }, { status: expected, code })
  }

  test('gives a cookie that only this service gets back, and no script reads', async () => {
    const { status, json, headers } = await browser().signIn(acme.administratorEmail.toUpperCase())
    assert.equal(status, 200)
    assert.deepEqual(json, { state: 'SignedIn', tenants: null, factors: null, passkey: null })
    const [cookie, ...attributes] = headers.getSetCookie()[0]!.split('; ')
    assert.match(cookie!, /^__Host-countersign-console=[\w-]{43}$/)
    assert.deepEqual(attributes, ['Path=/', 'Max-Age=43200', 'Secure', 'HttpOnly', 'SameSite=Strict'])
  })

  test('the cookie stands in for key and token, with the reach and the role of its user', async () => {
    const page = await administrator()
    const { json: me } = await page.call('GET', '/identity/me')
    assert.equal(me.id, acme.administratorId)
    assert.deepEqual([me.organisation, me.isAdministrator], ['Acme', true])
    assert.equal((await page.call('GET', '/hooks/v1/subscription')).status, 200)
    assert.equal((await page.call('GET', '/onboarding/subscriptionkey')).status, 200)
    const { status } = await page.call('POST', '/onboarding/department', { department: { name: 'Legal' } })
    assert.equal(status, 200)

    const { email } = await freshUser('clerk')
    const clerk = await signedIn(service.url, email)
    assert.equal((await clerk.call('GET', '/identity/me')).json.departmentId, departmentId)
    requireRefusal(await clerk.call('GET', '/onboarding/user'), 401, 6001)
    requireRefusal(
      await clerk.call('GET', `/signing/signaturerequest?departmentId=${acme.rootDepartmentId}`),
      403,
      6000,
    )
  })

  test('only the secret’s hash is stored', async () => {
    const page = await administrator()
    const secret = page.cookie!.split('=')[1]!
    const rows = await service.database.asOwner(`select * from credential where kind = 'console'`)
    assert.ok(rows.length > 0)
    const sessions = await service.database.asOwner(`select * from console_session`)
    assert.ok(!JSON.stringify([rows, sessions]).includes(secret))
  })

  describe('refuses, in the same words,', () => {
    const cases: [string, () => { login: string; password: string; tenantId?: string }][] = [
      ['a wrong password', () => ({ login: acme.administratorEmail, password: 'not this one' })],
      ['an unknown login', () => ({ login: 'nobody@example.com', password: PASSWORD })],
      [
        'a tenant that does not know the login',
        () => ({ login: acme.administratorEmail, password: PASSWORD, tenantId: departmentId }),
      ],
    ]
    for (const [what, body] of cases) {
      test(what, async () => {
        const reply = await browser().call('POST', '/console/session', body())
        requireRefusal(reply, 401, 5500)
        assert.equal(reply.json.message, 'The e-mail address or the password is not right.')
        assert.deepEqual(reply.headers.getSetCookie(), [])
      })
    }

    test('somebody who has been deactivated, or has no password yet', async () => {
      const { id, email } = await freshUser('leaver')
      await acme.asAdministrator('PATCH', `/onboarding/user/${id}`, { isActive: false })
      requireRefusal(await browser().signIn(email), 401, 5500)
      await acme.asAdministrator('POST', '/onboarding/user', { email: 'invited@example.com', departmentId })
      requireRefusal(await browser().signIn('invited@example.com'), 401, 5500)
    })
  })

  test('the eleventh wrong password waits, and so does the eleventh for a login that nobody has', async () => {
    const { email } = await freshUser('guessed')
    for (const login of [email, 'nobody-at-all@example.com']) {
      for (let count = 0; count < 10; count++) requireRefusal(await browser().signIn(login, 'wrong'), 401, 5500)
      const reply = await browser().signIn(login, PASSWORD)
      requireRefusal(reply, 429, 1500)
      assert.ok(Number(reply.headers.get('retry-after')) > 0)
    }
    // The operation that gives tokens counts together with the console.
    assert.equal((await acme.call('POST', '/identity/login', { login: email, password: PASSWORD })).status, 429)
  })

  test('an e-mail address of several tenants is offered the choice, after the password', async () => {
    const other = await service.createTenant('Other')
    const { email } = await freshUser('everywhere')
    await freshUser('everywhere', { tenant: other })
    requireRefusal(await browser().signIn(email, 'wrong'), 401, 5500)
    const page = browser()
    const { json } = await page.signIn(email)
    assert.equal(json.state, 'ChooseTenant')
    assert.deepEqual(json.tenants.map(({ name }: { name: string }) => name).sort(), ['Acme', 'Other'])
    assert.equal(page.cookie, undefined)
    await page.signIn(email, PASSWORD, { tenantId: other.tenantId })
    assert.equal((await page.call('GET', '/identity/me')).json.tenantId, other.tenantId)
  })

  test('a changed e-mail address is the one to sign in with', async () => {
    const { id, email } = await freshUser('before')
    await acme.asAdministrator('PATCH', `/onboarding/user/${id}`, { email: 'after@example.com' })
    requireRefusal(await browser().signIn(email), 401, 5500)
    assert.equal((await browser().signIn('after@example.com')).status, 200)
  })

  describe('a call with the cookie is refused', () => {
    const foreign: [string, Record<string, string>][] = [
      ['without the console’s header', { 'x-countersign-console': '' }],
      ['with another value in it', { 'x-countersign-console': 'yes' }],
      ['from another origin', { origin: 'https://evil.example' }],
      ['from an opaque origin', { origin: 'null' }],
      ['from a page of a sibling site', { 'sec-fetch-site': 'same-site' }],
    ]
    for (const [how, headers] of foreign) {
      for (const method of ['GET', 'POST']) {
        test(`${how}: ${method}`, async () => {
          const page = await administrator()
          const path = method === 'GET' ? '/identity/me' : '/identity/logout'
          const reply = await page.call(method, path, method === 'GET' ? undefined : {}, { headers })
          const isKeyAsked = headers['x-countersign-console'] === ''
          requireRefusal(reply, isKeyAsked ? 401 : 403, isKeyAsked ? 5000 : 6006)
          assert.equal((await page.call('GET', '/identity/me')).status, 200)
        })
      }
    }

    test('that writes and says no origin', async () => {
      const page = await administrator()
      requireRefusal(await page.call('POST', '/identity/logout', {}, { headers: { origin: '' } }), 403, 6006)
    })

    test('also where the operator lets other origins use keys', async () => {
      const open = await startService({ COUNTERSIGN_CORS_ORIGINS: 'https://app.example' })
      try {
        const tenant = await open.createTenant()
        const page = await signedIn(open.url, tenant.administratorEmail)
        const headers = { origin: 'https://app.example' }
        requireRefusal(await page.call('POST', '/identity/logout', {}, { headers }), 403, 6006)
        const { headers: allowed } = await page.call('OPTIONS', '/identity/logout', undefined, { headers })
        assert.ok(!allowed.get('access-control-allow-headers')!.includes('x-countersign-console'))
        assert.equal(allowed.get('access-control-allow-credentials'), null)
      } finally {
        await open.stop()
      }
    })

    test('on signing in itself', async () => {
      const foreignOnes: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: '' }]
      for (const headers of [...foreignOnes, { 'x-countersign-console': '' }]) {
        const body = { login: acme.administratorEmail, password: PASSWORD }
        requireRefusal(await browser().call('POST', '/console/session', body, { headers }), 403, 6006)
      }
    })

    test('without a cookie, with one that nobody has, and with one of a signatory', async () => {
      const page = browser()
      for (const cookie of [
        '',
        '__Host-countersign-console=nothing',
        '__Host-countersign-sign=nothing',
        `__Host-countersign-console=${'x'.repeat(500)}`,
      ])
        requireRefusal(await page.call('GET', '/identity/me', undefined, { headers: { cookie } }), 401, 5003)
    })
  })

  test('the thirtieth and first browser takes the place of the oldest', async () => {
    const { email } = await freshUser('collector')
    const first = await signedIn(service.url, email)
    for (let count = 0; count < 30; count++) await signedIn(service.url, email)
    requireRefusal(await first.call('GET', '/identity/me'), 401, 5003)
  })

  describe('a session ends', () => {
    const isOut = async (page: ConsoleBrowser) => requireRefusal(await page.call('GET', '/identity/me'), 401, 5003)

    test('by signing out, in that browser alone', async () => {
      const [here, there] = [await administrator(), await administrator()]
      const { cookie } = here
      assert.equal((await here.call('POST', '/identity/logout')).status, 204)
      assert.equal(here.cookie, undefined)
      here.cookie = cookie
      await isOut(here)
      assert.equal((await there.call('GET', '/identity/me')).status, 200)
    })

    test('by signing out everywhere, which ends tokens too', async () => {
      const { email } = await freshUser('restless')
      const [here, there] = [await signedIn(service.url, email), await signedIn(service.url, email)]
      const { json } = await acme.call('POST', '/identity/login', { login: email, password: PASSWORD })
      const { cookie } = here
      assert.equal((await here.call('POST', '/identity/logout', { everywhere: true })).status, 204)
      here.cookie = cookie
      await isOut(here)
      await isOut(there)
      const headers = { authorization: `Bearer ${json.token}` }
      assert.equal((await acme.call('GET', '/identity/me', undefined, { headers })).status, 401)
      assert.equal((await there.signIn(email)).status, 200)
    })

    test('by a new password', async () => {
      const { id, email } = await freshUser('forgetful')
      const page = await signedIn(service.url, email)
      const { json } = await acme.asAdministrator('POST', `/onboarding/user/${id}/invitation`)
      await acme.call('POST', '/identity/password', { token: json.token, password: 'another good password' })
      await isOut(page)
    })

    test('by deactivation, and does not come back with the person', async () => {
      const { id, email } = await freshUser('suspended')
      const page = await signedIn(service.url, email)
      await acme.asAdministrator('PATCH', `/onboarding/user/${id}`, { isActive: false })
      await isOut(page)
      await acme.asAdministrator('PATCH', `/onboarding/user/${id}`, { isActive: true })
      await isOut(page)
    })

    test('by its owner from another browser, and by nobody else', async () => {
      const { email } = await freshUser('careful')
      const [here, lost] = [await signedIn(service.url, email), await signedIn(service.url, email)]
      const { json } = await here.call('GET', '/console/session')
      assert.equal(json.total, 2)
      const other = json.items.find(({ isThisOne }: { isThisOne: boolean }) => !isThisOne)
      const stranger = await administrator()
      requireRefusal(await stranger.call('DELETE', `/console/session/${other.id}`), 400, 2000)
      assert.equal((await here.call('DELETE', `/console/session/${other.id}`)).status, 204)
      await isOut(lost)
      assert.equal((await here.call('GET', '/console/session')).json.total, 1)
    })

    // Last, because tokens end as well when the clock moves.
    test('after half an hour without a call, and not while somebody works', async () => {
      const page = await administrator()
      for (let count = 0; count < 3; count++) {
        service.clock.advance(20 * MINUTE_MS)
        assert.equal((await page.call('GET', '/identity/me')).status, 200)
      }
      service.clock.advance(31 * MINUTE_MS)
      await isOut(page)
    })

    test('after twelve hours, however much somebody works', async () => {
      const page = await administrator()
      for (let count = 0; count < 28; count++) {
        service.clock.advance(25 * MINUTE_MS)
        assert.equal((await page.call('GET', '/identity/me')).status, 200)
      }
      service.clock.advance(25 * MINUTE_MS)
      await isOut(page)
    })
  })
})
