// Delivers: takes events out of the outbox, sends what is due lane by lane, and records how each try ended. Serves the
// buckets that this process has leased and no others; see README.md for what must always hold.
import { randomInt } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import type { Sender } from '#platform/outbound/sender.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { claimDeliveries, settleEmptyLanes, type Delivery, type LaneClaim } from './claim-deliveries.ts'
import { deliveryRequest, type Receiver } from './delivery-request.ts'
import { FailureRates } from './failure-rate.ts'
import { fanOut } from './fan-out.ts'
import { Flights } from './flights.ts'
import { judgeReply } from './judge-reply.ts'
import { listDueLanes } from './lane-statements.ts'
import { listOutbox } from './outbox-statements.ts'
import { makeRecorder } from './recorder.ts'
import { Receivers } from './receivers.ts'
import { makeRounds } from '#platform/jobs/rounds.ts'

const LOOK_EVERY_MS = 1_000
/** As many as the statement answers with: then there may be more. */
const LANES_A_LOOK = 100
/** One tenant's events are turned into deliveries in portions, so that no transaction grows large. */
const EVENTS_A_TRANSACTION = 500
const MILLION = 1_000_000

/** The buckets that this process serves, and in whose name. */
export type Leases = { readonly owner: string; held(): ReadonlyMap<number, number> }

export type DispatcherOptions = {
  db: Database
  clock: Clock
  log: Log
  keyring: Keyring
  sender: Sender
  leases: Leases
}

export type Dispatcher = {
  /** Looks for work at once instead of at the next second. */
  wake(): void
  /** Whether something is under way in a bucket. */
  isBusy(bucket: number): boolean
  /** Begins nothing more, waits for what is under way, and records it. The leases must still be held. */
  stop(): Promise<void>
}

type DueLane = Awaited<ReturnType<typeof listDueLanes.many>>[number]

/** A delivery on its way, and under which lease. */
type Flight = { lane: DueLane; generation: number; receiver: Receiver; delivery: Delivery }

/** Whether a lane that has something new may send it now. */
function isOpen({ isRunning, closedUntil }: Pick<DueLane, 'isRunning' | 'closedUntil'>, now: Date): boolean {
  return isRunning && (closedUntil === null || closedUntil <= now)
}

