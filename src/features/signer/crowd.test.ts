// As many people as one request may have, who all sign at the same moment.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { trustAnchors } from '#features/certificates/index.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { requireRightCounts, requireWholeHistories, typesOfEvents } from '../../../test/signature-requests.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import {
  fetchBytes,
  invite,
  openLink,
  readRequest,
  startSigningService,
  untilQuiet,
  type Browser,
} from '../../../test/signing-flow.ts'
import { until } from '../../../test/until.ts'

// `npm run proof:crowd` has a hundred, the most that a request may have.
const PEOPLE = Number(process.env['COUNTERSIGN_CROWD'] ?? 8)
const WITHIN_MS = 180_000 + PEOPLE * PEOPLE * 100

describe('many people sign at once', () => {
  let service: TestService
  let tenant: TestTenant

  before(async () => {
    service = await startSigningService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  const person = (_: unknown, index: number) => ({
    firstName: 'Person',
    lastName: `Number ${index + 1}`,
    email: `person${index + 1}@example.com`,
  })

  /** They queue for one row: whoever is told that the service is busy comes again. */
  const confirm = (browser: Browser) =>
    until(
      'the confirmation',
      async () => {
        const { status, text } = await browser.sign()
        assert.ok(status === 202 || status === 503, text)
        return status === 202
      },
      { withinMs: WITHIN_MS },
    )

  test(`${PEOPLE} of them: one signature each, in the file, the events and the state`, async (t) => {
    const { requestId, signatoryIds } = await invite(tenant, { signatories: Array.from({ length: PEOPLE }, person) })
    const browsers = await Promise.all(signatoryIds.map((id) => openLink(service, tenant, requestId, id)))
    const startedAt = performance.now()
    await Promise.all(browsers.map(confirm))
    const closed = await until(
      'the request to close',
      async () => {
        const { json } = await readRequest(tenant, requestId)
        assert.notEqual(json.status, 'Error', json.statusReason)
        return json.status === 'Closed' && json
      },
      { withinMs: WITHIN_MS },
    )
    const closedMs = performance.now() - startedAt

    assert.ok(closed.signatories.every(({ state }: { state: string }) => state === 'Signed'))
    const types = await typesOfEvents(service, requestId)
    assert.equal(types.filter((type) => type === 'signatorysigned').length, PEOPLE)
    const file = await fetchBytes(service, tenant, closed.documents[0].documentURI)
    const anchors = await trustAnchors(service.platform, { tenantId: tenant.tenantId })
    const { verdict, signatures } = await validatePdf(file, { trustAnchors: anchors, time: service.clock.now() })
    assert.equal(verdict, 'valid')
    assert.equal(signatures.length, PEOPLE + 1, 'one of each person, and the seal')
    assert.ok(signatures.every(({ indication, level }) => indication === 'TOTAL-PASSED' && level === 'B-LTA'))
    await untilQuiet(service)
    await requireWholeHistories(service)
    await requireRightCounts(service)
    t.diagnostic(`closed ${(closedMs / 1000).toFixed(1)} s after all had confirmed, ${file.length} bytes`)
  })
})
