// Workers that die, pause or stop: nothing is lost, nothing is recorded twice.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Receiver } from '../../../test/fakes/webhook-receiver.ts'
import { getTestCluster } from '../../../test/cluster.ts'
import type { TestTenant } from '../../../test/service.ts'
import { startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

const CREATED = 'signaturerequestcreated'

describe('delivering with several workers', () => {
  let tests: DeliveryTests
  let acme: TestTenant
  let receiver: Receiver

  before(async () => {
    tests = await startDeliveryTests()
  })
  beforeEach(async () => {
    acme = await tests.service.createTenant('Acme')
    receiver = await tests.startReceiver()
  })
  afterEach(() => tests.reset())
  after(() => tests.stop())

  function startProcess() {
    const databaseUrl = getTestCluster().ownerUrl.replace(/@([^/]*)\/\w+/, `@$1/${tests.service.database.name}`)
    return fork('src/main/work.ts', {
      execArgv: [],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        COUNTERSIGN_SECRET_KEY: 'a secret key that is used in tests alone',
        COUNTERSIGN_DATA: tests.service.platform.config.dataDir,
        COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true',
        COUNTERSIGN_HOOKS_CA_FILE: tests.authority.caFile,
        COUNTERSIGN_LOG_LEVEL: 'error',
      },
    })
  }

  const expireLeases = () => tests.rows(`update bucket_lease set expires_at = '-infinity'`)
  const delivered = async () =>
    (await tests.rows(`select id from hook_delivery where tenant_id = $1 and state = 'delivered'`, [acme.tenantId]))
      .length

  test('a worker that is killed while it sends: the next one sends again, under the same id', async () => {
    await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.rows('delete from worker')
    receiver.answer(() => {})
    const child = startProcess()
    for (let count = 0; count < 5; count++) await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length > 0)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const before = receiver.received.map((received) => received.id)
    assert.equal(await delivered(), 0)

    receiver.answer(200)
    await tests.rows('delete from worker')
    await expireLeases()
    await tests.work()
    await tests.until(async () => (await delivered()) === 5)
    const ids = receiver.received.map((received) => received.id)
    assert.equal(new Set(ids).size, 5)
    for (const id of before) assert.equal(ids.filter((one) => one === id).length, 2)
  })

  test('a worker that was paused and comes back too late records nothing', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    let finish = () => {}
    receiver.answer((_request, response) => {
      finish = () => response.writeHead(500).end()
    })
    await tests.begin(acme, [CREATED])
    const first = await tests.work()
    await tests.until(() => receiver.received.length === 1)

    await expireLeases()
    await tests.rows('delete from worker')
    receiver.answer(200)
    await tests.work()
    await tests.until(async () => (await delivered()) === 1)
    finish()
    await first.dispatcher.stop()
    const tries = await tests.rows('select number, status from hook_attempt where subscription_id = $1', [id])
    assert.deepEqual(tries, [{ number: 1, status: 200 }])
    assert.equal(await delivered(), 1)
  })

  test('a worker that stops waits for its answers and records them', async () => {
    await tests.subscribe(acme.asAdministrator, receiver.url)
    receiver.answer((_request, response) => void setTimeout(() => response.writeHead(200).end(), 200))
    await tests.begin(acme, [CREATED])
    const worker = await tests.work()
    await tests.until(() => receiver.received.length === 1)
    await worker.dispatcher.stop()
    assert.equal(await delivered(), 1)
  })

  test('a process that is asked to stop keeps its lease until the last answer is recorded, and only that one', async () => {
    await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.rows('delete from worker')
    receiver.answer((_request, response) => void setTimeout(() => response.writeHead(200).end(), 12_000))
    const child = startProcess()
    await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 1)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const held = async () => (await tests.rows('select from bucket_lease where expires_at > now()')).length
    await tests.until(async () => (await held()) === 1)
    assert.deepEqual(await exited, [0, null])
    assert.equal(await delivered(), 1)
    assert.equal(await held(), 0)
  })

  test('a worker that loses its lease while it stops breaks off what it sends', async () => {
    await tests.subscribe(acme.asAdministrator, receiver.url)
    receiver.answer(() => {})
    await tests.begin(acme, [CREATED])
    const worker = await tests.work({ totalMs: 40_000 })
    await tests.until(() => receiver.received.length === 1)
    const startedAt = performance.now()
    const stopped = worker.dispatcher.stop()
    await expireLeases()
    await worker.leases.keep(() => true)
    await stopped
    assert.ok(performance.now() - startedAt < 30_000, 'it has not waited for an answer')
  })

  test('a worker that can’t renew its lease breaks off what it sends, and blames no receiver for it', async (t) => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    let isBrokenOff = false
    receiver.answer((_request, response) => void response.on('close', () => (isBrokenOff = true)))
    await tests.begin(acme, [CREATED])
    await tests.work({ totalMs: 40_000 })
    await tests.until(() => receiver.received.length === 1)

    const startedAt = performance.now()
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + 9_000)
    await tests.until(() => isBrokenOff)
    assert.ok(now() - startedAt < 30_000, 'it has not waited for an answer')
    receiver.answer(200)
    await tests.until(async () => (await delivered()) === 1)
    const tries = await tests.rows('select number, status from hook_attempt where subscription_id = $1', [id])
    assert.deepEqual(tries, [{ number: 1, status: 200 }])
  })

  test('two workers share the buckets: every event arrives, none twice', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => tests.service.createTenant()))
    for (const tenant of tenants) await tests.subscribe(tenant.asAdministrator, receiver.url)
    const [one, two] = [await tests.work(), await tests.work()]
    await one.leases.beat((bucket) => one.dispatcher.isBusy(bucket))
    await two.leases.beat((bucket) => two.dispatcher.isBusy(bucket))
    assert.equal(one.leases.held().size + two.leases.held().size, 64)
    for (let count = 0; count < 10; count++) {
      await Promise.all(tenants.map((tenant) => tests.begin(tenant, [CREATED])))
    }
    await tests.until(() => receiver.received.length >= 60)
    assert.equal(new Set(receiver.received.map((received) => received.id)).size, 60)
    assert.equal(receiver.received.length, 60)
  })
})
