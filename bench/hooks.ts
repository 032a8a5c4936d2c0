// Webhooks from the commit of an event to the recorded delivery, with the receivers on this machine, beside their limit
// (the HTTP client alone) and their peer (a job for each delivery on the general queue).
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { beginHistory, SYSTEM } from '#features/event/index.ts'
import { secretContext } from '#features/hooks/create-subscription.ts'
import { startDispatcher } from '#features/hooks/dispatcher.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase, WAKE_CHANNEL, type Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/log/log.ts'
import { makeSender, type Sender } from '#platform/outbound/sender.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { makeReceiverAuthority } from '../test/fakes/webhook-receiver.ts'
import { parentOf, workOf } from './work.ts'
import { openBench, type Bench } from './workbench.ts'

const ENDPOINTS = 100
const DELIVERIES = Number(process.env.BENCH_DELIVERIES ?? 20_000)
const HEALTHY = 9
const DEAD_BACKLOG = 100_000
const TYPE = 'signaturerequestcreated'
const DISPATCHED = 'a job of the benchmark'
const log = makeLog('warn', 'bench')
const keyring = makeKeyring('the secret key of the benchmark is long enough')

type Course = {
  bench: Bench
  sender: Sender
  db: Database
  requests: Database
  ports: number[]
  deadPort: number
  /** This process, the database and the receivers. */
  pids: number[]
}

export async function measureHooks(): Promise<void> {
  const bench = await openBench()
  const authority = await makeReceiverAuthority()
  const receivers = fork(fileURLToPath(new URL('./servers/webhook-receivers.ts', import.meta.url)))
  receivers.send({ ...(await authority.issue(['localhost'])), receivers: ENDPOINTS })
  const [{ ports, deadPort }] = (await once(receivers, 'message')) as [{ ports: number[]; deadPort: number }]
  const open = (role: 'countersign_worker' | 'countersign_request') =>
    openDatabase({ connection: bench.connection, role, poolSize: 10, onConnectionError: console.error })
  const sender = makeSender({ allow: [], allowLoopback: true, caFile: authority.caFile })
  const course: Course = {
    bench,
    sender,
    db: open('countersign_worker'),
    requests: open('countersign_request'),
    ports,
    deadPort,
    pids: [process.pid, await postmasterOf(bench), receivers.pid!],
  }
  try {
    await measureAll(course)
  } finally {
    await sender.close()
    receivers.kill()
    authority.remove()
    await Promise.all([course.db.close(), course.requests.close()])
    await bench.close()
  }
}

async function postmasterOf({ owner }: Bench): Promise<number> {
  const { rows } = await owner.query('select pg_backend_pid() as pid')
  return parentOf(rows[0].pid as number)
}

async function measureAll(course: Course): Promise<void> {
  console.log('\nwebhooks, receivers on the same machine, TLS')
  await measureSender(course, 5_000)
  const alone = await withWork(course, () => measureSender(course, DELIVERIES))
  row(`HTTP client alone, ${ENDPOINTS} warm endpoints`, `${alone.rate} a second, ${alone.work}`)
  const subscriptions = await subscribe(course, course.ports.map(address))
  await drain(course, ENDPOINTS * 50)
  const whole = await withWork(course, () => drain(course, DELIVERIES))
  row(`commit to recorded, ${ENDPOINTS} warm endpoints`, `${whole.rate} a second (goal 2,500), ${whole.work}`)
  row('  of the client alone', `${Math.round((100 * whole.rate) / alone.rate)} %`)
  row('a job for each delivery', `${await measureJobs(course, Math.min(DELIVERIES, 10_000))} a second`)
  await remove(course, subscriptions.slice(1))
  const { p50, p99 } = await measureLatency(course, { perSecond: 50, seconds: 10 })
  row('50 events a second, commit to recorded', `p50 ${p50} ms (goal 30), p99 ${p99} ms`)
  await measureDead(course, subscriptions)
}

/** The rate, and how much each part worked for a delivery: on a machine that others use, that is what tells. */
async function withWork({ pids }: Course, run: () => Promise<number>): Promise<{ rate: number; work: string }> {
  const before = pids.map(workOf)
  const rate = await run()
  const [own, database, receivers] = pids.map((pid, index) => {
    const workedMs = workOf(pid) - before[index]!
    return Math.round((workedMs * 1000) / DELIVERIES)
  })
  return { rate, work: `µs of work each: ours ${own}, database ${database}, receivers ${receivers}` }
}

function row(what: string, value: string): void {
  console.log(`${what.padEnd(48)} ${value}`)
}

const address = (port: number) => `https://localhost:${port}/hook`

