// Sign, decline, cancel and expire at once: one of them ends the request, the others hear why, and all records agree.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expireRequests } from '#features/signing/index.ts'
import { requireRightCounts, requireWholeHistories, typesOfEvents } from '../../../test/signature-requests.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { invite, openLink, readRequest, startSigningService, untilQuiet } from '../../../test/signing-flow.ts'
import { until } from '../../../test/until.ts'

// `npm run proof:races` runs two hundred.
const ROUNDS = Number(process.env['COUNTERSIGN_RACE_ROUNDS'] ?? 12)
const ENDS = [
  'signaturerequestcompleted',
  'signaturerequestcanceled',
  'signaturerequestdeclined',
  'signaturerequestexpired',
]

describe('sign, decline, cancel and expire at once', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  test(`${ROUNDS} rounds: exactly one end each, and the losers hear why`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { requestId, signatoryIds } = await invite(tenant)
      const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
      const { documents } = await browser.page()
      const shown = documents.map(({ id, sha256 }: { id: string; sha256: string }) => ({ id, sha256 }))
      const later = new Date(service.clock.now().getTime() + 31 * 24 * 60 * 60 * 1000)
      const moves = [
        () => browser.post('/sign/api/sign', { documents: shown }),
        () => browser.post('/sign/api/decline', { reason: 'No' }),
        () => tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`),
        async () => {
          await expireRequests(service.platform, tenant.tenantId, later)
          return undefined
        },
      ]
      // Another one goes first in each round.
      const order = [...moves.slice(round % 4), ...moves.slice(0, round % 4)]
      const replies = await Promise.all(order.map((move) => move()))
      for (const reply of replies)
        assert.ok(reply === undefined || [200, 202, 204, 400].includes(reply.status), reply?.text)
      const end = await until('the end', async () => {
        const { json } = await readRequest(tenant, requestId)
        return ['Closed', 'Canceled'].includes(json.status) && json
      })
      const types = await typesOfEvents(service, requestId)
      assert.equal(types.filter((type) => ENDS.includes(type)).length, 1, types.join(' '))
      const isSigned = end.signatories[0].state === 'Signed'
      assert.equal(isSigned, end.status === 'Closed')
      assert.equal(types.includes('signatorysigned'), isSigned)
    }
    await untilQuiet(service)
    await requireWholeHistories(service)
    await requireRightCounts(service)
  })
})
