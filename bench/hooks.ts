// Webhooks from the commit of an event to the recorded delivery, with the receivers on this machine, beside their limit
// (the HTTP client alone) and their peer (a job for each delivery on the general queue).
import { setTimeout as sleep } from 'node:timers/promises'
import { beginHistory, SYSTEM } from '#features/event/index.ts'
import { systemClock } from '#platform/clock.ts'
import { lowestIdAt, newId } from '#platform/ids.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/log/log.ts'
import {
  addressOf,
  drain,
  EVENT_TYPE,
  ID_OF_NOW,
  openCourse,
  startDelivering,
  subscribe,
  unsubscribe,
  type Course,
} from './hook-course.ts'
import { percent, say, type Line } from './table.ts'

const ENDPOINTS = 100
const HEALTHY = 9
const DEAD_BACKLOG = 100_000
/** As long as what is usually sent. */
const BODY = 'x'.repeat(350)

/** Measures with so many deliveries. */
export async function measureHooks(deliveries = 20_000): Promise<Line[]> {
  const course = await openCourse(ENDPOINTS)
  try {
    const subscriptions = await subscribe(course, course.ports)
    const lines = await measureRates(course, subscriptions, deliveries)
    await unsubscribe(course, subscriptions.slice(1))
    lines.push(await measureLatency(course, subscriptions[0]!, { perSecond: 50, seconds: 10 }))
    await unsubscribe(course, subscriptions)
    lines.push(await measureBesideDead(course))
    return lines
  } finally {
    await course.close()
  }
}

async function measureRates(course: Course, subscriptions: string[], deliveries: number): Promise<Line[]> {
  const deliver = (amount: number) => drain(course, amount / ENDPOINTS, subscriptions)
  await measureClient(course, 5_000)
  const client = await worked(course, deliveries, () => measureClient(course, deliveries))
  await deliver(ENDPOINTS * 50)
  const whole = await worked(course, deliveries, () => deliver(deliveries))
  const jobs = await worked(course, deliveries / 2, () => measureJobs(course, deliveries / 2))
  const what = `commit to recorded delivery, ${ENDPOINTS} warm endpoints`
  return [
    {
      what,
      ours: whole.text,
      beside: `undici alone: ${client.text}`,
      ratio: percent(whole.rate / client.rate),
      goal: '2,500/s',
      isMet: whole.rate >= 2_500,
    },
    {
      what: `${what}, beside the general queue`,
      ours: whole.text,
      beside: `a job for each delivery: ${jobs.text}`,
      ratio: percent(whole.rate / jobs.rate),
    },
  ]
}

/** The rate, and how much each part worked for one: on a machine that others use, that is what tells. */
async function worked({ workMs }: Course, amount: number, run: () => Promise<number>) {
  const before = workMs()
  const rate = amount / (await run())
  const after = workMs()
  const each = (part: keyof typeof before) => Math.round(((after[part] - before[part]) * 1000) / amount)
  const work = `${each('own')} + ${each('database')} database + ${each('receivers')} receivers`
  const text = `${Math.round(rate).toLocaleString('en')}/s, µs of processor ${work}`
  say(`  ${text}`)
  return { rate, text }
}

