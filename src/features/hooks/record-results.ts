// Writes how tries ended: the deliveries, their log, and the lanes, all in one transaction.
import type { Database, Tx } from '#platform/db/database.ts'
import type { Reply } from '#platform/outbound/sender.ts'
import { recordTries, releaseNext } from './delivery-statements.ts'
import { disableSubscription } from './disable-subscription.ts'
import type { Judgement } from './judge-reply.ts'
import { afterTries, type Lane } from './lane.ts'
import { changeLanes, holdsBucket, lockLanes, settleLanes } from './lane-statements.ts'

export type Result = {
  tenantId: string
  subscriptionId: string
  id: string
  requestId: string
  /** Of this try. */
  number: number
  startedAt: Date
  reply: Reply
  judgement: Judgement
  isMostlyFailing: boolean
}

export type Fence = { bucket: number; owner: string; generation: number }

export type RecordResults = { tenantId: string; fence: Fence; results: readonly Result[]; now: Date }

/** False where the bucket is another worker's by now: it will send these deliveries again, and record them. */
export function recordResults(db: Database, { tenantId, fence, results, now }: RecordResults): Promise<boolean> {
  const subscriptionIds = [...new Set(results.map((result) => result.subscriptionId))]
  const record = async (tx: Tx) => {
    const [{ isHeld }, lanes] = await Promise.all([
      holdsBucket.one(tx, fence),
      lockLanes.many(tx, { tenantId, subscriptionIds }),
    ])
    if (!isHeld) return false
    const bySubscription = Map.groupBy(results, (result) => result.subscriptionId)
    const changes = lanes.map(({ subscriptionId, ...lane }) => {
      const tries = bySubscription
        .get(subscriptionId)!
        .map(({ judgement, isMostlyFailing }) => ({ ...judgement.result, isMostlyFailing }))
      return { subscriptionId, ...afterTries(lane, tries) }
    })
    tx.withoutWaiting(recordTries.run(tx, { tenantId, ...tryColumns(results) }))
    // Of those that failed too: a replay may have put an earlier one before them, which then goes first.
    tx.withoutWaiting(releaseNext.run(tx, { tenantId, ...requestsOf(results), now }))
    tx.withoutWaiting(changeLanes.run(tx, { tenantId, ...laneColumns(changes) }))
    tx.withoutWaiting(settleLanes.run(tx, { tenantId, subscriptionIds }))
    for (const { subscriptionId, giveUp: cause } of changes) {
      if (cause !== undefined) await disableSubscription(tx, { tenantId, subscriptionId, cause, now })
    }
    return true
  }
  // What was forgotten is sent again, as after any try whose answer got lost.
  return db.transaction(tenantId, record, { plansOnce: true, mayBeForgotten: true })
}

type Change = { subscriptionId: string; lane: Lane; giveUp: 'gone' | 'failing' | undefined }

function requestsOf(results: readonly Result[]) {
  return {
    subscriptionIds: results.map((result) => result.subscriptionId),
    requestIds: results.map((result) => result.requestId),
  }
}

function tryColumns(results: readonly Result[]) {
  return {
    subscriptionIds: results.map((result) => result.subscriptionId),
    ids: results.map((result) => result.id),
    requestIds: results.map((result) => result.requestId),
    numbers: results.map((result) => result.number),
    states: results.map((result) => result.judgement.state),
    dueAts: results.map((result) => result.judgement.dueAt ?? null),
    ats: results.map((result) => result.startedAt),
    durations: results.map((result) => result.reply.durationMs),
    statuses: results.map((result) => result.reply.status ?? 0),
    errors: results.map((result) => result.judgement.error ?? ''),
    answers: results.map((result) => result.reply.answer ?? ''),
  }
}

function laneColumns(changes: readonly Change[]) {
  return {
    subscriptionIds: changes.map((change) => change.subscriptionId),
    allowed: changes.map(({ lane }) => lane.allowed),
    failures: changes.map(({ lane }) => lane.failures),
    trips: changes.map(({ lane }) => lane.trips),
    closedUntils: changes.map(({ lane }) => lane.closedUntil),
    failingSinces: changes.map(({ lane }) => lane.failingSince),
  }
}
