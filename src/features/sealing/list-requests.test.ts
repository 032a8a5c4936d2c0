import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SYSTEM } from '#features/event/index.ts'
import { newId } from '#platform/ids.ts'
import { cancelRequestsOfDepartments, findSealingDocumentDepartment, hasRequestsInDepartments } from './index.ts'
import { SEALING_STATUSES } from './sealing-request.ts'
import { listByDepartments, listByReference, listByStatus, listNewest } from './sealing-statements.ts'
import { startWorkplace, type Workplace } from './testing/workplace.ts'

describe('listing sealing requests', () => {
  let workplace: Workplace
  let acme: Workplace['acme']
  const ids: Record<string, string> = {}

  before(async () => {
    workplace = await startWorkplace()
    acme = workplace.acme
    const { sales, legal } = workplace
    ids['root'] = await workplace.draft(acme.call, 0, { externalReference: 'R' })
    ids['sales'] = await workplace.draft(sales.call, 0, { externalReference: 'S' })
    ids['salesOpen'] = await workplace.draft(sales.call, 1, { externalReference: 'S' })
    ids['legal'] = await workplace.draft(legal.call, 0, { externalReference: 'S' })
    await acme.call('PUT', `/sealing/sealingrequest/${ids['salesOpen']}`, { status: 'Open' })
  })
  after(() => workplace.service.stop())

  const named = (items: { id: string }[]) => items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id))

  test('shows what is within reach, newest first, with exact totals', async () => {
    const { sales, legal } = workplace
    const cases: [call: typeof acme.call, query: string, total: number, names: string[]][] = [
      [acme.call, '/', 4, ['legal', 'salesOpen', 'sales', 'root']],
      [acme.call, '?skip=1&take=2', 4, ['salesOpen', 'sales']],
      [acme.call, '?Status=open', 1, ['salesOpen']],
      [acme.call, `?departmentId=${sales.id}`, 2, ['salesOpen', 'sales']],
      [acme.call, `?departmentId=${sales.id}&status=Draft`, 1, ['sales']],
      [acme.call, `?departmentId=${acme.rootDepartmentId}`, 1, ['root']],
      [acme.call, '?externalReference=S', 3, ['legal', 'salesOpen', 'sales']],
      [acme.call, '?externalReference=S&take=1&status=Draft', 2, ['legal']],
      [acme.call, '?externalReference=none', 0, []],
      [sales.call, '', 2, ['salesOpen', 'sales']],
      [sales.call, '?skip=1', 2, ['sales']],
      [sales.call, '?status=Open', 1, ['salesOpen']],
      [sales.call, '?externalReference=S', 2, ['salesOpen', 'sales']],
      [legal.call, '', 1, ['legal']],
      [workplace.other.call, '', 0, []],
    ]
    for (const [call, query, total, names] of cases) {
      const { status, json } = await call('GET', `/sealing/sealingrequest${query}`)
      assert.equal(status, 200, query)
      assert.deepEqual(named(json.items), names, query)
      assert.equal(json.total, total, query)
    }
  })

  test('refuses pages and filters that make no sense', async () => {
    const cases: [query: string, message: RegExp][] = [
      ['skip=-1', /^skip: /],
      ['skip=10001', /^skip: .*GET \/event/],
      ['take=0', /^take: /],
      ['take=501', /^take: /],
      ['take=ten', /^take: must be a whole number/],
      ['status=Sealed', /^status: must be one of/],
      ['departmentId=sales', /^departmentId: must be a UUID/],
    ]
    for (const [query, message] of cases) {
      const { status, json } = await acme.call('GET', `/sealing/sealingrequest?${query}`)
      assert.equal(status, 400, query)
      assert.match(json.message, message)
    }
  })

  test('follows a request that moves to another department', async () => {
    const { sales, legal } = workplace
    const id = await workplace.draft(sales.call)
    const totals = async () => [
      (await sales.call('GET', '/sealing/sealingrequest')).json.total,
      (await legal.call('GET', '/sealing/sealingrequest')).json.total,
    ]
    assert.deepEqual(await totals(), [3, 1])
    await acme.call('PUT', `/sealing/sealingrequest/${id}`, { departmentId: legal.id })
    assert.deepEqual(await totals(), [2, 2])
  })

  test('reads only indexes, however many requests there are', async () => {
    const { sales } = workplace
    const { database } = workplace.service
    await database.asOwner(
      `insert into sealing_request (tenant_id, id, department_id, creator_id, status, external_reference, created_at, modified_at)
       select $1, gen_random_uuid(), $2, $3, 'Closed', 'many', now() - g * interval '1 minute', now()
         from generate_series(1, 5000) g`,
      [acme.tenantId, sales.id, acme.serviceUserId],
    )
    await database.asOwner('analyze sealing_request')
    const { json } = await sales.call('GET', '/sealing/sealingrequest?externalReference=many&take=1')
    assert.equal(json.total, 1000)
    assert.equal(json.totalIsCapped, true)
    const page = await sales.call('GET', '/sealing/sealingrequest?skip=100&take=3&status=Closed')
    assert.equal(page.json.items.length, 3)
    const dates = page.json.items.map((item: { creationDate: string }) => item.creationDate)
    assert.deepEqual(dates, dates.toSorted().toReversed())

    const { tenantId } = acme
    const values = { tenantId, departmentIds: [sales.id], skip: 100, take: 50, status: 'Closed' }
    const filters = { ...values, statuses: [...SEALING_STATUSES], externalReference: 'many' }
    for (const { name, text, order } of [listNewest, listByStatus, listByDepartments, listByReference]) {
      const plan = await database.asOwner(
        `explain ${text}`,
        order.map((key) => filters[key as keyof typeof filters]),
      )
      const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n')
      assert.match(lines, /Index (Only )?Scan/, name)
      assert.doesNotMatch(lines, /Seq Scan on sealing_request|Bitmap/, `${name}\n${lines}`)
    }
  })
})