/** In seconds, as everything below that measures an amount. */
async function measureClient({ sender, ports }: Course, amount: number): Promise<number> {
  const startedAt = performance.now()
  let sent = 0
  const one = async () => {
    for (let next = sent++; next < amount; next = sent++) {
      const headers = { 'content-type': 'application/json' }
      const { status } = await sender.post({ url: addressOf(ports[next % ports.length]!), headers, body: BODY })
      if (status !== 204) throw new Error(`a receiver answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 200 }, one))
  return (performance.now() - startedAt) / 1000
}

/** The same posts as jobs of the general queue. */
async function measureJobs({ bench, db, sender, ports }: Course, amount: number): Promise<number> {
  const queue = 'a job of the benchmark'
  await bench.owner.query(
    `insert into job (tenant_id, id, bucket, queue, payload, run_at, created_at)
     select $1, ${ID_OF_NOW}, $2, $3, jsonb_build_object('n', n), now(), now() from generate_series(1, $4::int) n`,
    [bench.tenantId, bucketOf(bench.tenantId), queue, amount],
  )
  let done = 0
  const run = async () => {
    await sender.post({ url: addressOf(ports[done++ % ports.length]!), headers: {}, body: BODY })
  }
  const startedAt = performance.now()
  const log = makeLog('warn', 'bench')
  const worker = startWorker({ db, clock: systemClock, log, handlers: [{ queue, run }], atOnce: 200 })
  const isLeft = () => done < amount
  while (isLeft()) await sleep(10)
  const seconds = (performance.now() - startedAt) / 1000
  await worker.stop()
  return seconds
}

type Load = { perSecond: number; seconds: number }

async function measureLatency(course: Course, subscriptionId: string, load: Load): Promise<Line> {
  const stop = await startDelivering(course)
  await timeDeliveries(course, subscriptionId, { ...load, seconds: 1 })
  const times = await timeDeliveries(course, subscriptionId, load)
  await stop()
  const p50 = times[times.length >> 1]!
  const p99 = times[Math.floor(times.length * 0.99)]!
  return {
    what: `commit to recorded delivery at ${load.perSecond} events a second`,
    ours: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    goal: 'p50 below 30 ms',
    isMet: p50 < 30,
  }
}

/** From each commit to the moment at which its delivery is seen to be recorded, sorted. */
async function timeDeliveries(course: Course, subscriptionId: string, { perSecond, seconds }: Load): Promise<number[]> {
  const { requests, bench } = course
  const first = lowestIdAt(new Date())
  // Who looks every few milliseconds must not be what is measured.
  await bench.owner.query('set plan_cache_mode = force_generic_plan')
  const { tenantId, departmentId, userId } = bench
  const pending = new Map<string, number>()
  const times: number[] = []
  const begin = async () => {
    const requestId = newId()
    const subject = { tenantId, requestId, requestKind: 'signaturerequest', departmentId } as const
    const event = { type: EVENT_TYPE, actor: SYSTEM, data: { creatorId: userId } }
    await requests.transaction(tenantId, (tx) => beginHistory(tx, subject, [event], new Date()))
    pending.set(requestId, performance.now())
  }
  const watch = async () => {
    const { rows } = await bench.owner.query({
      name: 'watch',
      text: `select request_id as id from hook_delivery
              where tenant_id = $1 and subscription_id = $2 and id >= $3 and state = 'delivered' and request_id = any($4)`,
      values: [tenantId, subscriptionId, first, [...pending.keys()]],
    })
    for (const { id } of rows as { id: string }[]) {
      times.push(performance.now() - pending.get(id)!)
      pending.delete(id)
    }
  }
  for (let count = 0; count < perSecond * seconds; count++) {
    void begin()
    for (const end = performance.now() + 1000 / perSecond; performance.now() < end; await sleep(3)) await watch()
  }
  while (pending.size > 0) await watch()
  return times.sort((a, b) => a - b)
}

/** Nine endpoints that answer, without and with a tenth beside them that never does and has many waiting, in turns. */
async function measureBesideDead(course: Course): Promise<Line> {
  const { bench, ports, deadPort } = course
  const healthy = await subscribe(course, ports.slice(0, HEALTHY))
  const [dead] = await subscribe(course, [deadPort])
  await bench.owner.query(`update hook_subscription set event_type = 'signatorysigned' where id = $1`, [dead])
  await bench.owner.query(
    `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
     select $1, $2, ${ID_OF_NOW}, gen_random_uuid(), 1, '${BODY}', 'waiting', now(), now() from generate_series(1, $3::int)`,
    [bench.tenantId, dead, DEAD_BACKLOG],
  )
  // What autovacuum and the checkpointer would do after so many rows, so that they don't do it to one of the two.
  await bench.owner.query('vacuum (analyze) hook_delivery')
  await bench.owner.query('checkpoint')
  await drain(course, 200, healthy)
  const seconds = { alone: 0, beside: 0 }
  for (const turn of ['alone', 'beside', 'beside', 'alone'] as const) {
    await bench.owner.query('delete from lane where subscription_id = $1', [dead])
    if (turn === 'beside') {
      await bench.owner.query(
        `insert into lane (tenant_id, subscription_id, bucket, due_at, allowed) values ($1, $2, $3, now(), 10)`,
        [bench.tenantId, dead, bucketOf(bench.tenantId)],
      )
    }
    seconds[turn] += await drain(course, 1000, healthy)
    say(`  ${turn}: ${seconds[turn].toFixed(1)} s`)
  }
  const rate = (turn: 'alone' | 'beside') =>
    `${Math.round((2 * HEALTHY * 1000) / seconds[turn]).toLocaleString('en')}/s`
  return {
    what: `${HEALTHY} healthy endpoints beside a dead one with ${DEAD_BACKLOG.toLocaleString('en')} waiting`,
    ours: rate('beside'),
    beside: `without it ${rate('alone')}`,
    ratio: percent(seconds.alone / seconds.beside),
    goal: 'at least 80 %',
    isMet: seconds.alone / seconds.beside >= 0.8,
  }
}
