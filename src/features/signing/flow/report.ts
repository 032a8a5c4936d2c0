import { noteReport, type ReportLog } from '#features/abuse/index.ts'
import { appendEvents } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { getLockedFlow, subjectOf } from './flow.ts'
import { findRequestOfSignatory, markReported } from './flow-statements.ts'

export type Report = { tenantId: string; signatoryId: string; log: ReportLog; now: Date }

/** Records that a person does not want these messages, whatever has become of the request. Once; again changes nothing. */
export async function report(tx: Tx, { tenantId, signatoryId, log, now }: Report): Promise<void> {
  const { requestId } = await findRequestOfSignatory.one(tx, { tenantId, signatoryId })
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  if ((await markReported.run(tx, { tenantId, signatoryId, now })) === 0) return
  const actor = { kind: 'signatory' as const, id: signatoryId }
  const event = { type: 'signatoryreported', actor, signatoryId, data: { creatorId: flow.creatorId } }
  await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
  await noteReport(tx, { tenantId, requestId, log, now })
}
