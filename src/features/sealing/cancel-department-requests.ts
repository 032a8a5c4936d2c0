import { changeCounts } from '#features/counts/index.ts'
import { appendEvents, type Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { cancelRequests, findAnyRequest, lockCancelableRequests } from './sealing-statements.ts'

/** How many requests are held in memory at a time; a department may have any number. */
const BATCH = 500

type Departments = { tenantId: string; departmentIds: string[] }

/** Whether any sealing request, in whatever status, belongs to one of the departments. */
export async function hasRequestsInDepartments(tx: Tx, { tenantId, departmentIds }: Departments): Promise<boolean> {
  return (await findAnyRequest.one(tx, { tenantId, departmentIds })).isThere
}

/** Cancels every Draft and Open request of the departments; what is being sealed is finished first. */
export async function cancelRequestsOfDepartments(
  tx: Tx,
  { tenantId, departmentIds, actor, now }: Departments & { actor: Actor; now: Date },
): Promise<void> {
  const tally = new Tally()
  for (;;) {
    const batch = await lockCancelableRequests.many(tx, { tenantId, departmentIds, limit: BATCH })
    if (batch.length === 0) break
    await cancelRequests.run(tx, { tenantId, requestIds: batch.map((request) => request.id), now })
    for (const request of batch) {
      await recordCancellation(tx, { tenantId, request, actor, now })
      tally.move(request.departmentId, request.status, 'Canceled')
    }
  }
  // Last, because everybody who works in these departments shares the counters.
  if (tally.changes.length > 0) await changeCounts(tx, tenantId, 'sealingrequest', tally.changes)
}

type Canceled = {
  tenantId: string
  request: { id: string; departmentId: string; status: string }
  actor: Actor
  now: Date
}

async function recordCancellation(tx: Tx, { tenantId, request, actor, now }: Canceled): Promise<void> {
  const { id: requestId, departmentId, status } = request
  const subject = { tenantId, requestId, requestKind: 'sealingrequest', departmentId } as const
  const data = { previousStatus: status, status: 'Canceled' }
  await appendEvents(tx, subject, [{ type: 'sealingrequeststatusupdated', actor, data }], now)
}

/** How the counts change in all, each department and status once. */
class Tally {
  readonly #sums = new Map<string, { departmentId: string; status: string; by: number }>()

  move(departmentId: string, from: string, to: string): void {
    this.#add(departmentId, from, -1)
    this.#add(departmentId, to, 1)
  }

  get changes() {
    return [...this.#sums.values()]
  }

  #add(departmentId: string, status: string, by: number): void {
    const key = `${departmentId} ${status}`
    this.#sums.set(key, { departmentId, status, by: (this.#sums.get(key)?.by ?? 0) + by })
  }
}
