import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { changeRequest } from './change-request.ts'
import { createRequest } from './create-request.ts'
import { requireMatch } from './entity-tag.ts'
import type { GivenRequest } from './given-request.ts'
import { lockRequest, type RequestRow } from './sealing-statements.ts'

export type PutRequest = {
  caller: Caller
  requestId: string
  given: GivenRequest
  ifMatch: string | undefined
  now: Date
}

/** Creates the request where the id is free, and otherwise changes what the body names. */
export async function putRequest(tx: Tx, put: PutRequest): Promise<RequestRow> {
  const name = { tenantId: put.caller.tenantId, requestId: put.requestId }
  const present = await lockRequest.maybeOne(tx, name)
  if (present) return changeReachable(tx, put, present)
  requireMatch(put.ifMatch, undefined)
  // Of two calls that create the same id, the later one finds it taken and changes it instead.
  return (await createRequest(tx, put)) ?? changeReachable(tx, put, await lockRequest.one(tx, name))
}

async function changeReachable(tx: Tx, put: PutRequest, present: RequestRow): Promise<RequestRow> {
  await requireReach(tx, put.caller, present.departmentId)
  requireMatch(put.ifMatch, present)
  return changeRequest(tx, { ...put, present })
}
