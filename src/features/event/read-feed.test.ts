import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, payload, CREATE } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import { beginHistory, SYSTEM } from './append-events.ts'
import { makeFeedCursor } from './feed-cursor.ts'

type Item = { id: string; eventType: string; requestId: string; sequenceNumber: number; payload: unknown }
type Page = { items: Item[]; cursor: string; hasMore: boolean }

describe('the feed', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({}, { worker: { delivers: true, handlers: () => [] } })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const read = async (call: Caller, query = ''): Promise<Page> => {
    const { status, json, text } = await call('GET', `/event${query}`)
    assert.equal(status, 200, text)
    return json
  }

  /** Everything after a cursor, page by page. */
  const readAll = async (call: Caller, cursor?: string, pageSize = 500): Promise<{ items: Item[]; cursor: string }> => {
    const items: Item[] = []
    for (let at = cursor; ;) {
      const page = await read(call, `?pageSize=${pageSize}${at === undefined ? '' : `&after=${at}`}`)
      items.push(...page.items)
      at = page.cursor
      if (!page.hasMore) return { items, cursor: page.cursor }
    }
  }

  const untilOutboxIsEmpty = () =>
    until('the outbox to be empty', async () => {
      const [row] = await service.database.asOwner('select count(*)::int as left from outbox')
      return row!.left === 0
    })

  const append = (tx: Tx, requestId: string, departmentId = acme.rootDepartmentId) =>
    beginHistory(
      tx,
      { tenantId: acme.tenantId, requestId, requestKind: 'signaturerequest', departmentId },
      [{ type: 'signaturerequestcreated', actor: SYSTEM, data: { creatorId: acme.administratorId } }],
      service.clock.now(),
    )

  test('tells what happened, with the payload that a webhook carries', async () => {
    const { cursor } = await read(acme.call, '?after=now')
    const requestId = await create(acme.call)
    await untilOutboxIsEmpty()
    const { items } = await readAll(acme.call, cursor)
    const history = await acme.call('GET', `/event/signaturerequest/${requestId}`)
    const facts = ({ id, eventType, timestamp, sequenceNumber, actor, data }: Record<string, unknown>) => ({
      id,
      eventType,
      timestamp,
      sequenceNumber,
      actor,
      data,
    })
    assert.deepEqual(
      items.map((item) => facts(item)),
      history.json.items.map(facts),
    )
    const created = items.find(({ eventType }) => eventType === 'signaturerequestcreated') as unknown as {
      timestamp: string
      payload: unknown
    }
    assert.deepEqual(created.payload, {
      EventType: 'signaturerequestcreated',
      Timestamp: created.timestamp,
      EventData: {
        SignatureRequestId: requestId,
        TenantId: acme.tenantId,
        DepartmentId: acme.rootDepartmentId,
        CreatorId: acme.serviceUserId,
      },
    })
  })

  test('pages of any size together are the whole, and the last cursor goes on from there', async () => {
    for (let made = 0; made < 3; made++) await create(acme.call)
    await untilOutboxIsEmpty()
    const whole = await readAll(acme.call)
    for (const size of [1, 2, 7]) {
      const { items } = await readAll(acme.call, undefined, size)
      assert.deepEqual(
        items.map(({ id }) => id),
        whole.items.map(({ id }) => id),
      )
    }
    assert.deepEqual((await read(acme.call, `?after=${whole.cursor}`)).items, [])
    const later = await create(acme.call)
    await untilOutboxIsEmpty()
    const { items } = await readAll(acme.call, whole.cursor)
    assert.deepEqual(new Set(items.map(({ requestId }) => requestId)), new Set([later]))
  })

  test('keeps the order of each request', async () => {
    await create(acme.call)
    await untilOutboxIsEmpty()
    const { items } = await readAll(acme.call)
    for (const events of Map.groupBy(items, ({ requestId }) => requestId).values()) {
      const numbers = events.map(({ sequenceNumber }) => sequenceNumber)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
    }
  })

  test('misses no event whose transaction began earlier and was committed later', async () => {
    const { cursor } = await read(acme.call, '?after=now')
    const [early, late] = [newId(), newId()]
    const isWritten = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = service.platform.db.transaction(acme.tenantId, async (tx) => {
      await append(tx, early)
      isWritten.resolve()
      await mayCommit.promise
    })
    await isWritten.promise
    await service.platform.db.transaction(acme.tenantId, (tx) => append(tx, late))
    const first = await until('the event that was committed first', async () => {
      const page = await read(acme.call, `?after=${cursor}`)
      return page.items.length > 0 && page
    })
    mayCommit.resolve()
    await slow
    assert.deepEqual(
      first.items.map(({ requestId }) => requestId),
      [late],
    )
    await untilOutboxIsEmpty()
    const { items } = await readAll(acme.call, first.cursor)
    assert.deepEqual(
      items.map(({ requestId }) => requestId),
      [early],
    )
  })

  test('many writers at once: a reader who follows sees each event once', async () => {
    const { cursor } = await read(acme.call, '?after=now')
    const ids = Array.from({ length: 60 }, () => newId())
    const writing = Promise.all(ids.map((id) => service.platform.db.transaction(acme.tenantId, (tx) => append(tx, id))))
    const seen: string[] = []
    let at = cursor
    await until('all of them', async () => {
      const page = await read(acme.call, `?after=${at}&pageSize=7`)
      seen.push(...page.items.map(({ requestId }) => requestId))
      at = page.cursor
      return seen.length >= ids.length
    })
    await writing
    assert.deepEqual(seen.toSorted(), ids.toSorted())
  })

  test('holds what the caller reaches and nothing else', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    const below = await addDepartment(service, acme, 'Below', sales.path)
    const legal = await addDepartment(service, acme, 'Legal')
    const other = await service.createTenant('Other')
    const [inSales, inBelow, inLegal] = [await create(sales.call), await create(below.call), await create(legal.call)]
    await create(other.call)
    await untilOutboxIsEmpty()
    const requests = async (call: Caller) => new Set((await readAll(call)).items.map(({ requestId }) => requestId))
    assert.deepEqual(await requests(sales.call), new Set([inSales, inBelow]))
    assert.deepEqual(await requests(legal.call), new Set([inLegal]))
    const all = await requests(acme.call)
    for (const id of [inSales, inBelow, inLegal]) assert.ok(all.has(id))
    assert.ok(!(await requests(other.call)).has(inSales))
  })

  test('what a caller does not reach costs a page, and the cursor goes on', async () => {
    const tenant = await service.createTenant('Large')
    const quiet = await addDepartment(service, tenant, 'Quiet')
    const id = await create(quiet.call)
    await untilOutboxIsEmpty()
    // Thousands of another department's events lie before it.
    await service.database.asOwner(`update event_feed set position = position + 12000 where tenant_id = $1`, [
      tenant.tenantId,
    ])
    await service.database.asOwner(
      `update event_feed_head set last_position = last_position + 12000 where tenant_id = $1`,
      [tenant.tenantId],
    )
    const first = await read(quiet.call)
    assert.deepEqual([first.items, first.hasMore], [[], true])
    const { items } = await readAll(quiet.call)
    assert.deepEqual(new Set(items.map(({ requestId }) => requestId)), new Set([id]))
  })

  test('says where what an event told has been erased', async () => {
    const { cursor } = await read(acme.call, '?after=now')
    const requestId = await create(acme.call, { status: 'Draft' })
    await untilOutboxIsEmpty()
    await service.database.asOwner(
      'delete from event_body where event_id in (select id from event where request_id = $1)',
      [requestId],
    )
    const [event] = (await readAll(acme.call, cursor)).items as unknown as Record<string, unknown>[]
    assert.deepEqual([event!.erased, event!.actor, event!.data], [true, null, null])
  })

  test('takes no cursor that was changed, made up, or made for another tenant', async () => {
    const { cursor } = await read(acme.call)
    const other = await service.createTenant('Other')
    const changed = cursor.replace(/^..../, 'AQAB')
    for (const [call, bad] of [
      [other.call, cursor],
      [acme.call, changed],
      [acme.call, `${cursor}AA`],
      [acme.call, ''],
      [acme.call, 'then'],
      [acme.call, '%F0%9F%96%8B'],
    ] as const) {
      const { status, json } = await call('GET', `/event?after=${bad}`)
      assert.deepEqual([status, json.code], [400, 1701], bad)
    }
  })

  test('tells a reader whose cursor lies beyond the end to begin anew', async () => {
    const { keyring } = service.platform
    const beyond = makeFeedCursor(keyring, { tenantId: acme.tenantId, position: 1_000_000 })
    const { status, json } = await acme.call('GET', `/event?after=${beyond}`)
    assert.deepEqual([status, json.classification], [400, 'InvalidOperation'])
  })

  test('a refused call leaves no event', async () => {
    const { cursor } = await read(acme.call, '?after=now')
    const refused = await acme.call('POST', CREATE, payload({ departmentId: newId() }))
    assert.equal(refused.status, 400)
    assert.deepEqual((await readAll(acme.call, cursor)).items, [])
  })

  test('refuses a page size that is none', async () => {
    for (const size of ['0', '501', 'many']) {
      const { status, json } = await acme.call('GET', `/event?pageSize=${size}`)
      assert.equal(status, 400)
      assert.match(json.message, /^pageSize: /)
    }
  })
})
