import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { invite, openLink, readRequest, startSigningService, untilStatus } from '../../../test/signing-flow.ts'

describe('signing', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startSigningService(process.env.SHOW ? { COUNTERSIGN_LOG_LEVEL: 'warn' } : {})
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  test('one signatory by link: from the invitation to Closed', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { deliveryMethods: ['Link'] })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    const page = await browser.page()
    assert.equal(page.state, 'ready')
    assert.equal((await browser.post('/sign/api/viewed')).status, 204)
    assert.equal((await readRequest(tenant, requestId)).json.signatories[0].state, 'Viewed')
    const { status, text } = await browser.sign()
    assert.equal(status, 202, text)
    await browser.pageIn('signed')
    const request = await untilStatus(tenant, requestId, 'Closed')
    assert.equal(request.signatories[0].state, 'Signed')
    assert.equal(request.documents[0].levelReached, 'B-LTA')
  })
})
