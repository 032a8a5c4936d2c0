import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Browser, invite, linkOf, readRequest, startSigningService, untilStatus } from '../../../test/signing-flow.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { addDepartment } from '../../../test/departments.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import { documentsOf, eventsOf, fetchFile, judge, openWith, waitFor } from '../sealing/testing/sealer.ts'
import { askForRenewals } from './index.ts'
import { dueBefore } from './plan-renewal.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const YEAR_MS = 365 * DAY_MS

type Entry = { kind: string; id: string; requestId: string; documentURI: string; dueAt: string; renewals: number }

describe('renewing files for the archive', () => {
  let service: TestService
  let acme: TestTenant
  let sealingId: string
  let requestId: string

  before(async () => {
    service = await startSigningService()
    acme = await service.createTenant('Acme')
    sealingId = await openWith(acme.call, [makePdf('Sealed')])
    await waitFor(acme.call, sealingId, 'Processed')
    const ceremony = await invite(acme)
    requestId = ceremony.requestId
    for (const signatoryId of ceremony.signatoryIds) {
      const browser = new Browser(service.url)
      await browser.open(await linkOf(acme, requestId, signatoryId))
      await browser.pageIn('ready')
      await browser.sign()
      await browser.pageIn('signed', 'closed')
    }
    await untilStatus(acme, requestId, 'Closed')
  })
  after(() => service.stop())

  const calendar = async (call = acme.call): Promise<Entry[]> => (await call('GET', '/archiving/renewal')).json.items
  const ask = () => askForRenewals(service.platform, { tenantId: acme.tenantId, now: service.clock.now() })

  test('every published file is on the calendar, years ahead', async () => {
    const entries = await calendar()
    assert.deepEqual(entries.map(({ kind }) => kind).toSorted(), ['evidence', 'sealingdocument', 'signaturedocument'])
    for (const { dueAt, renewals } of entries) {
      assert.equal(renewals, 0)
      assert.ok(new Date(dueAt).getTime() > service.clock.now().getTime() + 9 * YEAR_MS)
    }
    const beyond = new Date(Date.parse(entries[2]!.dueAt) + 1).toISOString()
    assert.deepEqual((await acme.call('GET', `/archiving/renewal?from=${beyond}`)).json.items, [])
    assert.equal(await ask(), 0, 'nothing is due')
  })

  test('a department sees its own calendar and that of those below', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    assert.deepEqual(await calendar(sales.call), [])
    const other = await service.createTenant('Other')
    assert.deepEqual(await calendar(other.call), [])
  })

  test('the day is weeks before the end, or half of what is left', () => {
    const now = new Date('2030-01-01T00:00:00Z')
    const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
    assert.deepEqual(dueBefore(inDays(3650), now), inDays(3605))
    assert.deepEqual(dueBefore(inDays(60), now), inDays(30))
  })

  test('when the day comes, each file gets one more timestamp and lasts longer, once', async () => {
    const before = new Map<string, Buffer>()
    for (const { kind, documentURI } of await calendar()) before.set(kind, await fetchFile(acme.call, documentURI))
    const dates = (await calendar()).map(({ dueAt }) => new Date(dueAt).getTime())
    service.clock.set(new Date(Math.max(...dates) + DAY_MS))
    assert.equal(await ask(), 3)
    assert.equal(await ask(), 3, 'asked for twice')
    const renewed = await until('the renewals', async () => {
      const entries = await calendar()
      return entries.every(({ renewals }) => renewals > 0) && entries
    })
    // Beyond the end of the first timestamp's certificate.
    service.clock.advance(YEAR_MS)
    for (const { kind, documentURI, renewals } of renewed) {
      assert.equal(renewals, 1, kind)
      const file = await fetchFile(acme.call, documentURI)
      const old = before.get(kind) as Buffer
      assert.ok(file.subarray(0, old.length).equals(old), `${kind} begins with what it was`)
      const report = await judge(service, file)
      assert.equal(report.verdict, 'valid', JSON.stringify(report))
      assert.notEqual((await judge(service, old)).verdict, 'valid', `${kind} would not be proven any more`)
    }
  })

  test('the request points at the renewed files, and its history tells of them', async () => {
    const { json } = await readRequest(acme, requestId)
    const entries = await calendar()
    const uriOf = (kind: string) => entries.find((entry) => entry.kind === kind)?.documentURI
    assert.equal(json.documents[0].documentURI, uriOf('signaturedocument'))
    assert.equal((await documentsOf(acme.call, sealingId))[0]?.documentURI, uriOf('sealingdocument'))
    const history = await acme.call('GET', `/event/signaturerequest/${requestId}`)
    const types = history.json.items.map(({ eventType }: { eventType: string }) => eventType)
    assert.deepEqual(types.slice(-2).toSorted(), ['documentrenewed', 'evidencerenewed'])
    const told = async (eventType: string) => {
      const event = (await eventsOf(service, sealingId)).find(({ type }) => type === eventType)
      return (event!.body.data['documents'] as { id: string; sha256: string }[])[0]!
    }
    const { id, sha256 } = await told('sealingrequestprocessed')
    const kept = createHash('sha256').update(await fetchFile(acme.call, uriOf('sealingdocument')!))
    assert.deepEqual(await told('documentrenewed'), { id, previousSha256: sha256, sha256: kept.digest('hex') })
  })
})
