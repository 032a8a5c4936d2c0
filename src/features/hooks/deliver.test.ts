import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SYSTEM } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import type { Receiver } from '../../../test/fakes/webhook-receiver.ts'
import type { TestTenant } from '../../../test/service.ts'
import { startDeliveryTests, type DeliveryTests } from './testing/deliveries.ts'

const CREATED = 'signaturerequestcreated'

describe('deliveries', () => {
  let tests: DeliveryTests
  let acme: TestTenant
  let receiver: Receiver

  before(async () => {
    tests = await startDeliveryTests()
  })
  const begin = async () => {
    acme = await tests.service.createTenant('Acme')
    receiver = await tests.startReceiver()
  }
  afterEach(() => tests.reset())
  after(() => tests.stop())

  const stateOf = async (id: string) =>
    (await tests.rows('select state, tries, due_at from hook_delivery where id = $1', [id]))[0]

  test('hold exactly the fields of the interface, with the subscriber’s headers, signed', async () => {
    await begin()
    const headers = { Authorization: 'Bearer abc', 'X-Team': 'archive' }
    const { secret } = await tests.subscribe(acme.asAdministrator, receiver.url, { headers })
    await tests.work()
    const begunS = Math.floor(Date.now() / 1000)
    const requestId = await tests.begin(acme, [CREATED])
    await tests.until(() => receiver.received.length === 1)

    const [{ headers: got, body, id }] = receiver.received as [(typeof receiver.received)[number]]
    const [event] = await tests.rows('select id, at from event where request_id = $1', [requestId])
    const expected = {
      EventType: CREATED,
      Timestamp: (event!['at'] as Date).toISOString(),
      EventData: {
        SignatureRequestId: requestId,
        TenantId: acme.tenantId,
        DepartmentId: acme.rootDepartmentId,
        CreatorId: acme.administratorId,
      },
    }
    assert.equal(body, JSON.stringify(expected))
    assert.equal(id, event!['id'])
    assert.ok(!id.includes('.'))
    assert.equal(got['authorization'], 'Bearer abc')
    assert.equal(got['x-team'], 'archive')
    assert.equal(got['content-type'], 'application/json')
    assert.equal(got['countersign-sequence'], '1')
    assert.match(got['user-agent']!, /^Countersign-Webhooks\//)
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signed = createHmac('sha256', key).update(`${id}.${got['webhook-timestamp']}.${body}`).digest('base64')
    assert.equal(got['webhook-signature'], `v1,${signed}`)
    const sentS = Number(got['webhook-timestamp'])
    assert.ok(sentS >= begunS && sentS <= Date.now() / 1000, `${sentS}`)
    await tests.until(async () => (await stateOf(id))?.['state'] === 'delivered')
  })

  test('of a signatory and of a change of status hold their further fields', async () => {
    await begin()
    await tests.subscribe(acme.asAdministrator, `${receiver.url}/signed`, { eventType: 'signatorysigned' })
    await tests.subscribe(acme.asAdministrator, `${receiver.url}/status`, {
      eventType: 'signaturerequeststatusupdated',
    })
    await tests.work()
    const signatoryId = newId()
    const creatorId = acme.administratorId
    const requestId = await tests.begin(acme, [
      { type: 'signatorysigned', actor: SYSTEM, signatoryId, data: { creatorId } },
      {
        type: 'signaturerequeststatusupdated',
        actor: SYSTEM,
        data: { creatorId, status: 'Closed', previousStatus: 'Processing' },
      },
    ])
    await tests.until(() => receiver.received.length === 2)
    const dataAt = (path: string) => {
      const { body } = receiver.received.find((received) => received.path === `/hook/${path}`)!
      return JSON.parse(body).EventData as unknown
    }
    const shared = {
      SignatureRequestId: requestId,
      TenantId: acme.tenantId,
      DepartmentId: acme.rootDepartmentId,
      CreatorId: creatorId,
    }
    assert.deepEqual(dataAt('signed'), { SignatoryId: signatoryId, ...shared })
    assert.deepEqual(dataAt('status'), { ...shared, Status: 'Closed', PreviousStatus: 'Processing' })
  })

  test('go to the subscriptions of the kind, the department and what is below it, as it was then', async () => {
    await begin()
    const sales = await addDepartment(tests.service, acme, 'Sales')
    const north = await addDepartment(tests.service, acme, 'North', sales.path)
    const at = (path: string, changes: object) =>
      tests.subscribe(acme.asAdministrator, `${receiver.url}/${path}`, changes)
    await at('root-alone', { departmentId: acme.rootDepartmentId })
    await at('root-below', {})
    await at('sales-alone', { departmentId: sales.id })
    await at('sales-below', { departmentId: sales.id, subdepartments: true })
    await at('north', { departmentId: north.id })
    await at('other-kind', { eventType: 'signatorysigned' })
    const other = await tests.service.createTenant('Other')
    await tests.subscribe(other.asAdministrator, `${receiver.url}/other-tenant`)
    await tests.begin(acme, [CREATED], north.id)
    await tests.rows('update department set path = $1, parent_id = $2 where id = $3', [
      [acme.rootDepartmentId, north.id],
      acme.rootDepartmentId,
      north.id,
    ])
    await tests.work()
    await tests.until(() => receiver.received.length >= 3)
    await sleep(50)
    assert.deepEqual(receiver.received.map(({ path }) => path.slice(6)).sort(), ['north', 'root-below', 'sales-below'])
    assert.deepEqual(await tests.rows('select id from outbox'), [])
  })

  test('are none for what was rolled back, what happened long before, and what is disabled', async () => {
    await begin()
    const old = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.begin(acme, [CREATED])
    await tests.rows(`update hook_subscription set created_at = now() + interval '2 minutes' where id = $1`, [old.id])
    const disabled = await tests.subscribe(acme.asAdministrator, receiver.url)
    await tests.rows(`update hook_subscription set state = 'disabled' where id = $1`, [disabled.id])
    const { db } = tests.service.platform
    const { beginHistory } = await import('#features/event/index.ts')
    const subject = {
      tenantId: acme.tenantId,
      requestId: newId(),
      requestKind: 'signaturerequest',
      departmentId: acme.rootDepartmentId,
    } as const
    await assert.rejects(
      db.transaction(acme.tenantId, async (tx) => {
        await beginHistory(tx, subject, [{ type: CREATED, actor: SYSTEM }], new Date())
        throw new Error('rolled back')
      }),
    )
    await tests.work()
    await tests.until(async () => (await tests.rows('select id from outbox')).length === 0)
    assert.deepEqual(await tests.rows('select id from hook_delivery where tenant_id = $1', [acme.tenantId]), [])
    assert.equal(receiver.received.length, 0)
  })

  test('of one request go in order, never two at once, whatever fails in between; of others at the same time', async () => {
    await begin()
    const { id } = await tests.subscribe(acme.asAdministrator, receiver.url, {
      eventType: 'signaturerequeststatusupdated',
    })
    await tests.rows('update lane set allowed = 10')
    const underWay = new Map<string, number>()
    let refusals = 3
    receiver.answer((_request, response, received) => {
      const requestId = JSON.parse(received.body).EventData.SignatureRequestId as string
      const before = underWay.get(requestId) ?? 0
      assert.equal(before, 0, 'two of one request at once')
      underWay.set(requestId, before + 1)
      setTimeout(() => {
        underWay.set(requestId, 0)
        response.writeHead(refusals-- > 0 ? 500 : 200).end()
      }, 20)
    })
    const requests = await Promise.all(
      Array.from({ length: 8 }, () =>
        tests.begin(
          acme,
          Array.from({ length: 3 }, () => 'signaturerequeststatusupdated'),
        ),
      ),
    )
    for (const requestId of requests) await tests.append(acme, requestId, ['signaturerequeststatusupdated'])
    await tests.work()
    tests.service.clock.advance(0)
    await tests.until(async () => {
      tests.service.clock.advance(1_000)
      const done = await tests.rows(`select id from hook_delivery where subscription_id = $1 and state = 'delivered'`, [
        id,
      ])
      return done.length === 32
    })
    for (const requestId of requests) {
      const sequences = receiver.received
        .filter(({ body }) => body.includes(requestId))
        .map(({ headers }) => Number(headers['countersign-sequence']))
      assert.deepEqual([...new Set(sequences)], [1, 2, 3, 4])
      assert.deepEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
      )
    }
    assert.ok(receiver.mostAtOnce > 1, 'requests are served at the same time')
    assert.ok(receiver.mostAtOnce <= 10)
  })
})
