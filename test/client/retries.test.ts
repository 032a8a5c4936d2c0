// What the client does when the network, a proxy or the service has a bad day.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { connect, ConnectionError, CountersignError, type Countersign } from '#client'
import { startFlakyProxy, type FlakyProxy, type Trouble } from '../fakes/flaky-proxy.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../service.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'

const BUSY = { code: 9003, classification: 'InternalError', message: 'Busy.' }
const unavailable = (retryAfter: string): Trouble => ({
  status: 503,
  headers: { 'retry-after': retryAfter, 'content-type': 'application/json' },
  body: JSON.stringify(BUSY),
})

describe('a client on a bad day', () => {
  let service: TestService
  let proxy: FlakyProxy
  let acme: TestTenant
  let countersign: Countersign

  before(async () => {
    service = await startService()
    proxy = await startFlakyProxy(service.url)
    acme = await service.createTenant()
    countersign = connect({ url: proxy.url, key: acme.key })
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })
  afterEach(() => {
    proxy.plan()
    proxy.passed.length = 0
  })

  const createdAs = async (externalReference: string) => {
    const { total } = await countersign.listSignatureRequests({ externalReference })
    return total
  }

  test('answers get lost: the same call is sent again, and one request is created', async () => {
    proxy.plan('answer lost', 'answer lost')
    let headers = new Headers()
    const input = { subject: 'Lease', externalReference: 'answer lost' }
    const { id } = await countersign.createSignatureRequest(input, { onResponse: (given) => (headers = given.headers) })
    assert.equal(headers.get('idempotent-replayed'), 'true')
    assert.equal(new Set(proxy.passed.map((call) => call.headers['idempotency-key'])).size, 1)
    assert.equal(proxy.passed.length, 3)
    assert.equal((await countersign.readSignatureRequest({ id })).subject, 'Lease')
    assert.equal(await createdAs('answer lost'), 1)
  })

  test('twenty calls at once, half of their answers lost: twenty requests', async () => {
    proxy.plan(...Array.from({ length: 20 }, (_, at): Trouble => (at % 2 === 0 ? 'answer lost' : 'none')))
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        countersign.createSignatureRequest({ subject: `Lease ${at}`, externalReference: 'twenty' }),
      ),
    )
    assert.equal(new Set(created.map(({ id }) => id)).size, 20)
    assert.equal(await createdAs('twenty'), 20)
  })

  test('calls get lost: reads and writes are sent again', async () => {
    proxy.plan('call lost', 'none', 'call lost')
    await countersign.listDepartments()
    await countersign.createSignatureRequest({ subject: 'Lease' })
    assert.equal(proxy.passed.length, 4)
  })

  test('an upload from memory is sent again, with all its bytes', async () => {
    proxy.plan('call lost')
    const content = new Uint8Array(makePdf())
    const { size } = await countersign.uploadDocument({ content, fileName: 'lease.pdf' })
    assert.equal(size, content.length)
  })

  test('an upload from a stream is not: it can be read once only', async () => {
    proxy.plan('answer lost')
    const content = new Blob([new Uint8Array(makePdf())]).stream()
    await assert.rejects(countersign.uploadDocument({ content }), (error) => {
      assert.ok(error instanceof ConnectionError)
      assert.equal(error.tries, 1)
      return true
    })
    assert.equal(proxy.passed.length, 1)
  })

  test('a service that asks for patience gets it', async () => {
    proxy.plan(unavailable('1'))
    const startedAt = performance.now()
    await countersign.listDepartments()
    assert.ok(performance.now() - startedAt >= 990)
  })

  test('but not more than a minute: its answer is the caller’s to see', async () => {
    proxy.plan(unavailable('61'))
    await assert.rejects(countersign.listDepartments(), { ...BUSY, status: 503 })
    assert.equal(proxy.passed.length, 1)
  })

  test('a proxy’s page is tried again, and in the end told as what it is', async () => {
    const page = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }
    proxy.plan(page, page)
    await connect({ url: proxy.url, key: acme.key, tries: 3 }).listDepartments()
    proxy.plan(page, page)
    const impatient = connect({ url: proxy.url, key: acme.key, tries: 2 })
    await assert.rejects(impatient.listDepartments(), {
      name: 'CountersignError',
      status: 502,
      code: 0,
      message: 'The service answered 502.',
    })
  })

  test('a page where an answer should be is told as what it is', async () => {
    proxy.plan({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' })
    await assert.rejects(countersign.listDepartments(), { name: 'CountersignError', code: 0, message: /not JSON/ })
  })

  test('silence ends after the time that was given, and counts as a try', async () => {
    proxy.plan('silence')
    await connect({ url: proxy.url, key: acme.key, timeoutMs: 1_000, tries: 20 }).listDepartments()
    assert.ok(proxy.passed.length > 1)
    proxy.plan('silence', 'silence')
    const impatient = connect({ url: proxy.url, key: acme.key, timeoutMs: 100, tries: 2 })
    await assert.rejects(impatient.listDepartments(), { name: 'ConnectionError', tries: 2 })
  })

  test('a login is sent once: each counts against the user', async () => {
    proxy.plan('answer lost')
    const login = { login: acme.administratorEmail, password: PASSWORD }
    await assert.rejects(countersign.logIn(login), { name: 'ConnectionError', tries: 1 })
    assert.equal(proxy.passed.length, 1)
    assert.equal(proxy.passed[0]!.headers['idempotency-key'], undefined)
  })

  test('refusals are not repeated', async () => {
    await assert.rejects(countersign.createSignatureRequest({ subject: '' }), (error) => {
      assert.ok(error instanceof CountersignError)
      assert.deepEqual([error.status, error.classification], [400, 'InvalidArgument'])
      assert.match(error.message, /subject/)
      assert.ok(error.code >= 1000 && error.code < 2000)
      assert.ok(error.requestId)
      return true
    })
    assert.equal(proxy.passed.length, 1)
  })

  test('a caller who has had enough ends the call, also while it waits for its next try', async () => {
    proxy.plan(unavailable('30'))
    const signal = AbortSignal.timeout(1_000)
    await assert.rejects(countersign.listDepartments({}, { signal }), { name: 'TimeoutError' })
    const before = proxy.passed.length
    assert.ok(before <= 1)
    proxy.plan('silence')
    const enough = new AbortController()
    const ended = assert.rejects(countersign.listDepartments({}, { signal: enough.signal }), { message: 'Enough.' })
    await until('the call to arrive', async () => proxy.passed.length > before)
    enough.abort(new Error('Enough.'))
    await ended
    assert.equal(proxy.passed.length, before + 1)
  })

  test('a key of the caller’s own makes two calls one', async () => {
    const input = { subject: 'Lease', externalReference: 'own key' }
    const options = { idempotencyKey: 'lease 4711' }
    const first = await countersign.createSignatureRequest(input, options)
    assert.deepEqual(await countersign.createSignatureRequest(input, options), first)
    assert.equal(await createdAs('own key'), 1)
  })

  test('an address that is none is refused at once', () => {
    assert.throws(() => connect({ url: 'sign.example.com', key: acme.key }), /Invalid URL/)
    assert.throws(() => connect({ key: acme.key }), /Invalid URL/)
  })

  test('the service may live below a path of its host', async () => {
    await assert.rejects(connect({ url: `${proxy.url}/sign/`, key: acme.key }).listDepartments(), { status: 404 })
    assert.equal(proxy.passed[0]!.path, '/sign/onboarding/department')
  })

  test('an id that is missing or means another address is refused before anything is sent', async () => {
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await assert.rejects(countersign.readSignatureRequest({ id }), /^TypeError: id is missing$/)
    }
    assert.equal(proxy.passed.length, 0)
  })
})
