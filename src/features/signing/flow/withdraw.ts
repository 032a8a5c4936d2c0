import type { Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { endLinksOfRequests } from '../end-links.ts'
import { statusAfter, type Move } from '../signature-request.ts'
import type { Flow } from './flow.ts'
import { listPeople } from './flow-statements.ts'
import { moveRequest } from './move-request.ts'
import { tellPeople } from './tell-people.ts'

export type Withdrawal = {
  tenantId: string
  flow: Flow
  move: Extract<Move, 'cancel' | 'decline' | 'expire'>
  actor: Actor
  reason: string | undefined
  cause: { type: string; data?: Record<string, unknown> }
  now: Date
}

const KNOWS_OF_IT = new Set(['Invited', 'Viewed', 'Signed'])

/** Ends a request before it was finished: its links are dead, and whoever had been invited is told. */
export async function withdraw(tx: Tx, { tenantId, flow, move, actor, reason, cause, now }: Withdrawal): Promise<void> {
  statusAfter(flow.status, move)
  await endLinksOfRequests(tx, { tenantId, requestIds: [flow.requestId], now })
  await tellWithdrawn(tx, { tenantId, flow, now })
  await moveRequest(tx, { tenantId, flow, move, actor, ...(reason !== undefined && { reason }), cause, now })
}

/** Tells everybody who had been asked that it is over. */
export async function tellWithdrawn(
  tx: Tx,
  { tenantId, flow, now }: { tenantId: string; flow: Flow; now: Date },
): Promise<void> {
  const people = await listPeople.many(tx, { tenantId, requestId: flow.requestId })
  const told = people.filter(({ state }) => KNOWS_OF_IT.has(state))
  await tellPeople(tx, { tenantId, flow, people: told, kind: 'canceled', now })
}
