import { changeCounts } from '#features/counts/index.ts'
import { actorOf, beginHistory } from '#features/event/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { changeRequest } from './change-request.ts'
import { requireOwnTenant, requireReferences, type GivenRequest } from './given-request.ts'
import { fillFromTemplate } from './request-template.ts'
import { insertDraft, type RequestRow } from './sealing-statements.ts'

export type CreateRequest = { caller: Caller; requestId: string; given: GivenRequest; now: Date }

/** Creates a Draft and moves it on where another status is asked for; undefined where the id is taken. */
export async function createRequest(tx: Tx, create: CreateRequest): Promise<RequestRow | undefined> {
  const { caller, requestId, given, now } = create
  requireOwnTenant(caller, given)
  const filled = await fillFromTemplate(tx, { caller, given })
  const { departmentId = caller.departmentId, creatorId = caller.userId } = filled
  // The caller's own department as well: it may be about to be deleted, and what is in it then is canceled.
  await requireReferences(tx, caller, { departmentId, creatorId })
  const draft = await insertDraft.maybeOne(tx, {
    tenantId: caller.tenantId,
    requestId,
    departmentId,
    creatorId,
    creatorName: filled.creatorName ?? null,
    sealingRequestTemplateId: filled.sealingRequestTemplateId ?? null,
    subject: filled.subject ?? null,
    languageCode: filled.languageCode ?? null,
    externalReference: filled.externalReference ?? null,
    now,
  })
  if (draft === undefined) return undefined
  await recordCreation(tx, { caller, draft, now })
  return filled.status === undefined
    ? draft
    : changeRequest(tx, { caller, present: draft, given: { status: filled.status }, now })
}

async function recordCreation(
  tx: Tx,
  { caller, draft, now }: { caller: Caller; draft: RequestRow; now: Date },
): Promise<void> {
  const { tenantId, id: requestId, departmentId, status } = draft
  const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
  const event = { type: 'sealingrequestcreated', actor: actorOf(caller), data: { creatorId: draft.creatorId, status } }
  await beginHistory(tx, subject, [event], now)
  await changeCounts(tx, tenantId, 'sealingrequest', [{ departmentId, status, by: 1 }])
}
