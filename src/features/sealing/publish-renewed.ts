import { appendEvents, SYSTEM } from '#features/event/index.ts'
import type { PublishRenewed } from '#features/renewal/index.ts'
import { keepDocument } from '#features/storage/index.ts'
import { listDocumentsToSeal, replaceSealed } from './seal-statements.ts'
import { lockRequest } from './sealing-statements.ts'

/** Puts a sealed document that was renewed for the archive in the place of the one before. */
export const publishRenewedSeal: PublishRenewed = async (tx, file) => {
  const { tenantId, requestId, id, previousSha256, content, lastsUntil, now } = file
  const { departmentId } = await lockRequest.one(tx, { tenantId, requestId })
  const document = (await listDocumentsToSeal.many(tx, { tenantId, requestIds: [requestId] })).find(
    (known) => known.id === id,
  )
  if (document === undefined) throw new Error('the request does not have this document')
  const { fileName, creatorId } = document
  const stored = { tenantId, departmentId, content, contentType: 'application/pdf', fileName, creatorId, now }
  const sealedDocumentId = await keepDocument(tx, stored)
  await replaceSealed.run(tx, { tenantId, id, sealedDocumentId })
  const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
  const data = { documents: [{ id, previousSha256, sha256: content.sha256 }], lastsUntil: lastsUntil.toISOString() }
  await appendEvents(tx, subject, [{ type: 'documentrenewed', actor: SYSTEM, data }], now)
  return sealedDocumentId
}
