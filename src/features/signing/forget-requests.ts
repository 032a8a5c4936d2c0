// A finished request goes when the time that its department keeps it is over. What remains is its history without what
// it told, and one last event: what was deleted, by its hashes, and why.
import { forgetSignatoryCertificates } from '#features/certificates/index.ts'
import { changeCounts } from '#features/counts/index.ts'
import { endHistory } from '#features/event/index.ts'
import { releaseDocuments } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { deleteRequest, deleteWords, listFiles, listFinished, lockFinished } from './forget-statements.ts'
import { listCurrentDocuments } from './flow/document-statements.ts'
import { listPeople } from './flow/flow-statements.ts'
import { wordsOfRequest } from './request-words.ts'

export type FinishedQuestion = { tenantId: string; departmentId: string; before: Date; take: number }

/** Requests of a department that reached their end before a moment, oldest first. */
export async function listFinishedRequests(tx: Tx, question: FinishedQuestion): Promise<string[]> {
  return (await listFinished.many(tx, question)).map(({ id }) => id)
}

/**
 * Deletes a finished request. Answers with the ids of what is gone, of the request, its people and its documents; none
 * where it is gone already or not finished any more.
 */
export async function forgetRequest(
  tx: Tx,
  {
    tenantId,
    requestId,
    retentionDays,
    now,
  }: { tenantId: string; requestId: string; retentionDays: number; now: Date },
): Promise<string[]> {
  const key = { tenantId, requestId }
  const request = await lockFinished.maybeOne(tx, key)
  if (request === undefined) return []
  const { departmentId, status, createdAt, finishedAt } = request
  const people = await listPeople.many(tx, key)
  const documents = await listCurrentDocuments.many(tx, key)
  const documentIds = (await listFiles.many(tx, key)).map(({ id }) => id)
  const hashes = await releaseDocuments(tx, { tenantId, documentIds, now })
  const subject = { ...key, requestKind: 'signaturerequest', departmentId } as const
  await endHistory(tx, subject, { retentionDays, finishedAt, hashes }, now)
  await deleteWords.run(tx, { ...key, createdAt, words: wordsOfRequest({ ...request, signatories: people }) })
  await forgetSignatoryCertificates(tx, key)
  await deleteRequest.run(tx, key)
  await changeCounts(tx, tenantId, 'signaturerequest', [{ departmentId, status, by: -1 }])
  return [requestId, ...people.map(({ id }) => id), ...documents.map(({ id }) => id)]
}