describe('the sealing requests of a department that goes', () => {
  let workplace: Workplace

  before(async () => {
    workplace = await startWorkplace()
  })
  after(() => workplace.service.stop())

  test('are canceled where nobody has begun to seal them, each with its event', async () => {
    const { acme, sales, legal, service } = workplace
    const { tenantId } = acme
    const drafts = [await workplace.draft(sales.call), await workplace.draft(sales.call)]
    const opened = await workplace.draft(sales.call, 1)
    await acme.call('PUT', `/sealing/sealingrequest/${opened}`, { status: 'Open' })
    const beside = await workplace.draft(legal.call)

    const inDepartment = (departmentIds: string[]) =>
      service.platform.db.transaction(tenantId, (tx) => hasRequestsInDepartments(tx, { tenantId, departmentIds }))
    assert.equal(await inDepartment([sales.id]), true)
    assert.equal(await inDepartment([acme.rootDepartmentId]), false)

    const now = service.clock.now()
    await service.platform.db.transaction(tenantId, (tx) =>
      cancelRequestsOfDepartments(tx, { tenantId, departmentIds: [sales.id], actor: SYSTEM, now }),
    )
    for (const id of [...drafts, opened]) {
      const { json } = await acme.call('GET', `/sealing/sealingrequest/${id}`)
      assert.equal(json.status, 'Canceled')
    }
    const { json } = await acme.call('GET', '/sealing/sealingrequest?status=Canceled')
    assert.equal(json.total, 3)
    assert.equal((await acme.call('GET', `/sealing/sealingrequest/${beside}`)).json.status, 'Draft')
    const events = await service.database.asOwner(
      `select request_id from event where type = 'sealingrequeststatusupdated' and request_id = any($1)`,
      [drafts],
    )
    assert.equal(events.length, 2)
  })

  test('tell which department their documents belong to', async () => {
    const { acme, sales, other, service } = workplace
    const id = await workplace.draft(sales.call, 1)
    const documentId = (await acme.call('GET', `/sealing/sealingrequest/${id}/document`)).json.items[0].id
    const find = (tenantId: string, document: string) =>
      service.platform.db.transaction(tenantId, (tx) =>
        findSealingDocumentDepartment(tx, { tenantId, documentId: document }),
      )
    assert.deepEqual(await find(acme.tenantId, documentId), { departmentId: sales.id })
    assert.equal(await find(other.tenantId, documentId), undefined)
    assert.equal(await find(acme.tenantId, newId()), undefined)
  })
})
