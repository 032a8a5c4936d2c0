import assert from 'node:assert/strict'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Platform } from '#platform/platform.ts'
import { addDepartment, type TestDepartment } from '../../../test/departments.ts'
import { makeFinder } from '../../../test/find-secrets.ts'
import { create, requireRightCounts, requireWholeHistories } from '../../../test/signature-requests.ts'
import {
  Browser,
  invite,
  openLink,
  readRequest,
  startSigningService,
  untilQuiet,
  untilStatus,
} from '../../../test/signing-flow.ts'
import type { TestService, TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { workerPlatform } from '../../../test/worker.ts'
import { documentsOf, openWith, waitFor } from '../sealing/testing/sealer.ts'
import { deleteExpired } from './index.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PERSON = { firstName: 'Odalys', lastName: 'Fernández', email: 'Odalys.Fernandez@example.com' }

/** The tables that still hold one of these texts, in whatever spelling. */
async function findTraces(
  { database: { asOwner } }: TestService,
  traces: string[],
  but: string[] = [],
): Promise<string[]> {
  const tables = await asOwner(`select tablename as name from pg_tables where schemaname = 'public'`)
  const find = makeFinder(new Map(traces.map((trace) => [trace, trace])))
  const found = []
  for (const name of tables.map((table) => String(table['name'])).filter((table) => !but.includes(table))) {
    const rows = await asOwner(`select t::text as row from "${name}" t`)
    found.push(...rows.flatMap(({ row }) => find(name, String(row))))
  }
  return [...new Set(found)]
}

describe('what is not kept any longer', () => {
  let service: TestService
  let acme: TestTenant
  let worker: Platform
  let sales: TestDepartment

  before(async () => {
    service = await startSigningService()
    acme = await service.createTenant('Acme')
    // Not a worker that runs: it would lease buckets, and do nothing of what is in them.
    worker = workerPlatform(service)
    sales = await addDepartment(service, acme, 'Sales')
  })
  after(() => service.stop())

  /** A request that one person has signed, closed. */
  async function close(changes: Record<string, unknown> = {}): Promise<string> {
    const signatories = [{ ...PERSON, deliveryMethods: ['Email'] }]
    const { requestId, signatoryIds } = await invite(acme, { signatories, ...changes })
    const browser: Browser = await openLink(service, acme, requestId, signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign({ kind: 'typed', text: 'Odalys' })
    await untilStatus(acme, requestId, 'Closed')
    // The history also tells of the messages about it.
    await untilQuiet(service)
    return requestId
  }

  const later = (days: number) => new Date(service.clock.now().getTime() + days * DAY_MS)
  const remove = (days: number) => deleteExpired(worker, { tenantId: acme.tenantId, now: later(days) })
  const historyOf = async (id: string) => (await acme.call('GET', `/event/signaturerequest/${id}`)).json
  const keep = (id: string, retentionDays: number) =>
    acme.call('PATCH', `/onboarding/department/${id}`, { retentionDays })

  async function filesOf(requestId: string): Promise<string[]> {
    const rows = await service.database.asOwner(
      `select s.sha256 from stored_document s
        where s.id in (select stored_document_id from signature_revision v join signature_document d on d.id = v.document_id
                        where d.request_id = $1
                       union select evidence_document_id from signature_request where id = $1)`,
      [requestId],
    )
    return rows.map(({ sha256 }) => (sha256 as Buffer).toString('hex'))
  }

  const pathOf = (sha256: string) => join(service.blobFolder, acme.tenantId, sha256.slice(0, 2), sha256)

  test('nothing goes where no department says so, or before its time', async () => {
    const requestId = await close()
    assert.equal(await remove(10_000), 0)
    await keep(acme.rootDepartmentId, 30)
    assert.equal(await remove(29), 0)
    assert.equal((await readRequest(acme, requestId)).status, 200)
  })

  test('a finished request goes with its files; its history stays, verifies and says what was deleted', async () => {
    const signatories = [{ ...PERSON, firstName: 'Zéphyrine', deliveryMethods: ['Email'] }]
    const requestId = await close({ subject: 'Lease of a zeppelin', signatories })
    const uri = (await readRequest(acme, requestId)).json.documents[0].documentURI
    await acme.call('PUT', `/metadata/SignatureRequest/${requestId}`, [{ key: 'colour', value: 'silver' }])
    const files = await filesOf(requestId)
    for (const sha256 of files) utimesSync(pathOf(sha256), 0, 0)
    const eventsBefore = (await historyOf(requestId)).items.length

    assert.ok((await remove(31)) >= 1)
    const gone = await readRequest(acme, requestId)
    assert.deepEqual([gone.status, gone.json.classification], [400, 'EntityNotFound'])
    assert.equal((await acme.call('GET', `/storage/document/${uri}`)).status, 204)
    for (const sha256 of files) assert.equal(existsSync(pathOf(sha256)), false)
    const search = await acme.call('GET', '/signing/signaturerequest?search=zeppelin')
    assert.equal(search.json.items.length, 0)

    const { items } = await historyOf(requestId)
    assert.equal(items.length, eventsBefore + 1)
    assert.ok(items.slice(0, -1).every(({ erased }: { erased: boolean }) => erased))
    const { eventType, data } = items.at(-1)
    assert.equal(eventType, 'signaturerequestdeleted')
    assert.equal(data.retentionDays, 30)
    const deleted = data.deleted.map(({ sha256 }: { sha256: string }) => sha256)
    assert.ok(files.every((sha256) => deleted.includes(sha256)))
    await untilQuiet(service)
    await requireWholeHistories(service, { mayBeErased: true })
    await requireRightCounts(service)
    for (const table of ['signatory', 'signature_document', 'signature_confirmation', 'message', 'signature_intent']) {
      const [row] = await service.database.asOwner(`select count(*)::int as n from ${table} where request_id = $1`, [
        requestId,
      ])
      assert.equal(row!['n'], 0, table)
    }
    assert.deepEqual(await findTraces(service, ['Zéphyrine', 'zeppelin']), [])
    assert.equal(await remove(31), 0, 'once')
  })

  test('what is not at its end stays, however old', async () => {
    const draft = await create(acme.call, { status: 'Draft' })
    const open = await create(acme.call)
    await remove(5_000)
    assert.equal((await readRequest(acme, draft)).status, 200)
    assert.equal((await readRequest(acme, open)).status, 200)
  })

  test('a department may keep longer than the one above', async () => {
    await keep(sales.id, 90)
    const requestId = await close({ departmentId: sales.id })
    await remove(60)
    assert.equal((await readRequest(acme, requestId)).status, 200)
    await remove(91)
    assert.equal((await readRequest(acme, requestId)).status, 400)
  })

  test('a file that another request uses stays', async () => {
    const id = await openWith(acme.call, [makePdf('Shared')])
    await waitFor(acme.call, id, 'Processed')
    const documentURI = (await documentsOf(acme.call, id))[0]!.sourceDocumentURI
    const { json: other } = await acme.call('POST', '/sealing/sealingrequest', { subject: 'The same again' })
    assert.equal((await acme.call('POST', `/sealing/sealingrequest/${other.id}/document`, { documentURI })).status, 200)
    assert.equal((await acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Closed' })).status, 200)
    assert.ok((await remove(31)) >= 1)
    assert.equal((await acme.call('GET', `/sealing/sealingrequest/${id}`)).status, 400)
    assert.equal((await acme.call('GET', `/storage/document/${documentURI}`)).status, 200)
    await requireRightCounts(service)
  })
})

describe('erasing a person', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startSigningService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const erase = (email: string, call = acme.call) => call('POST', '/signing/erasure', { email })

  test('nothing of the person is left but the signed files, and the histories verify', async () => {
    const signatories = [{ ...PERSON, mobilePhone: '+358401234567', personalIdentifier: '131052-308T' }]
    const { requestId, signatoryIds } = await invite(acme, { signatories })
    const browser = await openLink(service, acme, requestId, signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    await untilStatus(acme, requestId, 'Closed')
    const running = await create(acme.call, { signatories })

    const { status, json } = await erase(PERSON.email.toUpperCase())
    assert.equal(status, 200)
    assert.deepEqual(json, { erased: 1, requestIds: [requestId], runningRequestIds: [running] })
    assert.deepEqual((await erase(PERSON.email)).json.requestIds, [])

    const [person] = (await readRequest(acme, requestId)).json.signatories
    assert.deepEqual([person.firstName, person.lastName, person.email, person.state], [null, null, null, 'Signed'])
    const { items } = (await acme.call('GET', `/event/signaturerequest/${requestId}`)).json
    const told = JSON.stringify(items)
    for (const trace of ['Odalys', 'Fern', '401234567', '131052']) assert.ok(!told.includes(trace), trace)
    assert.equal(items.at(-1).eventType, 'signatoryerased')
    await untilQuiet(service)
    await requireWholeHistories(service, { mayBeErased: true })
    const rows = await service.database.asOwner(
      `select recipient from message where request_id = $1 and recipient is not null`,
      [requestId],
    )
    assert.deepEqual(rows, [])
    assert.equal(
      (await acme.call('GET', '/signing/signaturerequest?search=odalys')).json.items.length,
      1,
      'the open one',
    )

    // Whoever repeats a call hears its answer again, for a day, and the answer to this one shows the request.
    const headers = { 'idempotency-key': 'cancel it once' }
    const cancel = () => acme.call('POST', `/signing/signaturerequest/${running}/cancel`, {}, { headers })
    const canceled = await cancel()
    assert.equal(canceled.json.signatories[0].firstName, PERSON.firstName)
    await untilQuiet(service)
    assert.deepEqual((await erase(PERSON.email)).json.requestIds, [running])
    const again = await cancel()
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [canceled.status, 'true'])
    const [erased] = again.json.signatories
    assert.deepEqual([erased.id, erased.firstName, erased.email], [canceled.json.signatories[0].id, null, null])
    await untilQuiet(service)
    const traces = [PERSON.firstName, PERSON.lastName, PERSON.email, PERSON.email.toLowerCase(), '401234567']
    // Certificates are part of what was signed; they go with the request.
    assert.deepEqual(await findTraces(service, traces, ['certificate', 'signature_intent', 'signature_proof']), [])
  })

  test('only within reach, and never in another tenant', async () => {
    const other = await service.createTenant('Other')
    const sales = await addDepartment(service, acme, 'Sales')
    for (const call of [other.call, sales.call]) {
      assert.deepEqual((await erase(PERSON.email, call)).json, { erased: 0, requestIds: [], runningRequestIds: [] })
    }
  })

  test('refuses what is no address', async () => {
    for (const body of [undefined, {}, { email: '' }, { email: 7 }, { email: 'x'.repeat(321) }]) {
      assert.equal((await acme.call('POST', '/signing/erasure', body)).status, 400)
    }
  })
})
