import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { notADraft, sealingRequestNotFound } from './errors.ts'
import { findRequest, lockRequest, type RequestRow } from './sealing-statements.ts'

type Named = { caller: Caller; requestId: string }

/** The request that the id names, within the caller's reach. */
export async function getRequest(tx: Tx, { caller, requestId }: Named): Promise<RequestRow> {
  const found = await findRequest.maybeOne(tx, { tenantId: caller.tenantId, requestId })
  return requireReachable(tx, { caller, requestId }, found)
}

/** The same, held until the transaction ends, and only while its documents may change. */
export async function lockDraft(tx: Tx, { caller, requestId }: Named): Promise<RequestRow> {
  const found = await lockRequest.maybeOne(tx, { tenantId: caller.tenantId, requestId })
  const request = await requireReachable(tx, { caller, requestId }, found)
  if (request.status !== 'Draft') throw notADraft(request.status, 'its documents')
  return request
}

async function requireReachable(tx: Tx, { caller, requestId }: Named, found: RequestRow | undefined) {
  if (found === undefined) throw sealingRequestNotFound(requestId)
  await requireReach(tx, caller, found.departmentId)
  return found
}
