import { appendEvents } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { getLockedFlow, isRunning, subjectOf } from './flow.ts'
import { findRequestOfSignatory, viewSignatory } from './flow-statements.ts'
import { listCurrentDocuments } from './document-statements.ts'

/** Records that a person has opened the documents for the first time; later openings change nothing. */
export async function viewDocuments(
  tx: Tx,
  { tenantId, signatoryId, now }: { tenantId: string; signatoryId: string; now: Date },
): Promise<void> {
  const { requestId } = await findRequestOfSignatory.one(tx, { tenantId, signatoryId })
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  if (!isRunning(flow, now)) return
  if ((await viewSignatory.run(tx, { tenantId, signatoryId, now })) === 0) return
  const documents = await listCurrentDocuments.many(tx, { tenantId, requestId })
  const shown = documents.map(({ id, sha256 }) => ({ id, sha256: sha256.toString('hex') }))
  const actor = { kind: 'signatory' as const, id: signatoryId }
  const event = { type: 'signatoryviewed', actor, signatoryId, data: { creatorId: flow.creatorId, documents: shown } }
  await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
}
