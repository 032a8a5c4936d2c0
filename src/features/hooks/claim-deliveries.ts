// Finds what is to be sent now. Only the holder of a bucket sends, so nothing is marked as taken: what is under way is
// known to the process that does it, and if that is killed the next holder finds everything as it was.
import type { Database } from '#platform/db/database.ts'
import type { Receiver } from './delivery-request.ts'
import { listDueDeliveries } from './delivery-statements.ts'
import { listReceivers } from './hook-statements.ts'
import { deleteLane, lockLanes, settleLanes } from './lane-statements.ts'
import type { Receivers } from './receivers.ts'

const EPOCH = new Date(0)

export type Delivery = Awaited<ReturnType<typeof listDueDeliveries.many>>[number]

export type LaneRoom = { subscriptionId: string; isRunning: boolean; room: number }

export type ClaimDeliveries = {
  tenantId: string
  lanes: readonly LaneRoom[]
  /** Requests of which something is under way already. */
  running: string[]
  now: Date
}

export type LaneClaim = { subscriptionId: string; receiver: Receiver | undefined; deliveries: Delivery[] }

/** The deliveries of each lane that may go now, as many as it has room for. */
export async function claimDeliveries(
  db: Database,
  receivers: Receivers,
  claim: ClaimDeliveries,
): Promise<LaneClaim[]> {
  const { tenantId, lanes, running, now } = claim
  const subscriptionIds = lanes.map((lane) => lane.subscriptionId)
  // A lane that does not run sends tests and nothing else; those are due since the beginning of time.
  const untils = lanes.map((lane) => (lane.isRunning ? now : EPOCH))
  const rooms = lanes.map((lane) => lane.room)
  const [rows, deliveries] = await db.transaction(
    tenantId,
    (tx) =>
      Promise.all([
        listReceivers.many(tx, { tenantId, subscriptionIds }),
        listDueDeliveries.many(tx, { tenantId, subscriptionIds, untils, rooms, running }),
      ]),
    { isReadOnly: true, plansOnce: true },
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const deliveriesOf = Map.groupBy(deliveries, (delivery) => delivery.subscriptionId)
  return subscriptionIds.map((subscriptionId) => {
    const row = rowOf.get(subscriptionId)
    const due = row === undefined ? [] : (deliveriesOf.get(subscriptionId) ?? [])
    const receiver = row !== undefined && due.length > 0 ? receivers.open(tenantId, row, now) : undefined
    return { subscriptionId, receiver, deliveries: due }
  })
}

/** Sets the alarm clocks of lanes in which nothing was found, and forgets lanes whose subscription is gone. */
export async function settleEmptyLanes(db: Database, tenantId: string, subscriptionIds: string[]): Promise<void> {
  await db.transaction(tenantId, async (tx) => {
    await lockLanes.many(tx, { tenantId, subscriptionIds })
    await settleLanes.run(tx, { tenantId, subscriptionIds })
    const alive = new Set((await listReceivers.many(tx, { tenantId, subscriptionIds })).map((row) => row.id))
    for (const subscriptionId of subscriptionIds.filter((id) => !alive.has(id))) {
      await deleteLane.run(tx, { tenantId, subscriptionId })
    }
  })
}
