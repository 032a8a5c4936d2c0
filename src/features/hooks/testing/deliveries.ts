// A service, receivers with TLS, and a worker that delivers to them: what the tests of deliveries share.
import assert from 'node:assert/strict'
import { appendEvents, beginHistory, SYSTEM, type NewEvent } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import { makeLeases, type Leases } from '#platform/jobs/leases.ts'
import { makeSender, type Sender, type SenderOptions } from '#platform/outbound/sender.ts'
import {
  makeReceiverAuthority,
  startReceiver,
  type Receiver,
  type ReceiverAuthority,
} from '../../../../test/fakes/webhook-receiver.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { startDispatcher, type Dispatcher } from '../dispatcher.ts'

export type TestWorker = { dispatcher: Dispatcher; leases: Leases; sender: Sender; stop(): Promise<void> }

export type DeliveryTests = {
  service: TestService
  authority: ReceiverAuthority
  startReceiver(): Promise<Receiver>
  subscribe(call: Caller, uri: string, changes?: object): Promise<{ id: string; secret: string }>
  /** Appends events to a new request, in one transaction. */
  begin(tenant: TestTenant, events: (string | NewEvent)[], departmentId?: string): Promise<string>
  append(tenant: TestTenant, requestId: string, events: (string | NewEvent)[]): Promise<void>
  /** A worker that holds whatever buckets are free. */
  work(options?: Partial<SenderOptions>): Promise<TestWorker>
  /** Waits, keeping the workers awake, until it is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Ends workers and receivers, and frees the buckets. */
  reset(): Promise<void>
  stop(): Promise<void>
}

const TYPE = 'signaturerequestcreated'

export async function startDeliveryTests(): Promise<DeliveryTests> {
  const authority = await makeReceiverAuthority()
  const service = await startService({
    COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
    COUNTERSIGN_HOOKS_CA_FILE: authority.caFile,
  })
  const { platform, database, clock } = service
  const db = database.open('countersign_worker')
  const certificate = await authority.issue(['localhost', '127.0.0.1'])
  const receivers: Receiver[] = []
  const workers: TestWorker[] = []

  const full = (creatorId: string) => (event: string | NewEvent) =>
    typeof event === 'string'
      ? { type: event, actor: SYSTEM, data: { creatorId, status: 'Open', previousStatus: 'Draft' } }
      : event

  async function endWorkers(): Promise<void> {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
  }

  return {
    service,
    authority,
    async startReceiver() {
      const receiver = await startReceiver(certificate)
      receivers.push(receiver)
      return receiver
    },
    async subscribe(call, uri, changes = {}) {
      const { status, json, text } = await call('POST', '/hooks/v1/subscription', { eventType: TYPE, uri, ...changes })
      assert.equal(status, 202, text)
      return json
    },
    async begin(tenant, events, departmentId = tenant.rootDepartmentId) {
      const { tenantId, administratorId } = tenant
      const requestId = newId()
      const subject = { tenantId, requestId, requestKind: 'signaturerequest', departmentId } as const
      const all = events.map(full(administratorId))
      await platform.db.transaction(tenantId, (tx) => beginHistory(tx, subject, all, clock.now()))
      return requestId
    },
    async append({ tenantId, rootDepartmentId: departmentId, administratorId }, requestId, events) {
      const subject = { tenantId, requestId, requestKind: 'signaturerequest', departmentId } as const
      const all = events.map(full(administratorId))
      await platform.db.transaction(tenantId, (tx) => appendEvents(tx, subject, all, clock.now()))
    },
    async work(options = {}) {
      const { config, keyring, log } = platform
      const owner = newId()
      const leases = makeLeases(db, owner)
      await leases.beat(() => false)
      // A lease lasts for ten seconds; on a busy machine a test takes longer. One that has run out stays so.
      const heartbeat = setInterval(() => void leases.keep(() => true).catch(() => {}), 2_000)
      const sender = makeSender({ allow: [], allowLoopback: true, caFile: config.hooksCaFile, ...options })
      const held = { owner, held: () => leases.held() }
      const dispatcher = startDispatcher({ db, clock, log, keyring, sender, leases: held })
      const worker: TestWorker = {
        dispatcher,
        leases,
        sender,
        async stop() {
          clearInterval(heartbeat)
          await dispatcher.stop()
          await leases.release()
          await sender.close()
        },
      }
      workers.push(worker)
      return worker
    },
    async until(isSo) {
      await until('what should be delivered', async () => {
        if (await isSo()) return true
        for (const worker of workers) worker.dispatcher.wake()
        return false
      })
    },
    rows: (sql, values) => database.asOwner(sql, values),
    async reset() {
      await endWorkers()
      await database.asOwner('delete from worker')
      await database.asOwner(`update bucket_lease set owner = null, expires_at = '-infinity'`)
    },
    async stop() {
      await endWorkers()
      await service.stop()
      authority.remove()
    },
  }
}

/** The tenant's administrator, for calling actions themselves: tokens end while a test moves the clock by days. */
export function administratorOf({ tenantId, administratorId, rootDepartmentId }: TestTenant) {
  return {
    tenantId,
    role: 'administrator',
    userId: administratorId,
    departmentId: rootDepartmentId,
    isTenantWide: true,
    keyId: undefined,
    token: undefined,
    isInactive: false,
  } as const
}
