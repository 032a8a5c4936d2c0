import { actorOf } from '#features/event/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { isUuid } from '#platform/ids.ts'
import { requestNotFound } from './errors.ts'
import { recordMove } from './record-move.ts'
import { lockRequest, setArchivingStatus as updateStatus, type ArchivingError } from './request-statements.ts'
import { statusAfter, type Move } from './signature-request.ts'

export const ARCHIVING_STATUSES = ['Archiving', 'Archived', 'ArchivingFailed'] as const
export type ArchivingStatus = (typeof ARCHIVING_STATUSES)[number]

const MOVE_TO = {
  Archiving: 'archive',
  Archived: 'reportArchived',
  ArchivingFailed: 'reportArchivingFailed',
} as const satisfies Record<ArchivingStatus, Move>

export type SetArchivingStatus = {
  caller: Caller
  requestId: string
  status: ArchivingStatus
  error: ArchivingError | undefined
  now: Date
}

/** Records how the archiving of a finished request stands. The present status again changes nothing. */
export async function setArchivingStatus(
  tx: Tx,
  { caller, requestId, status, error, now }: SetArchivingStatus,
): Promise<void> {
  const { tenantId } = caller
  const found = isUuid(requestId) ? await lockRequest.maybeOne(tx, { tenantId, requestId }) : undefined
  if (found === undefined) throw requestNotFound(requestId)
  const { departmentId, creatorId, status: from } = found
  await requireReach(tx, caller, departmentId)
  if (from === status) return
  const to = statusAfter(from, MOVE_TO[status])

  await updateStatus.run(tx, { tenantId, requestId, status: to, error: error ?? null, now })
  await recordMove(tx, {
    request: { tenantId, requestId, departmentId, creatorId, from, to },
    actor: actorOf(caller),
    ...(error && { reason: error.detail ?? error.name ?? error.code ?? undefined }),
    now,
  })
}
