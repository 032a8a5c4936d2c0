// What was renewed for the archive takes the place of what was there, and the history says so.
import { appendEvents, SYSTEM } from '#features/event/index.ts'
import type { PublishRenewed, RenewedFile } from '#features/renewal/index.ts'
import { keepDocument } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { getLockedFlow, subjectOf, type Flow } from './flow.ts'
import { listCurrentDocuments } from './document-statements.ts'
import { setEvidencePdf } from './flow-statements.ts'
import { publishRevision } from './prepare-documents.ts'

/** A document of a signature request. */
export const publishRenewedDocument: PublishRenewed = async (tx, file) => {
  const { tenantId, requestId, id, content, now } = file
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  const document = (await listCurrentDocuments.many(tx, { tenantId, requestId })).find((known) => known.id === id)
  if (document === undefined) throw new Error('the request does not have this document')
  const uri = await publishRevision(tx, { tenantId, flow, document, content, kind: 'renewal', now })
  await recordRenewal(tx, flow, file, 'documentrenewed')
  return uri
}

/** The evidence of a signature request. */
export const publishRenewedEvidence: PublishRenewed = async (tx, file) => {
  const { tenantId, requestId, content, now } = file
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  const { departmentId, creatorId } = flow
  const pdf = { content, contentType: 'application/pdf', fileName: 'evidence.pdf' }
  const documentId = await keepDocument(tx, { tenantId, departmentId, creatorId, now, ...pdf })
  await setEvidencePdf.run(tx, { tenantId, requestId, documentId })
  await recordRenewal(tx, flow, file, 'evidencerenewed')
  return documentId
}

async function recordRenewal(tx: Tx, flow: Flow, file: RenewedFile, type: string): Promise<void> {
  const { tenantId, id, previousSha256, content, lastsUntil, now } = file
  const data = {
    creatorId: flow.creatorId,
    documents: [{ id, previousSha256, sha256: content.sha256 }],
    lastsUntil: lastsUntil.toISOString(),
  }
  await appendEvents(tx, subjectOf(tenantId, flow), [{ type, actor: SYSTEM, data }], now)
}
