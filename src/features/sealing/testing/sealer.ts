// What tests of the sealing itself do again and again: real documents in, a status waited for, files out.
import assert from 'node:assert/strict'
import { trustAnchors } from '#features/certificates/index.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { Caller, TestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

export type SealingDocument = { id: string; documentURI: string; sourceDocumentURI: string }

/** A Draft with these files in it. */
export async function draftWith(call: Caller, files: readonly Buffer[], fields: object = {}): Promise<string> {
  const { json } = await call('POST', '/sealing/sealingrequest', { subject: 'Yearly report', ...fields })
  for (const raw of files) {
    const headers = { 'content-type': 'application/pdf' }
    const { json: stored } = await call('POST', '/storage/document?fileName=report.pdf', undefined, { raw, headers })
    const added = await call('POST', `/sealing/sealingrequest/${json.id}/document`, { documentURI: stored.uri })
    assert.equal(added.status, 200, added.text)
  }
  return json.id
}

/** A request with these files that has just been opened. */
export async function openWith(call: Caller, files: readonly Buffer[], fields: object = {}): Promise<string> {
  const id = await draftWith(call, files, fields)
  await open(call, id)
  return id
}

export async function open(call: Caller, id: string): Promise<void> {
  const opened = await call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })
  assert.equal(opened.status, 200, opened.text)
  assert.equal(opened.json.status, 'Open')
}

/** The request once it has the status. */
export function waitFor(call: Caller, id: string, status: string) {
  return until(`the request to become ${status}`, async () => {
    const { json } = await call('GET', `/sealing/sealingrequest/${id}`)
    return json.status === status && json
  })
}

export async function documentsOf(call: Caller, id: string): Promise<SealingDocument[]> {
  return (await call('GET', `/sealing/sealingrequest/${id}/document`)).json.items
}

export async function fetchFile(call: Caller, uri: string): Promise<Buffer> {
  const headers = { accept: 'application/json' }
  const { json } = await call('GET', `/storage/document/${uri}?base64=true`, undefined, { headers })
  return Buffer.from(json.contentBase64, 'base64')
}

/** Our own verdict about a file, with the trust that the installation has in its own authorities. */
export async function judge({ platform, clock }: TestService, file: Buffer, tenantId?: string) {
  const anchors = await trustAnchors(platform, tenantId === undefined ? {} : { tenantId })
  return validatePdf(file, { trustAnchors: anchors, time: new Date(clock.now().getTime() + 1000) })
}

/** Passes where the file is valid and holds exactly one seal, at the level that lasts. */
export async function requireOneSeal(service: TestService, file: Buffer, tenantId?: string): Promise<void> {
  const report = await judge(service, file, tenantId)
  assert.equal(report.verdict, 'valid', JSON.stringify(report))
  assert.deepEqual(
    report.signatures.map(({ fieldName, level }) => [fieldName, level]),
    [['Seal', 'B-LTA']],
  )
  assert.equal(report.timestamps.length, 1)
}

export type StoredEvent = { type: string; body: { data: Record<string, unknown> } }

/** The events of a request, oldest first, as they are stored. */
export async function eventsOf({ database }: TestService, requestId: string): Promise<StoredEvent[]> {
  const rows = await database.asOwner(
    `select e.type, b.body from event e join event_body b on b.tenant_id = e.tenant_id and b.event_id = e.id
      where e.request_id = $1 order by e.sequence`,
    [requestId],
  )
  return rows.map((row) => ({
    type: String(row['type']),
    body: JSON.parse(String(row['body'])) as StoredEvent['body'],
  }))
}
