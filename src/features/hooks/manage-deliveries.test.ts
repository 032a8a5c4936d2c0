import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import type { Receiver } from '../../../test/fakes/webhook-receiver.ts'
import { addPerson } from '../../../test/people.ts'
import type { TestTenant } from '../../../test/service.ts'
import { forgetEndedSecrets } from './jobs.ts'
import { runReplay } from './replay.ts'
import { startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

const CREATED = 'signaturerequestcreated'

describe('what a person can do with deliveries', () => {
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

  const at = (id: string, rest = '') => `/hooks/v1/subscription/${id}${rest}`
  const listing = async (id: string, query = '') =>
    (await acme.asAdministrator('GET', at(id, `/delivery${query}`))).json

  test('is to read every try: what was sent, without secrets, and what came back', async () => {
    receiver.answer((_request, response) => response.writeHead(500).end('Database is down'))
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url, {
      headers: { Authorization: 'Bearer abc' },
    })
    const requestId = await tests.begin(acme, [CREATED])
    await tests.work()
    await tests.until(async () => (await listing(id)).items[0]?.tries.length === 1)
    const { json, text } = await acme.asAdministrator('GET', at(id, '/delivery'))
    const [item] = json.items
    const sent = receiver.received[0]!
    assert.deepEqual([json.total, json.totalIsCapped, json.closedUntil], [1, false, null])
    assert.ok(json.failingSince)
    assert.deepEqual([item.id, item.requestId, item.sequence, item.state], [sent.id, requestId, 1, 'waiting'])
    assert.equal(item.payload, sent.body)
    assert.ok(new Date(item.nextTryAt) > new Date(item.tries[0].at))
    const { number, status, answer, error, durationMs, request } = item.tries[0]
    assert.deepEqual([number, status, answer, error], [1, 500, 'Database is down', null])
    assert.ok(durationMs >= 0)
    assert.deepEqual(request, {
      method: 'POST',
      uri: receiver.url,
      headers: {
        Authorization: '[hidden]',
        'content-type': 'application/json',
        'user-agent': 'Countersign-Webhooks/1',
        'countersign-sequence': '1',
        'webhook-id': sent.id,
        'webhook-timestamp': sent.headers['webhook-timestamp'],
        'webhook-signature': '[hidden]',
      },
    })
    assert.ok(!text.includes('abc') && !text.includes('v1,'))
    assert.equal((await listing(id, '?state=parked')).total, 0)
    assert.equal((await acme.asAdministrator('GET', at(id, '/delivery?state=lost'))).status, 400)
  })

  test('is to pause: what happens is collected, and goes out in order once resumed', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.work()
    const pause = () => acme.asAdministrator('POST', at(id, '/pause'))
    assert.deepEqual([(await pause()).json.state, (await pause()).json.state], ['paused', 'paused'])
    await tests.begin(acme, [CREATED, CREATED])
    await tests.until(async () => (await listing(id)).total === 2)
    assert.equal(receiver.received.length, 0)
    assert.equal((await acme.asAdministrator('POST', at(id, '/resume'))).json.state, 'active')
    await tests.until(() => receiver.received.length === 2)
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['countersign-sequence']),
      ['1', '2'],
    )
  })

  test('is to send a test, even while paused, which fails without a retry and marks nothing', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.work()
    await acme.asAdministrator('POST', at(id, '/pause'))
    await tests.begin(acme, [CREATED])
    receiver.answer(500)
    const { status, json } = await acme.asAdministrator('POST', at(id, '/test'))
    assert.equal(status, 202)
    await tests.until(async () => (await listing(id, '?state=parked')).total === 1)
    const [item] = (await listing(id, '?state=parked')).items
    assert.deepEqual([item.id, item.isTest, item.tries.length], [json.id, true, 1])
    assert.equal(receiver.received.length, 1)
    assert.equal(receiver.received[0]!.headers['countersign-test'], 'true')
    assert.equal(JSON.parse(receiver.received[0]!.body).EventType, CREATED)
    assert.equal((await listing(id)).failingSince, null)
  })

  test('is to change the secret: for a day both sign, then the new one alone', async () => {
    const { id, secret } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.work()
    const rotated = await acme.asAdministrator('POST', at(id, '/secret'))
    assert.equal(rotated.status, 200)
    assert.notEqual(rotated.json.secret, secret)
    await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 1)
    const verifies = ({ headers, body, id: webhookId }: (typeof receiver.received)[number], by: string) => {
      const key = Buffer.from(by.replace('whsec_', ''), 'base64')
      const signed = createHmac('sha256', key).update(`${webhookId}.${headers['webhook-timestamp']}.${body}`)
      return headers['webhook-signature']!.split(' ').includes(`v1,${signed.digest('base64')}`)
    }
    assert.deepEqual(
      [secret, rotated.json.secret].map((by) => verifies(receiver.received[0]!, by)),
      [true, true],
    )
    tests.service.clock.advance(24 * 3600 * 1000 + 1000)
    await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 2)
    assert.deepEqual(
      [secret, rotated.json.secret].map((by) => verifies(receiver.received[1]!, by)),
      [false, true],
    )
    await forgetEndedSecrets(tests.service.platform.db, acme.tenantId, tests.service.clock.now())
    const [row] = await tests.rows('select previous_secret from hook_subscription where id = $1', [id])
    assert.equal(row!['previous_secret'], null)
    tests.service.clock.set(new Date())
  })

  test('is to replay a span: what was parked, what was missed while disabled, and the rest if asked', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.work()
    await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 1)
    receiver.answer(410)
    await tests.begin(acme, [CREATED])
    await tests.until(async () => (await acme.asAdministrator('GET', at(id))).json.state === 'disabled')
    await tests.begin(acme, [CREATED])
    await tests.until(async () => (await tests.rows('select id from outbox')).length === 0)
    receiver.answer(200)
    await acme.asAdministrator('POST', at(id, '/resume'))
    const replay = async (body: object) => {
      const from = new Date(Date.now() - 60_000).toISOString()
      assert.equal((await acme.asAdministrator('POST', at(id, '/replay'), { from, ...body })).status, 202)
      const [job] = await tests.rows(`delete from job where queue = 'hooks.replay' returning payload`)
      const {
        from: begin,
        to,
        ...rest
      } = job!['payload'] as { from: string; to: string; subscriptionId: string; includeDelivered: boolean }
      const work = { ...rest, tenantId: acme.tenantId, from: new Date(begin), to: new Date(to) }
      await runReplay(tests.service.platform.db, work, new Date())
    }
    await replay({})
    await tests.until(() => receiver.received.length === 4)
    await tests.until(async () => (await listing(id, '?state=delivered')).total === 3)
    await replay({ includeDelivered: true })
    await tests.until(() => receiver.received.length === 7)
    assert.equal(new Set(receiver.received.map((received) => received.id)).size, 3)
  })

  test('is refused where it makes no sense, to users, and outside of reach', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    const sales = await addDepartment(tests.service, acme, 'Sales')
    const asSales = await addPerson(tests.service, acme, { departmentId: sales.id, role: 'admin' })
    const asClerk = await addPerson(tests.service, acme, { departmentId: acme.rootDepartmentId, role: 'clerk' })
    const from = new Date(Date.now() - 1000).toISOString()
    const writes: [path: string, body?: object][] = [
      [`/delivery/${newId()}/replay`],
      ['/replay', { from }],
      ['/test'],
      ['/pause'],
      ['/resume'],
      ['/secret'],
    ]
    for (const [path, body] of writes) {
      assert.equal((await asClerk('POST', at(id, path), body)).status, 403, path)
      assert.equal((await asSales('POST', at(id, path), body)).status, 403, path)
      assert.equal((await acme.call('POST', at(id, path), body)).status, 401, path)
      const unknown = await acme.asAdministrator('POST', at(newId(), path), body)
      assert.deepEqual([unknown.status, unknown.json.code], [400, 2800], path)
    }
    assert.equal((await asClerk('GET', at(id, '/delivery'))).status, 200)
    assert.equal((await asSales('GET', at(id, '/delivery'))).status, 403)
    const missing = await acme.asAdministrator('POST', at(id, `/delivery/${newId()}/replay`))
    assert.deepEqual([missing.status, missing.json.code], [400, 2801])
    const spans = [
      {},
      { from: 'now' },
      { from, to: from },
      { from: new Date(Date.now() - 91 * 86_400_000).toISOString() },
    ]
    for (const span of spans) {
      assert.equal((await acme.asAdministrator('POST', at(id, '/replay'), span)).status, 400, JSON.stringify(span))
    }
  })

  test('ends with the subscription', async () => {
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url)
    await acme.asAdministrator('POST', at(id, '/pause'))
    await tests.work()
    await tests.begin(acme, [CREATED])
    await tests.until(async () => (await listing(id)).total === 1)
    assert.equal((await acme.asAdministrator('DELETE', at(id))).status, 202)
    assert.deepEqual(await tests.rows('select 1 from lane where subscription_id = $1', [id]), [])
    assert.equal((await tests.rows('select 1 from hook_delivery where subscription_id = $1', [id])).length, 1)
    assert.equal(receiver.received.length, 0)
  })
})
