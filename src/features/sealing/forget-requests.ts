// A finished sealing request goes when the time that its department keeps it is over; its history stays, without what it
// told, and says last what was deleted.
import { changeCounts } from '#features/counts/index.ts'
import { endHistory } from '#features/event/index.ts'
import { releaseDocuments } from '#features/storage/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { deleteRequest, listFilesOfRequest, listFinished, lockFinished } from './forget-statements.ts'

export type FinishedQuestion = { tenantId: string; departmentId: string; before: Date; take: number }

/** Requests of a department that reached their end before a moment, oldest first. */
export async function listFinishedRequests(tx: Tx, question: FinishedQuestion): Promise<string[]> {
  return (await listFinished.many(tx, question)).map(({ id }) => id)
}

/** Deletes a finished request. Answers with the ids of what is gone; none where it is gone already or not finished. */
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
  const { departmentId, status, finishedAt } = request
  const documents = await listFilesOfRequest.many(tx, key)
  const documentIds = [...new Set(documents.flatMap(({ files }) => files))]
  const hashes = await releaseDocuments(tx, { tenantId, documentIds, now })
  const subject = { ...key, requestKind: 'sealingrequest', departmentId } as const
  await endHistory(tx, subject, { retentionDays, finishedAt, hashes }, now)
  await deleteRequest.run(tx, key)
  await changeCounts(tx, tenantId, 'sealingrequest', [{ departmentId, status, by: -1 }])
  return [requestId, ...documents.map(({ id }) => id)]
}
