import { changeCounts } from '#features/counts/index.ts'
import { actorOf, appendEvents } from '#features/event/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { findAnyDocument } from './document-statements.ts'
import { notADraft, nothingToSeal } from './errors.ts'
import { FIELDS, requireOwnTenant, requireReferences, type Fields, type GivenRequest } from './given-request.ts'
import { fillFromTemplate } from './request-template.ts'
import { SEAL_QUEUE } from './seal-queue.ts'
import { isFinal, statusAfter } from './sealing-request.ts'
import { updateRequest, type RequestRow } from './sealing-statements.ts'

export type ChangeRequest = { caller: Caller; present: RequestRow; given: GivenRequest; now: Date }

/** Changes the fields that are given and moves the status where asked. What is so already is no change. */
export async function changeRequest(tx: Tx, { caller, present, given, now }: ChangeRequest): Promise<RequestRow> {
  requireOwnTenant(caller, given)
  const status = statusAfter(present.status, given.status ?? present.status)
  const changes = await readChanges(tx, { caller, present, given })
  if (status === present.status && Object.keys(changes).length === 0) return present
  if (status === 'Open' && status !== present.status) await requireDocument(tx, present)

  const changed = await updateRequest.one(tx, {
    ...present,
    ...changes,
    requestId: present.id,
    status,
    statusReason: status === present.status ? present.statusReason : null,
    isFinal: isFinal(status),
    now,
  })
  await recordMove(tx, { caller, from: present, to: changed, now })
  if (status === 'Open' && status !== present.status) await startSealing(tx, changed, now)
  return changed
}

/** The fields that would differ afterwards. Only a Draft has any. */
async function readChanges(tx: Tx, { caller, present, given }: Omit<ChangeRequest, 'now'>): Promise<Fields> {
  const differing = differences(present, given)
  if (Object.keys(differing).length === 0) return {}
  if (present.status !== 'Draft') throw notADraft(present.status, Object.keys(differing).join(', '))
  const filled = differing.sealingRequestTemplateId
    ? differences(present, await fillFromTemplate(tx, { caller, given: { ...withoutNulls(present), ...differing } }))
    : differing
  await requireReferences(tx, caller, filled)
  return filled
}

function differences(present: RequestRow, given: Fields): Fields {
  const names = FIELDS.filter((name) => given[name] !== undefined && given[name] !== present[name])
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

function withoutNulls(present: RequestRow): Fields {
  const names = FIELDS.filter((name) => present[name] !== null)
  return Object.fromEntries(names.map((name) => [name, present[name]]))
}

/** With the request's id as its key, so that of two openings in a row one is sealed after the other. */
async function startSealing(tx: Tx, { tenantId, id: requestId }: RequestRow, now: Date): Promise<void> {
  await enqueue(tx, { tenantId, queue: SEAL_QUEUE, payload: { requestId }, key: requestId, now })
}

async function requireDocument(tx: Tx, { tenantId, id: requestId }: RequestRow): Promise<void> {
  if (!(await findAnyDocument.one(tx, { tenantId, requestId })).isThere) throw nothingToSeal()
}

type Move = { caller: Caller; from: RequestRow; to: RequestRow; now: Date }

async function recordMove(tx: Tx, { caller, from, to, now }: Move): Promise<void> {
  const { tenantId, id: requestId, departmentId } = to
  if (from.status !== to.status) {
    const data = { creatorId: to.creatorId, previousStatus: from.status, status: to.status }
    const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
    await appendEvents(tx, subject, [{ type: 'sealingrequeststatusupdated', actor: actorOf(caller), data }], now)
  }
  if (from.status !== to.status || from.departmentId !== departmentId) {
    await changeCounts(tx, tenantId, 'sealingrequest', [
      { departmentId: from.departmentId, status: from.status, by: -1 },
      { departmentId, status: to.status, by: 1 },
    ])
  }
}