/** Subscriptions written past the API: a benchmark has no use for a thousand calls. */
async function subscribe({ bench }: Course, uris: string[]): Promise<string[]> {
  const { owner, tenantId, departmentId, userId } = bench
  const ids = uris.map(() => newId())
  for (const [index, id] of ids.entries()) {
    const secret = keyring.seal(Buffer.from(`whsec_${'a'.repeat(43)}=`), secretContext(tenantId, id))
    await owner.query(
      `insert into hook_subscription (tenant_id, id, event_type, uri, header_names, secret, department_id, subdepartments,
              creator_id, state, created_at)
       values ($1, $2, $3, $4, '{}', $5, $6, true, $7, 'active', now() - interval '1 hour')`,
      [tenantId, id, TYPE, uris[index], secret, departmentId, userId],
    )
  }
  return ids
}

async function remove({ bench }: Course, ids: string[]): Promise<void> {
  await bench.owner.query('update hook_subscription set deleted_at = now() where id = any($1)', [ids])
  await bench.owner.query('delete from lane where subscription_id = any($1)', [ids])
}

async function measureSender({ sender, ports }: Course, amount: number): Promise<number> {
  const startedAt = performance.now()
  let sent = 0
  const one = async () => {
    for (let next = sent++; next < amount; next = sent++) {
      const { status } = await sender.post({
        url: address(ports[next % ports.length]!),
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(350),
      })
      if (status !== 204) throw new Error(`a receiver answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 200 }, one))
  return perSecond(amount, startedAt)
}

/** Commits events in bulk, starts delivering, and waits until every delivery is recorded. Each event goes to all. */
async function drain(course: Course, deliveries: number, atLeast?: () => Promise<boolean>): Promise<number> {
  const { bench } = course
  const listeners = await countListeners(course)
  await fill(bench, Math.ceil(deliveries / listeners))
  const startedAt = performance.now()
  const stop = await deliver(course)
  const isDone =
    atLeast ??
    (async () => {
      const { rows } = await bench.owner.query(
        `select exists (select from outbox) or exists (select from hook_delivery where state = 'waiting') as left`,
      )
      return !rows[0].left
    })
  while (!(await isDone())) await sleep(20)
  const rate = perSecond(deliveries, startedAt)
  await stop()
  return rate
}

async function countListeners({ bench }: Course): Promise<number> {
  const { rows } = await bench.owner.query(
    'select count(*)::int as n from hook_subscription where deleted_at is null and event_type = $1',
    [TYPE],
  )
  return rows[0].n as number
}

async function fill({ owner, tenantId, departmentId, userId }: Bench, amount: number): Promise<void> {
  await owner.query('begin')
  await owner.query(
    `create temporary table made on commit drop as
       select overlay(gen_random_uuid()::text placing substr(first_id_at(now())::text, 1, 13) from 1)::uuid as id,
              gen_random_uuid() as request_id from generate_series(1, $1::int)`,
    [amount],
  )
  await owner.query(
    `insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, department_id, department_path,
            body_hash, previous_hash, hash)
     select $1, id, request_id, 'signaturerequest', 1, $2, now(), $3, array[$3::uuid], '', '', '' from made`,
    [tenantId, TYPE, departmentId],
  )
  await owner.query(
    `insert into event_body (tenant_id, event_id, salt, body)
     select $1, id, decode('00112233445566778899aabbccddeeff', 'hex'), convert_to($2, 'utf8') from made`,
    [tenantId, JSON.stringify({ actor: SYSTEM, data: { creatorId: userId } })],
  )
  await owner.query(
    `insert into outbox (tenant_id, id, bucket, created_at, request_id, sequence)
     select $1, id, $2, now(), request_id, 1 from made`,
    [tenantId, bucketOf(tenantId)],
  )
  await owner.query('commit')
}

/** Starts the worker and its deliveries, as the worker process does. */
async function deliver({ bench, db, sender }: Course): Promise<() => Promise<void>> {
  await bench.owner.query(`update bucket_lease set owner = null, expires_at = '-infinity'`)
  const worker = startWorker({ db, clock: systemClock, log, handlers: [], atOnce: 1 })
  await untilHeld(worker, bench.tenantId)
  const dispatcher = startDispatcher({ db, clock: systemClock, log, keyring, sender, leases: worker })
  const listener = new pg.Client(bench.connection)
  await listener.connect()
  listener.on('notification', () => dispatcher.wake())
  await listener.query(`listen ${WAKE_CHANNEL}`)
  return async () => {
    await dispatcher.stop()
    await listener.end()
    await worker.stop()
  }
}

async function untilHeld(worker: Worker, tenantId: string): Promise<void> {
  while (!worker.holds(bucketOf(tenantId))) await sleep(5)
}

/** The same posts as jobs of the general queue. */
async function measureJobs({ bench, db, sender, ports }: Course, amount: number): Promise<number> {
  const { owner, tenantId } = bench
  let done = 0
  await owner.query(
    `insert into job (tenant_id, id, bucket, queue, payload, run_at, created_at)
     select $1, gen_random_uuid(), $2, $3, jsonb_build_object('n', n), now(), now() from generate_series(1, $4::int) n`,
    [tenantId, bucketOf(tenantId), DISPATCHED, amount],
  )
  const run = async () => {
    await sender.post({ url: address(ports[done++ % ports.length]!), headers: {}, body: 'x'.repeat(350) })
  }
  const startedAt = performance.now()
  const worker = startWorker({ db, clock: systemClock, log, handlers: [{ queue: DISPATCHED, run }], atOnce: 200 })
  const isDone = () => done >= amount
  while (!isDone()) await sleep(10)
  const rate = perSecond(amount, startedAt)
  await worker.stop()
  return rate
}

async function measureLatency(
  course: Course,
  { perSecond: rate, seconds }: { perSecond: number; seconds: number },
): Promise<{ p50: number; p99: number }> {
  const { requests, bench } = course
  const { tenantId, departmentId, userId } = bench
  const stop = await deliver(course)
  const pending = new Map<string, number>()
  const times: number[] = []
  const begin = async () => {
    const requestId = newId()
    const subject = { tenantId, requestId, requestKind: 'signaturerequest', departmentId } as const
    const event = { type: TYPE, actor: SYSTEM, data: { creatorId: userId } }
    await requests.transaction(tenantId, (tx) => beginHistory(tx, subject, [event], new Date()))
    pending.set(requestId, performance.now())
  }
  const watch = async () => {
    const { rows } = await bench.owner.query(
      `select request_id as id from hook_delivery where tenant_id = $1 and request_id = any($2) and state = 'delivered'`,
      [tenantId, [...pending.keys()]],
    )
    for (const { id } of rows) {
      times.push(performance.now() - pending.get(id as string)!)
      pending.delete(id as string)
    }
  }
  for (let count = 0; count < rate * seconds; count++) {
    void begin()
    for (const end = performance.now() + 1000 / rate; performance.now() < end; await sleep(3)) await watch()
  }
  while (pending.size > 0) await watch()
  await stop()
  times.sort((a, b) => a - b)
  return { p50: Math.round(times[times.length >> 1]!), p99: Math.round(times[Math.floor(times.length * 0.99)]!) }
}

/** Nine endpoints that answer, without and with a tenth beside them that never does and has many waiting. */
async function measureDead(course: Course, known: string[]): Promise<void> {
  const { bench, ports, deadPort } = course
  await remove(course, known)
  const healthy = await subscribe(course, ports.slice(0, HEALTHY).map(address))
  await drain(course, HEALTHY * 200)
  const without = await drain(course, HEALTHY * 1000)
  const [dead] = await subscribe(course, [address(deadPort)])
  await bench.owner.query(
    `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
     select $1, $2, gen_random_uuid(), gen_random_uuid(), 1, repeat('x', 350), 'waiting', now(), now()
       from generate_series(1, $3::int)`,
    [bench.tenantId, dead, DEAD_BACKLOG],
  )
  await bench.owner.query(
    `insert into lane (tenant_id, subscription_id, bucket, due_at, allowed) values ($1, $2, $3, now(), 10)`,
    [bench.tenantId, dead, bucketOf(bench.tenantId)],
  )
  await bench.owner.query('analyze hook_delivery')
  await bench.owner.query(`update hook_subscription set event_type = 'signatorysigned' where id = $1`, [dead])
  const isDone = async () => {
    const { rows } = await bench.owner.query(
      `select exists (select from outbox) or exists (select from hook_delivery where state = 'waiting' and tenant_id = $1
              and subscription_id = any($2)) as left`,
      [bench.tenantId, healthy],
    )
    return !rows[0].left
  }
  const beside = await drain(course, HEALTHY * 1000, isDone)
  row(`${HEALTHY} endpoints alone`, `${without} a second`)
  row(
    `${HEALTHY} beside one that is dead, ${DEAD_BACKLOG} waiting`,
    `${beside} a second (${Math.round((100 * beside) / without)} %, goal 80)`,
  )
}

function perSecond(amount: number, startedAt: number): number {
  return Math.round(amount / ((performance.now() - startedAt) / 1000))
}
