import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { Browser, codeSentTo, invite, linkOf, openLink, startSigningService } from '../../../test/signing-flow.ts'

const TWO = [
  { firstName: 'Aino', email: 'aino@example.com' },
  { firstName: 'Björn', email: 'bjorn@example.com' },
]

describe('a signatory’s session', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  async function authenticate(browser: Browser, requestId: string, signatoryId: string): Promise<void> {
    assert.equal((await browser.post('/sign/api/code', { purpose: 'reading' })).status, 202)
    const code = await codeSentTo(service, tenant, requestId, signatoryId)
    assert.equal((await browser.post('/sign/api/code/verify', { purpose: 'reading', code })).status, 204)
  }

  test('goes on when its own link is opened again in the same browser', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { readingAuthenticationStrength: 'Email' })
    const signatoryId = signatoryIds[0]!
    const browser = await openLink(service, tenant, requestId, signatoryId)
    await authenticate(browser, requestId, signatoryId)
    const { cookie } = browser
    const link = await linkOf(tenant, requestId, signatoryId)
    assert.equal((await browser.open(link)).status, 204)
    assert.equal(browser.cookie, cookie)
    assert.equal((await browser.page()).state, 'ready', 'no second code')
  })

  test('is another one in another browser, and after it has ended', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { readingAuthenticationStrength: 'Email' })
    const signatoryId = signatoryIds[0]!
    const link = await linkOf(tenant, requestId, signatoryId)
    const browser = await openLink(service, tenant, requestId, signatoryId)
    await authenticate(browser, requestId, signatoryId)
    const other = await openLink(service, tenant, requestId, signatoryId)
    assert.equal((await other.page()).state, 'authenticate')

    const { cookie } = browser
    service.clock.advance(12 * 60 * 60_000 + 1000)
    assert.equal((await browser.open(link)).status, 204)
    assert.notEqual(browser.cookie, cookie)
    assert.equal((await browser.page()).state, 'authenticate')
    service.clock.advance(-(12 * 60 * 60_000 + 1000))
  })

  test('does not open a dead link', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const link = await linkOf(tenant, requestId, signatoryIds[0]!)
    await tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`)
    const { status, json } = await browser.open(link)
    assert.deepEqual([status, json.state], [400, 'canceled'])
  })

  test('of one person never signs or declines what another tab shows to another person', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { signatories: TWO })
    const [aino, bjorn] = signatoryIds as [string, string]
    const browser = await openLink(service, tenant, requestId, aino)
    const { signatoryId, documents } = await browser.page()
    assert.equal(signatoryId, aino)
    assert.equal((await browser.open(await linkOf(tenant, requestId, bjorn))).status, 204)
    assert.equal((await browser.page()).signatoryId, bjorn, 'a browser has one session')

    const shown = documents.map(({ id, sha256 }: { id: string; sha256: string }) => ({ id, sha256 }))
    const signed = await browser.post('/sign/api/sign', { signatoryId: aino, documents: shown })
    assert.deepEqual([signed.status, signed.json.code], [401, 5950])
    const declined = await browser.post('/sign/api/decline', { signatoryId: aino, reason: 'No.' })
    assert.deepEqual([declined.status, declined.json.code], [401, 5950])
    assert.equal((await browser.page()).state, 'ready')
    assert.equal((await browser.post('/sign/api/sign', { signatoryId: bjorn, documents: shown })).status, 202)
  })
})
