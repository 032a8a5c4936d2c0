import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestService, TestTenant } from '../../../../test/service.ts'
import { invite, messagesOf, readRequest, startSigningService, untilQuiet } from '../../../../test/signing-flow.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('a request of two groups', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  const signatories = [
    { firstName: 'Aino', email: 'aino@example.com' },
    { firstName: 'Berit', email: 'berit@example.com', signatoryGroupSigningOrder: 2 },
  ]

  test('ends thirty days after its opening, unless a date was chosen', async () => {
    const openedAt = service.clock.now().getTime()
    const { requestId } = await invite(tenant, { signatories })
    const { expirationDate } = (await readRequest(tenant, requestId)).json
    const days = (new Date(expirationDate).getTime() - openedAt) / DAY_MS
    assert.ok(days >= 30 && days < 30.1, `${days} days`)
  })

  test('canceled: those who had been invited are told, the others never hear of it', async () => {
    const { requestId, signatoryIds } = await invite(tenant, { signatories })
    const { status } = await tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`, { reason: 'Wrong' })
    assert.equal(status, 200)
    await untilQuiet(service)
    const told = await messagesOf(service, requestId)
    assert.deepEqual(
      told.map(({ kind, signatoryId }) => [kind, signatoryId]),
      [
        ['invitation', signatoryIds[0]],
        ['canceled', signatoryIds[0]],
      ],
    )
  })
})
