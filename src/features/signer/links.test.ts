import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { expireRequests, remindBeforeExpiry } from '#features/signing/index.ts'
import { linkToken } from '#features/signing/links.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import {
  Browser,
  invite,
  linkOf,
  messagesOf,
  openLink,
  readRequest,
  startSigningService,
  untilStatus,
  untilQuiet,
} from '../../../test/signing-flow.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** npm run proof:links makes a million. */
const TOKENS = Number(process.env['COUNTERSIGN_LINK_TOKENS'] ?? 10_000)

describe('personal links', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  test('become a cookie that scripts can not read and other sites can not send', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = new Browser(service.url)
    const reply = await browser.open(await linkOf(tenant, requestId, signatoryIds[0]!))
    assert.equal(reply.status, 204)
    const cookie = reply.headers.getSetCookie()[0]!
    assert.match(cookie, /^__Host-countersign-sign=[\w-]{43}; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Lax$/)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    assert.equal(reply.headers.get('referrer-policy'), 'no-referrer')
    const page = await browser.get('/sign/api/request')
    assert.equal(page.headers.get('cache-control'), 'no-store')
  })

  test('are only hashes in the database, and so are sessions', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const url = await linkOf(tenant, requestId, signatoryIds[0]!)
    const token = url.split('/').pop()!
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const browser = new Browser(service.url)
    await browser.open(url)
    const rows = await service.database.asOwner(`select encode(hash, 'base64') as hash from credential`)
    const secrets = [token, browser.cookie!.split('=')[1]!].map((secret) =>
      Buffer.from(secret, 'base64url').toString('base64'),
    )
    assert.ok(rows.every(({ hash }) => !secrets.includes(String(hash))))
  })

  test('are 256 bits each, and no two alike', () => {
    const { keyring } = service.platform
    const [tenantId, signatoryId] = [newId(), newId()]
    const tokens = new Set<string>()
    for (let generation = 1; generation <= TOKENS; generation++)
      tokens.add(linkToken(keyring, { tenantId, signatoryId, generation }))
    assert.equal(tokens.size, TOKENS)
    assert.ok([...tokens].every((token) => Buffer.from(token, 'base64url').length === 32))
  })

  test('survive any number of GETs, and a refused exchange', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const url = new URL(await linkOf(tenant, requestId, signatoryIds[0]!))
    await untilQuiet(service)
    const before = await service.database.asOwner(`select count(*)::int as n from event`)
    await Promise.all(Array.from({ length: 50 }, () => service.call('GET', url.pathname)))
    const foreign = await service.call('POST', '/sign/api/session', { token: url.pathname.split('/').pop() })
    assert.deepEqual([foreign.status, foreign.json.code], [403, 6950])
    assert.deepEqual(await service.database.asOwner(`select count(*)::int as n from event`), before)
    assert.equal((await new Browser(service.url).open(url.href)).status, 204)
  })

  test('that nobody made lead nowhere', async () => {
    const browser = new Browser(service.url)
    for (const token of [randomBytes(32).toString('base64url'), 'x', '']) {
      const { status, json } = await browser.post('/sign/api/session', { token })
      assert.deepEqual([status, json.classification, json.state], [400, 'EntityNotFound', 'wronglink'])
    }
    assert.equal((await browser.post('/sign/api/session', {})).status, 400)
    assert.deepEqual([browser.cookie, (await browser.get('/sign/api/request')).status], [undefined, 401])
  })

  test('and sessions are used from our own page alone', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const cases: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'x-countersign-sign': '' },
      { origin: `${service.url}.evil.example` },
    ]
    for (const headers of cases) {
      const { status, json } = await browser.post('/sign/api/decline', { reason: 'No' }, headers)
      assert.deepEqual([status, json.code], [403, 6950], JSON.stringify(headers))
    }
    const forged = await browser.get('/sign/api/request', { cookie: `__Host-countersign-sign=${'A'.repeat(43)}` })
    assert.deepEqual([forged.status, forged.json.code], [401, 5950])
    assert.equal((await browser.page()).state, 'ready')
  })

  test('die with cancel and closing, and tell what became of the request', async () => {
    const canceled = await invite(tenant)
    const url = await linkOf(tenant, canceled.requestId, canceled.signatoryIds[0]!)
    const open = await openLink(service, tenant, canceled.requestId, canceled.signatoryIds[0]!)
    await tenant.call('POST', `/signing/signaturerequest/${canceled.requestId}/cancel`, { reason: 'Mistake' })
    assert.equal((await new Browser(service.url).open(url)).json.state, 'canceled')
    assert.equal((await open.page()).state, 'canceled')

    const closed = await invite(tenant)
    const signedUrl = await linkOf(tenant, closed.requestId, closed.signatoryIds[0]!)
    const browser = await openLink(service, tenant, closed.requestId, closed.signatoryIds[0]!)
    await browser.sign()
    await untilStatus(tenant, closed.requestId, 'Closed')
    assert.equal((await new Browser(service.url).open(signedUrl)).json.state, 'closed')
    const page = await browser.page()
    assert.deepEqual([page.state, page.canDownload], ['signed', true], 'whoever signed can still fetch what was signed')
    const file = await browser.get(`${page.documents[0].url}&download=true`)
    assert.deepEqual([file.status, file.headers.get('content-disposition')?.split(';')[0]], [200, 'attachment'])
    assert.match(file.headers.get('content-security-policy')!, /^sandbox/)
    const link = `/signing/signaturerequest/${closed.requestId}/signatory/${closed.signatoryIds[0]}/link`
    assert.equal((await tenant.call('GET', link)).json.classification, 'InvalidOperation')
  })

  test('expire with the request, which ends by itself', async () => {
    const expirationDate = new Date(service.clock.now().getTime() + HOUR_MS).toISOString()
    const { requestId, signatoryIds } = await invite(tenant, { expirationDate })
    const url = await linkOf(tenant, requestId, signatoryIds[0]!)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    service.clock.advance(HOUR_MS + 1000)
    assert.equal((await browser.page()).state, 'expired', 'at once, before anything has swept')
    assert.equal((await new Browser(service.url).open(url)).json.state, 'expired')
    const now = service.clock.now()
    await Promise.all([1, 2, 3].map(() => expireRequests(service.platform, tenant.tenantId, now)))
    const { json } = await readRequest(tenant, requestId)
    assert.deepEqual([json.status, json.statusReason], ['Canceled', 'Expired'])
    const kinds = (await messagesOf(service, requestId)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['invitation', 'canceled'])
    assert.equal((await new Browser(service.url).open(url)).json.state, 'expired')
  })

  test('are sent again at most once an hour on demand, and once before the end', async () => {
    const expirationDate = new Date(service.clock.now().getTime() + 10 * DAY_MS).toISOString()
    const { requestId, signatoryIds } = await invite(tenant, { expirationDate })
    const path = `/signing/signaturerequest/${requestId}/remind`
    const twenty = await Promise.all(Array.from({ length: 20 }, () => tenant.call('POST', path)))
    assert.deepEqual(
      twenty.flatMap(({ json }) => json.reminded),
      signatoryIds,
    )
    service.clock.advance(HOUR_MS + 1000)
    assert.deepEqual((await tenant.call('POST', path)).json, { reminded: signatoryIds })
    const sweep = () => remindBeforeExpiry(service.platform, tenant.tenantId, service.clock.now())
    const kinds = async () => (await messagesOf(service, requestId)).map(({ kind }) => kind)
    service.clock.set(new Date(Date.parse(expirationDate) - 3 * DAY_MS - HOUR_MS))
    await sweep()
    assert.deepEqual(await kinds(), ['invitation', 'reminder', 'reminder'], 'more than three days before the end')
    service.clock.advance(HOUR_MS + 1000)
    await Promise.all([sweep(), sweep(), sweep()])
    assert.deepEqual(await kinds(), ['invitation', 'reminder', 'reminder', 'reminder'])
    service.clock.advance(DAY_MS)
    await sweep()
    assert.equal((await kinds()).length, 4, 'and then no more')
    await tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`)
    assert.equal((await tenant.call('POST', path)).json.classification, 'InvalidOperation')
  })

  test('lead back only to addresses that the tenant has listed', async () => {
    const tenant = await service.createTenant()
    const change = await tenant.asAdministrator('PATCH', '/onboarding/tenant', {
      returnOrigins: ['https://app.example.com'],
    })
    assert.equal(change.status, 200, change.text)
    const { requestId, signatoryIds } = await invite(tenant)
    const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryIds[0]}/link?returnUrl=`
    const { json } = await tenant.call('GET', path + encodeURIComponent('https://app.example.com/done?id=1'))
    const browser = new Browser(service.url)
    assert.equal((await browser.open(json.url)).status, 204)
    assert.equal((await browser.page()).returnUrl, 'https://app.example.com/done?id=1')
    const refused = [
      'https://evil.example/',
      'https://app.example.com.evil.example/',
      'https://app.example.com@evil.example/',
      'https://user:secret@app.example.com/',
      'http://app.example.com/',
      'https://app.example.com:8443/',
      '//app.example.com/',
      'javascript:alert(1)',
      'https:evil.example',
      'data:text/html,x',
      'not an address',
      '/',
      '/done',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:///evil.example',
      'https:\\\\evil.example',
      'https://evil.example\\@app.example.com/',
      'https://evil.example#@app.example.com/',
      'https://evil.example?@app.example.com/',
      'https://app.example.com%2eevil.example/',
      'https://app.example.com%40evil.example/',
      'https://app.example.com:443@evil.example/',
      'https://app.example.com:@evil.example/',
      'https://app.example.comevil.example/',
      'https://evilapp.example.com/',
      'https://sub.app.example.com/',
      'https://example.com/',
      'https://app-example.com/',
      'https://app.example.co/',
      'https://app.example.com./',
      'https://\u0430pp.example.com/',
      'HTTP://app.example.com/',
      'ftp://app.example.com/',
      'file:///etc/passwd',
      'blob:https://app.example.com/x',
      'view-source:https://app.example.com/',
      'vbscript:msgbox(1)',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
      'javascript://app.example.com/%0aalert(1)',
      'wss://app.example.com/',
    ]
    for (const url of refused) {
      const answer = await tenant.call('GET', path + encodeURIComponent(url))
      assert.deepEqual([answer.status, answer.json.code], [400, 1102], url)
      const token = new URL(json.url).pathname.split('/').pop()
      assert.equal((await browser.post('/sign/api/session', { token, returnUrl: url })).json.code, 1102, url)
    }
  })

  test('are fetched within reach alone', async () => {
    const { id: departmentId } = await addDepartment(service, tenant, 'Sales')
    const { call } = await addDepartment(service, tenant, 'Law')
    const { requestId, signatoryIds } = await invite(tenant, { departmentId })
    const base = `/signing/signaturerequest/${requestId}`
    assert.equal((await call('GET', `${base}/signatory/${signatoryIds[0]}/link`)).status, 403)
    assert.equal((await call('POST', `${base}/remind`)).status, 403)
    assert.equal((await call('POST', `${base}/retry`)).status, 403)
    assert.equal((await call('GET', `${base}/evidence`)).status, 403)
    const unknown = await tenant.call('GET', `${base}/signatory/${requestId}/link`)
    assert.equal(unknown.json.code, 2101)
  })

  test('of a Draft come with its opening, and its first group is invited then', async () => {
    const requestId = await create(tenant.call, { status: 'Draft', signingAuthenticationStrength: 'None' })
    const draft = (await readRequest(tenant, requestId)).json
    const path = `/signing/signaturerequest/${requestId}/signatory/${draft.signatories[0].id}/link`
    assert.equal((await tenant.call('GET', path)).json.classification, 'InvalidOperation')
    assert.equal((await tenant.call('POST', `/signing/signaturerequest/${requestId}/open`)).status, 200)
    const browser = await openLink(service, tenant, requestId, draft.signatories[0].id)
    await browser.pageIn('ready')
    await browser.sign()
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('are not opened without end', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const url = await linkOf(tenant, requestId, signatoryIds[0]!)
    const replies: number[] = []
    for (let time = 0; time < 62; time++) replies.push((await new Browser(service.url).open(url)).status)
    assert.deepEqual([replies.filter((status) => status === 204).length, replies.at(-1)], [60, 400])
  })

  test('remember the language that the person chose', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    assert.equal((await browser.post('/sign/api/language', { language: 'fi' })).status, 204)
    assert.equal((await browser.page()).language, 'fi')
    assert.equal((await browser.post('/sign/api/language', { language: 'not a language' })).status, 400)
  })
})
