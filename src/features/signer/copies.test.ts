import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { completedFacts } from '#features/signing/index.ts'
import type { Message } from '#features/messages/index.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import {
  Browser,
  codeSentTo,
  invite,
  linkOf,
  messagesOf,
  openLink,
  startSigningService,
  untilStatus,
} from '../../../test/signing-flow.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the link in the last message', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  /** A closed request, the link that its signatory is sent, and the one that was for signing. */
  async function close(readingAuthenticationStrength: string) {
    const { requestId, signatoryIds } = await invite(tenant, { readingAuthenticationStrength })
    const signatoryId = signatoryIds[0]!
    const signing = await linkOf(tenant, requestId, signatoryId)
    const browser = await openLink(service, tenant, requestId, signatoryId)
    if (readingAuthenticationStrength === 'Email') await authenticate(browser, requestId, signatoryId)
    assert.equal((await browser.sign()).status, 202)
    const request = await untilStatus(tenant, requestId, 'Closed')
    const message = (await messagesOf(service, requestId)).find(({ kind }) => kind === 'completed')
    const facts = await completedFacts(service.platform, { ...message, tenantId: tenant.tenantId } as Message)
    return { requestId, signatoryId, signing, copy: service.url + facts!.path!, request }
  }

  async function authenticate(browser: Browser, requestId: string, signatoryId: string): Promise<void> {
    await browser.post('/sign/api/code', { purpose: 'reading' })
    const code = await codeSentTo(service, tenant, requestId, signatoryId)
    assert.equal((await browser.post('/sign/api/code/verify', { purpose: 'reading', code })).status, 204)
  }

  test('leads to the sealed documents, while the one for signing is dead', async () => {
    const { signing, copy, request } = await close('None')
    assert.deepEqual((await new Browser(service.url).open(signing)).json.state, 'closed')
    const browser = new Browser(service.url)
    assert.equal((await browser.open(copy)).status, 204)
    const page = await browser.page()
    assert.deepEqual([page.state, page.progress, page.canDownload], ['signed', 'sealed', true])
    assert.equal(page.documents[0].sha256, request.documents[0].sha256, 'the sealed revision')
    assert.equal((await browser.get(page.documents[0].url)).status, 200)
    assert.equal((await browser.post('/sign/api/decline', { reason: 'No.' })).json.classification, 'InvalidOperation')
  })

  test('asks for the reading strength again', async () => {
    const { copy, requestId, signatoryId } = await close('Email')
    const browser = new Browser(service.url)
    assert.equal((await browser.open(copy)).status, 204)
    const page = await browser.page()
    assert.deepEqual([page.state, page.progress, page.subject, page.documents], ['signed', null, null, null])
    await authenticate(browser, requestId, signatoryId)
    assert.equal((await browser.page()).documents.length, 1)
  })

  test('works for ninety days', async () => {
    const { copy } = await close('None')
    service.clock.advance(89 * DAY_MS)
    assert.equal((await new Browser(service.url).open(copy)).status, 204)
    service.clock.advance(2 * DAY_MS)
    assert.deepEqual((await new Browser(service.url).open(copy)).json.state, 'closed')
    service.clock.advance(-91 * DAY_MS)
  })
})
