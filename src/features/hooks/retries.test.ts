import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import type { Receiver } from '../../../test/fakes/webhook-receiver.ts'
import type { TestTenant } from '../../../test/service.ts'
import { resumeSubscription } from './change-subscription.ts'
import { replayDelivery, runReplay } from './replay.ts'
import { RETRY_AFTER_S } from './retry-schedule.ts'
import { administratorOf, startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

const CREATED = 'signaturerequestcreated'

describe('deliveries that fail', () => {
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
  afterEach(async () => {
    await tests.reset()
    tests.service.clock.set(new Date())
  })
  after(() => tests.stop())

  const advance = (seconds: number) => tests.service.clock.advance(seconds * 1000)
  const delivery = async (subscriptionId: string) =>
    (
      await tests.rows('select id, state, tries, due_at, payload from hook_delivery where subscription_id = $1', [
        subscriptionId,
      ])
    )[0]!
  const subscription = async (id: string) =>
    (await tests.rows('select state, state_reason as reason from hook_subscription where id = $1', [id]))[0]!
  const resume = (subscriptionId: string) =>
    tests.service.platform.db.transaction(acme.tenantId, (tx) =>
      resumeSubscription(tx, { caller: administratorOf(acme), subscriptionId, now: tests.service.clock.now() }),
    )
  const triesOf = async (id: string, tries: number) =>
    tests.until(async () => (await delivery(id))?.['tries'] === tries)

  test('are sent again on the schedule, byte by byte the same, until they are parked', async () => {
    receiver.answer(500)
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.begin(acme, [CREATED])
    await tests.work()
    for (const [index, seconds] of RETRY_AFTER_S.entries()) {
      await tests.until(
        async () => (await tests.rows('select id from hook_delivery where subscription_id = $1', [id])).length === 1,
      )
      await triesOf(id, index + 1)
      const { due_at: dueAt } = await delivery(id)
      const waitS = ((dueAt as Date).getTime() - tests.service.clock.now().getTime()) / 1000
      assert.ok(waitS > seconds * 0.95 - 1 && waitS <= seconds * 1.2, `try ${index + 1}: ${waitS} s`)
      // A lane that is closed for longer than the delivery waits puts the try off, and counts none.
      advance(Math.max(seconds * 1.2, 1900))
    }
    await triesOf(id, 11)
    assert.equal((await delivery(id))['state'], 'parked')
    assert.equal(receiver.received.length, 11)
    assert.equal(new Set(receiver.received.map((received) => received.id)).size, 1)
    assert.equal(new Set(receiver.received.map((received) => received.body)).size, 1)
    assert.equal((await subscription(id))['state'], 'active')

    receiver.answer(200)
    const deliveryId = receiver.received[0]!.id
    const now = tests.service.clock.now()
    await tests.service.platform.db.transaction(acme.tenantId, (tx) =>
      replayDelivery(tx, { caller: administratorOf(acme), subscriptionId: id, deliveryId, now }),
    )
    advance(1900)
    await tests.until(async () => (await delivery(id))['state'] === 'delivered')
    assert.equal(receiver.received.at(-1)!.id, receiver.received[0]!.id)
    assert.equal(receiver.received.at(-1)!.body, receiver.received[0]!.body)
  })

  test('let one go first that a replay put before them, and follow it', async () => {
    await tests.work()
    const requestId = await tests.begin(acme, [CREATED])
    await tests.until(async () => (await tests.rows('select id from outbox')).length === 0)
    receiver.answer(500)
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.append(acme, requestId, [CREATED])
    await triesOf(id, 1)
    const now = tests.service.clock.now()
    const span = { from: new Date(now.getTime() - 60_000), to: now, includeDelivered: false }
    await runReplay(tests.service.platform.db, { ...span, tenantId: acme.tenantId, subscriptionId: id }, now)
    await tests.until(() => receiver.received.length === 2)
    receiver.answer(200)
    await tests.until(async () => {
      advance(60)
      const states = await tests.rows('select state from hook_delivery where subscription_id = $1', [id])
      return states.every(({ state }) => state === 'delivered')
    })
    const order = receiver.received.map(({ headers }) => headers['countersign-sequence'])
    assert.deepEqual(order, ['2', '1', '1', '2'])
  })

  test('that come back while one waits before them without a time let that one go', async () => {
    await tests.work()
    let fail = () => {}
    receiver.answer((_request, response) => (fail = () => response.writeHead(500).end()))
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    const requestId = await tests.begin(acme, ['signaturerequeststatusupdated', CREATED])
    await tests.until(() => receiver.received.length === 1)
    // As when an earlier event is taken out of the outbox later.
    await tests.rows(
      `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
       select tenant_id, subscription_id, $2, request_id, 1, '{}', 'waiting', null, created_at
         from hook_delivery where subscription_id = $1 and request_id = $3`,
      [id, newId(), requestId],
    )
    receiver.answer(200)
    fail()
    await tests.until(async () => {
      advance(60)
      const states = await tests.rows('select state from hook_delivery where subscription_id = $1', [id])
      return states.every(({ state }) => state === 'delivered')
    })
  })

  test('with 410 disable the subscription, which its owner can read, resume and replay', async () => {
    receiver.answer(410)
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.begin(acme, [CREATED])
    await tests.work()
    await tests.until(async () => (await subscription(id))['state'] === 'disabled')
    assert.match(String((await subscription(id))['reason']), /410/)
    const message = `select kind, user_id as "userId", reference_id as about, channel from message where reference_id = $1`
    assert.deepEqual(await tests.rows(message, [id]), [
      { kind: 'webhookdisabled', userId: acme.administratorId, about: id, channel: 'email' },
    ])
    await tests.begin(acme, [CREATED])
    await tests.until(async () => (await tests.rows('select id from outbox')).length === 0)
    assert.equal(receiver.received.length, 1, 'nothing is collected while disabled')

    receiver.answer(200)
    assert.equal((await resume(id)).state, 'active')
    await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 2)
  })

  test('with 429 and Retry-After leave the whole lane alone for as long', async () => {
    receiver.answer((_request, response) => response.writeHead(429, { 'retry-after': '300' }).end())
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.begin(acme, [CREATED])
    const worker = await tests.work()
    await tests.until(
      async () =>
        (await tests.rows('select 1 from lane where subscription_id = $1 and closed_until is not null', [id]))
          .length === 1,
    )
    await tests.begin(acme, [CREATED])
    receiver.answer(200)
    advance(250)
    worker.dispatcher.wake()
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(receiver.received.length, 1)
    advance(120)
    await tests.until(() => receiver.received.length === 3)
  })

  test('five times in a row close the lane: nothing more is tried, and the first success opens it', async () => {
    receiver.answer(500)
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    for (let count = 0; count < 20; count++) await tests.begin(acme, [CREATED])
    await tests.work()
    const lane = async () =>
      (await tests.rows('select trips, closed_until, allowed from lane where subscription_id = $1', [id]))[0]!
    await tests.until(async () => (await lane())?.['trips'] === 1)
    assert.equal(receiver.received.length, 5)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(receiver.received.length, 5)
    advance(31)
    await tests.until(async () => (await lane())['trips'] === 2)
    assert.equal(receiver.received.length, 6, 'one try')
    receiver.answer(200)
    advance(90)
    await tests.until(async () => {
      advance(60)
      const rows = await tests.rows(`select id from hook_delivery where subscription_id = $1 and state = 'delivered'`, [
        id,
      ])
      return rows.length === 20
    })
    assert.equal((await lane())['closed_until'], null)
  })

  test('for five days and nothing else disable the subscription; what waits stays', async () => {
    receiver.answer(503)
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    for (let count = 0; count < 3; count++) await tests.begin(acme, [CREATED])
    await tests.work()
    // What counts is when a try was recorded: one that is still under way is judged by the time at which it ends.
    const recorded = async () => (await tests.rows('select from hook_attempt where subscription_id = $1', [id])).length
    await tests.until(async () => (await recorded()) > 0)
    for (let day = 0; day < 5; day++) {
      const before = await recorded()
      advance(86_400)
      await tests.until(async () => (await recorded()) > before)
    }
    await tests.until(async () => {
      advance(3_600)
      return (await subscription(id))['state'] === 'disabled'
    })
    assert.match(String((await subscription(id))['reason']), /five days/)
    const waiting = await tests.rows(`select id from hook_delivery where subscription_id = $1 and state = 'waiting'`, [
      id,
    ])
    assert.equal(waiting.length, 3)
    receiver.answer(200)
    await resume(id)
    await tests.until(async () => {
      advance(3_600)
      const rows = await tests.rows(`select id from hook_delivery where subscription_id = $1 and state = 'delivered'`, [
        id,
      ])
      return rows.length === 3
    })
  })

  test('to one receiver cost the others nothing, however many wait', async () => {
    const held: ServerResponse[] = []
    receiver.answer((_request, response) => void held.push(response))
    const dead = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.rows(
      `insert into hook_delivery (tenant_id, subscription_id, id, request_id, sequence, payload, state, due_at, created_at)
       select $1, $2, overlay(gen_random_uuid()::text placing substr(first_id_at(now())::text, 1, 13) from 1)::uuid,
              gen_random_uuid(), 1, '{}', 'waiting', now(), now() from generate_series(1, 100000)`,
      [acme.tenantId, dead.id],
    )
    await tests.rows('analyze hook_delivery') // As autovacuum does after so many rows.
    const healthy = await Promise.all(Array.from({ length: 9 }, () => tests.startReceiver()))
    for (const one of healthy) await tests.subscribe(acme.asAdministrator, one.url)
    await tests.work()
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => tests.begin(acme, [CREATED])))
    await tests.until(() => healthy.every((one) => new Set(one.received.map(({ id }) => id)).size === 20))
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 30_000, `${tookMs} ms`)
    assert.ok(receiver.mostAtOnce <= 10)
    receiver.answer(500)
    for (const response of held) response.destroy()
  })
})
