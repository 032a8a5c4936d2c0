// The ground on which webhooks are measured: a database, receivers on this machine, and a worker that delivers to them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { SYSTEM } from '#features/event/index.ts'
import { secretContext } from '#features/hooks/create-subscription.ts'
import { startDispatcher } from '#features/hooks/dispatcher.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase, WAKE_CHANNEL, type Database } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/log/log.ts'
import { makeSender, type Sender } from '#platform/outbound/sender.ts'
import { makeKeyring } from '#platform/secrets/keyring.ts'
import { makeReceiverAuthority } from '../test/fakes/webhook-receiver.ts'
import { findDatabaseServer, processorMsOf, processorMsOfDatabase } from './processor-time.ts'
import { openBench, type Bench } from './workbench.ts'

export const EVENT_TYPE = 'signaturerequestcreated'
/** An id of this moment: deliveries lie in partitions by the time in their ids. */
export const ID_OF_NOW = `overlay(gen_random_uuid()::text placing substr(first_id_at(now())::text, 1, 13) from 1)::uuid`

const log = makeLog('warn', 'bench')
const keyring = makeKeyring('the secret key of the benchmark is long enough')

export type Course = {
  bench: Bench
  sender: Sender
  db: Database
  requests: Database
  ports: number[]
  deadPort: number
  /** What this process, the database and the receivers have worked so far. */
  workMs(): { own: number; database: number; receivers: number }
  close(): Promise<void>
}

export async function openCourse(endpoints: number): Promise<Course> {
  const bench = await openBench()
  const authority = await makeReceiverAuthority()
  const receivers = fork(fileURLToPath(new URL('./servers/webhook-receivers.ts', import.meta.url)))
  receivers.send({ ...(await authority.issue(['localhost'])), receivers: endpoints })
  const [{ ports, deadPort }] = (await once(receivers, 'message')) as [{ ports: number[]; deadPort: number }]
  const open = (role: 'countersign_worker' | 'countersign_request') =>
    openDatabase({ connection: bench.connection, role, poolSize: 10, onConnectionError: console.error })
  const [db, requests] = [open('countersign_worker'), open('countersign_request')]
  const sender = makeSender({ allow: [], allowLoopback: true, caFile: authority.caFile })
  const server = await findDatabaseServer(bench.owner)
  return {
    bench,
    sender,
    db,
    requests,
    ports,
    deadPort,
    workMs: () => ({
      own: processorMsOf(process.pid),
      database: processorMsOfDatabase(server),
      receivers: processorMsOf(receivers.pid!),
    }),
    async close() {
      await sender.close()
      receivers.kill()
      authority.remove()
      await Promise.all([db.close(), requests.close()])
      await bench.close()
    },
  }
}

export const addressOf = (port: number) => `https://localhost:${port}/hook`

/** Subscriptions written past the API: a benchmark has no use for a thousand calls. */
export async function subscribe({ bench }: Course, ports: readonly number[]): Promise<string[]> {
  const { owner, tenantId, departmentId, userId } = bench
  const ids = ports.map(() => newId())
  for (const [index, id] of ids.entries()) {
    const secret = keyring.seal(Buffer.from(`whsec_${'a'.repeat(43)}=`), secretContext(tenantId, id))
    await owner.query(
      `insert into hook_subscription (tenant_id, id, event_type, uri, header_names, secret, department_id, subdepartments,
              creator_id, state, created_at)
       values ($1, $2, $3, $4, '{}', $5, $6, true, $7, 'active', now() - interval '1 hour')`,
      [tenantId, id, EVENT_TYPE, addressOf(ports[index]!), secret, departmentId, userId],
    )
  }
  return ids
}

export async function unsubscribe({ bench }: Course, ids: readonly string[]): Promise<void> {
  await bench.owner.query('update hook_subscription set deleted_at = now() where id = any($1)', [ids])
  await bench.owner.query('delete from lane where subscription_id = any($1)', [ids])
}

/** Commits events in bulk. */
export async function commitEvents({ bench }: Course, amount: number): Promise<void> {
  const { owner, tenantId, departmentId, userId } = bench
  await owner.query('begin')
  await owner.query(
    `create temporary table made on commit drop as
       select ${ID_OF_NOW} as id, gen_random_uuid() as request_id from generate_series(1, $1::int)`,
    [amount],
  )
  await owner.query(
    `insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, department_id, department_path,
            body_hash, previous_hash, hash)
     select $1, id, request_id, 'signaturerequest', 1, $2, now(), $3, array[$3::uuid], '', '', '' from made`,
    [tenantId, EVENT_TYPE, departmentId],
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

/** Starts the worker and its deliveries, as the worker process does; the answer ends them. */
export async function startDelivering({ bench, db, sender }: Course): Promise<() => Promise<void>> {
  await bench.owner.query(`update bucket_lease set owner = null, expires_at = '-infinity'`)
  const worker = startWorker({ db, clock: systemClock, log, handlers: [], atOnce: 1 })
  while (!worker.holds(bucketOf(bench.tenantId))) await sleep(5)
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

/** Delivers events that are committed already, and answers with how long it took until all these had theirs recorded. */
export async function drain(course: Course, events: number, subscriptionIds: readonly string[]): Promise<number> {
  await commitEvents(course, events)
  const startedAt = performance.now()
  const stop = await startDelivering(course)
  while (await isLeft(course, subscriptionIds)) await sleep(20)
  const seconds = (performance.now() - startedAt) / 1000
  await stop()
  return seconds
}

async function isLeft({ bench }: Course, subscriptionIds: readonly string[]): Promise<boolean> {
  const { rows } = await bench.owner.query(
    `select exists (select from outbox)
         or exists (select from hook_delivery where tenant_id = $1 and subscription_id = any($2) and state = 'waiting') as left`,
    [bench.tenantId, subscriptionIds],
  )
  return (rows[0] as { left: boolean }).left
}
