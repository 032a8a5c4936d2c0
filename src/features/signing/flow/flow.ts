// A request on its way: what the steps from opening to closing share.
import type { Subject } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { requestNotFound } from '../errors.ts'
import { findFlow, listPeople, lockFlow } from './flow-statements.ts'
import { listCurrentDocuments } from './document-statements.ts'

export type Flow = Awaited<ReturnType<typeof findFlow.one>>
export type FlowPerson = Awaited<ReturnType<typeof listPeople.many>>[number]
export type FlowDocument = Awaited<ReturnType<typeof listCurrentDocuments.many>>[number]

export type FlowKey = { tenantId: string; requestId: string }

/** The request, held until the transaction ends. */
export async function getLockedFlow(tx: Tx, key: FlowKey): Promise<Flow> {
  const flow = await lockFlow.maybeOne(tx, key)
  if (flow === undefined) throw requestNotFound(key.requestId)
  return flow
}

export function subjectOf(tenantId: string, { requestId, departmentId }: Flow): Subject {
  return { tenantId, requestId, requestKind: 'signaturerequest', departmentId }
}

/** Whether signatories may still act. */
export function isRunning(flow: Flow, now: Date): boolean {
  return flow.status === 'Open' && (flow.expirationAt === null || flow.expirationAt > now)
}
