import type { Tx } from '#platform/db/database.ts'
import { appendEvents, SYSTEM, type Subject } from './append-events.ts'
import { deleteBodiesOfPeople, deleteBodiesOfRequest } from './event-statements.ts'

type History = { tenantId: string; requestId: string; requestKind: 'signaturerequest' | 'sealingrequest' }

export type Deletion = { retentionDays: number; finishedAt: Date; hashes: string[] }

/**
 * Ends the history of a request that is being deleted: what its events told is erased, and one last event says by which
 * rule and the SHA-256 of every deleted file. The events themselves stay, and so does every proof about them.
 */
export async function endHistory(tx: Tx, subject: Subject, deletion: Deletion, now: Date): Promise<void> {
  const { tenantId, requestId, requestKind } = subject
  await deleteBodiesOfRequest.run(tx, { tenantId, requestId, requestKind })
  const { retentionDays, finishedAt, hashes } = deletion
  const deleted = hashes.map((sha256) => ({ sha256 }))
  const data = { retentionDays, finishedAt: finishedAt.toISOString(), deleted }
  await appendEvents(tx, subject, [{ type: `${requestKind}deleted`, actor: SYSTEM, data }], now)
}

/** Erases what the events of a request tell about some of its signatories, who may also be named by these texts. */
export async function erasePeople(
  tx: Tx,
  { texts, ...of }: History & { signatoryIds: string[]; texts: string[] },
): Promise<void> {
  await deleteBodiesOfPeople.run(tx, { ...of, words: texts.map((text) => Buffer.from(text)) })
}
