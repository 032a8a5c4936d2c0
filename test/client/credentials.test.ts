// Who the client calls as, and how it stays that.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { connect } from '#client'
import { TOKEN_LIFETIME_S } from '#platform/auth/tokens.ts'
import { startFlakyProxy, type FlakyProxy } from '../fakes/flaky-proxy.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../service.ts'

describe('a client’s credentials', () => {
  let service: TestService
  let proxy: FlakyProxy
  let acme: TestTenant

  before(async () => {
    service = await startService()
    proxy = await startFlakyProxy(service.url)
    acme = await service.createTenant()
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })
  afterEach(() => {
    proxy.passed.length = 0
  })

  const asAdministrator = () =>
    connect({ url: proxy.url, key: acme.key, login: { login: acme.administratorEmail, password: PASSWORD } })
  const logins = () => proxy.passed.filter(({ path }) => path === '/identity/login').length

  test('a wrong key is refused, with the three fields', async () => {
    await assert.rejects(connect({ url: service.url, key: 'csk_nobody' }).listDepartments(), {
      name: 'CountersignError',
      status: 401,
      classification: 'AuthenticationError',
    })
  })

  test('a login fetches one token for all calls, however many begin at once', async () => {
    const countersign = asAdministrator()
    const callers = await Promise.all(Array.from({ length: 10 }, () => countersign.readCaller()))
    assert.ok(callers.every(({ email }) => email === acme.administratorEmail))
    await countersign.listSubscriptions()
    assert.equal(logins(), 1)
  })

  test('a token that was ended is replaced once, and the calls go through', async () => {
    const countersign = asAdministrator()
    await countersign.logOut({})
    await Promise.all(Array.from({ length: 5 }, () => countersign.readCaller()))
    assert.equal(logins(), 2)
  })

  test('a token is replaced before it ends', async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const countersign = asAdministrator()
    await countersign.readCaller()
    context.mock.timers.setTime(Date.now() + (TOKEN_LIFETIME_S - 61) * 1000)
    await countersign.readCaller()
    assert.equal(logins(), 1)
    context.mock.timers.setTime(Date.now() + 2000)
    await countersign.readCaller()
    assert.equal(logins(), 2)
    assert.ok(proxy.passed.every(({ headers }) => headers['ocp-apim-subscription-key'] === acme.key))
  })

  test('a wrong password is an error, and the next call tries again', async () => {
    const login = { login: acme.administratorEmail, password: 'not that' }
    const countersign = connect({ url: proxy.url, key: acme.key, login })
    const refusal = { name: 'CountersignError', classification: 'AuthenticationError', message: /fit no active user/ }
    await assert.rejects(countersign.readCaller(), refusal)
    await assert.rejects(countersign.readCaller(), refusal)
    assert.equal(logins(), 2)
  })

  test('a token can come from a function, which is asked again after a 401', async () => {
    const { token } = (await connect({ url: service.url, key: acme.key }).logIn({
      login: acme.administratorEmail,
      password: PASSWORD,
    }))!
    const tokens = ['stale', token]
    const countersign = connect({ url: proxy.url, key: acme.key, token: () => tokens.shift()! })
    assert.equal((await countersign.readCaller()).email, acme.administratorEmail)
    assert.equal(proxy.passed.length, 2)
    const fixed = connect({ url: proxy.url, key: acme.key, token: 'stale' })
    await assert.rejects(fixed.readCaller(), { status: 401 })
    assert.equal(proxy.passed.length, 3)
  })

  test('a session of the console stands in for key and token', async () => {
    const { url } = service
    let cookie = ''
    const door = connect({ url, session: true, headers: { origin: url } })
    const keepCookie = ({ headers }: Response) => (cookie = headers.getSetCookie()[0]!.split(';')[0]!)
    await door.signIn({ login: acme.administratorEmail, password: PASSWORD }, { onResponse: keepCookie })
    const inside = connect({ url, session: true, headers: { origin: url, cookie } })
    assert.equal((await inside.readCaller()).email, acme.administratorEmail)
    const { id } = await inside.createSignatureRequest({ subject: 'Lease' })
    assert.equal((await inside.readSignatureRequest({ id })).creatorId, acme.administratorId)
    assert.ok(Array.isArray((await inside.listSubscriptions()).items))
  })

  test('the console’s pages send the header that other origins can’t, and no key', async () => {
    const countersign = connect({ url: proxy.url, session: true })
    await assert.rejects(countersign.listDepartments(), { status: 401 })
    const { headers } = proxy.passed[0]!
    assert.equal(headers['x-countersign-console'], '1')
    assert.equal(headers['ocp-apim-subscription-key'], undefined)
  })
})