export function startDispatcher({ db, clock, log, keyring, sender, leases }: DispatcherOptions): Dispatcher {
  const flights = new Flights<Flight>()
  const rates = new FailureRates()
  const receivers = new Receivers(keyring)
  const tasks = new Set<Promise<void>>()
  const wards = new Map<number, { generation: number; controller: AbortController }>()
  /** Lanes that were given something a moment ago: in every other round they need not be looked for. */
  const fresh = new Map<string, DueLane>()
  let isLookNext = false
  let isStopping = false

  const recorder = makeRecorder({
    db,
    clock,
    log,
    owner: leases.owner,
    onRecorded(results) {
      for (const { subscriptionId, requestId, judgement } of results)
        flights.end(subscriptionId, requestId, judgement.result)
      for (const subscriptionId of flights.lanesInLine()) sendNext(subscriptionId)
      sending.wake()
    },
  })

  const warn = (what: string) => (error: unknown) => log.warn({ error: describeError(error) }, what)
  const fanning = makeRounds(fanOutAll, warn('turning events into deliveries failed'))
  const sending = makeRounds(sendDue, warn('looking for deliveries failed'))

  async function fanOutAll(): Promise<void> {
    const buckets = [...leases.held().keys()]
    if (buckets.length === 0) return
    const rows = await db.systemTransaction((tx) => listOutbox.many(tx, { buckets }), {
      isReadOnly: true,
      plansOnce: true,
    })
    if (rows.length === 0) return
    const tenants = Map.groupBy(rows, (row) => row.tenantId)
    await Promise.all([...tenants].map(([tenantId, events]) => fanOutTenant(tenantId, events)))
    fanning.wake()
  }

  async function fanOutTenant(tenantId: string, events: { id: string; bucket: number }[]): Promise<void> {
    for (let start = 0; start < events.length;) {
      const some = events.slice(start, start + EVENTS_A_TRANSACTION)
      const ids = some.map((event) => event.id)
      const work = { tenantId, bucket: some[0]!.bucket, ids, now: clock.now() }
      const { done, lanes: locked } = await db.transaction(tenantId, (tx) => fanOut(tx, work), { plansOnce: true })
      start += done
      const lanes = await locked
      flights.stir(lanes.map((lane) => lane.subscriptionId))
      for (const lane of lanes) {
        if (isOpen(lane, work.now)) fresh.set(lane.subscriptionId, { ...lane, tenantId, bucket: work.bucket })
      }
      sending.wake()
    }
  }

  async function sendDue(): Promise<void> {
    const buckets = [...leases.held().keys()]
    if (isStopping || buckets.length === 0 || flights.isFull) return
    const known = [...fresh.values()]
    fresh.clear()
    const lanes = known.length > 0 && !isLookNext ? known : await lookForLanes(buckets)
    isLookNext = lanes === known
    const tenants = Map.groupBy(lanes, (lane) => lane.tenantId)
    await Promise.all([...tenants].map(([tenantId, due]) => sendTenant(tenantId, due)))
    if (isLookNext || lanes.length === LANES_A_LOOK) sending.wake()
  }

  function lookForLanes(buckets: number[]): Promise<DueLane[]> {
    const busy = flights.quietLanes()
    flights.beginLook()
    const now = clock.now()
    return db.systemTransaction((tx) => listDueLanes.many(tx, { buckets, busy, now }), {
      isReadOnly: true,
      plansOnce: true,
    })
  }

  async function sendTenant(tenantId: string, due: DueLane[]): Promise<void> {
    for (const lane of due) flights.quieten(lane)
    const lanes = due.map((lane) => ({ ...lane, room: flights.roomFor(lane) })).filter((lane) => lane.room > 0)
    if (lanes.length === 0) return
    const running = flights.requestsOf(lanes.map((lane) => lane.subscriptionId))
    const claims = await claimDeliveries(db, receivers, { tenantId, lanes, running, now: clock.now() })
    const empty: string[] = []
    for (const [index, claim] of claims.entries()) {
      if (claim.deliveries.length > 0) sendClaim(lanes[index]!, claim)
      else if (flights.requestsOf([claim.subscriptionId]).length === 0) empty.push(claim.subscriptionId)
    }
    if (empty.length > 0) await settleEmptyLanes(db, tenantId, empty)
    flights.stir(empty)
  }

  function sendClaim(lane: DueLane, { receiver, deliveries }: LaneClaim): void {
    const generation = leases.held().get(lane.bucket)
    if (generation === undefined || isStopping || receiver === undefined) return
    for (const delivery of deliveries) {
      flights.take(lane, delivery.requestId, { lane, generation, receiver, delivery })
    }
    sendNext(lane.subscriptionId)
  }

  /** Sends what may go now of what waits in this lane's line. */
  function sendNext(subscriptionId: string): void {
    for (let flight = flights.next(subscriptionId); flight !== undefined; flight = flights.next(subscriptionId)) {
      if (leases.held().get(flight.lane.bucket) !== flight.generation) {
        flights.drop(subscriptionId, flight.delivery.requestId)
        continue
      }
      const task = send(flight).finally(() => tasks.delete(task))
      tasks.add(task)
    }
  }

  async function send({ lane, generation, receiver, delivery }: Flight): Promise<void> {
    const startedAt = clock.now()
    const signal = ward(lane.bucket, generation)
    const reply = await sender.post({ ...deliveryRequest(receiver, delivery, startedAt), signal })
    // We broke it off. That says nothing about the receiver, also where the lease turns out to be ours after all.
    if (signal.aborted && reply.status === undefined) {
      flights.drop(lane.subscriptionId, delivery.requestId)
      return
    }
    const judgement = judgeReply(delivery, reply, clock.now(), randomInt(MILLION) / MILLION)
    const { tenantId, subscriptionId, bucket } = lane
    const { id, requestId, isTest } = delivery
    const isMostlyFailing = !isTest && rates.note(subscriptionId, judgement.result)
    flights.land(subscriptionId, judgement.result)
    const number = delivery.tries + 1
    recorder.add({
      tenantId,
      subscriptionId,
      id,
      requestId,
      number,
      startedAt,
      reply,
      judgement,
      isMostlyFailing,
      bucket,
      generation,
    })
    if (!isStopping) sendNext(subscriptionId)
  }

  /** Breaks off what is sent under a lease once that is lost: another worker sends it, and never two of one request. */
  function ward(bucket: number, generation: number): AbortSignal {
    let found = wards.get(bucket)
    if (found?.generation !== generation) {
      found = { generation, controller: new AbortController() }
      wards.set(bucket, found)
    }
    return found.controller.signal
  }

  function breakOffLost(): void {
    const held = leases.held()
    for (const [bucket, { generation, controller }] of wards) {
      if (held.get(bucket) === generation) continue
      flights.clearLines({ all: true })
      controller.abort()
      wards.delete(bucket)
    }
  }

  function wake(): void {
    breakOffLost()
    flights.clearLines({ all: false })
    flights.stir()
    fanning.wake()
    sending.wake()
  }

  const timer = setInterval(wake, LOOK_EVERY_MS)
  wake()

  return {
    wake,
    isBusy: (bucket) => flights.isBusy(bucket),
    async stop() {
      isStopping = true
      flights.clearLines({ all: true })
      await Promise.all([fanning.stop(), sending.stop()])
      await Promise.all(tasks)
      // Not before: a lease may still be lost, and what is sent under it has to be broken off.
      clearInterval(timer)
      await recorder.stop()
    },
  }
}
