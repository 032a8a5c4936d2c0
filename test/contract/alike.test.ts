// What holds for every query, every date and every tenantId of the API alike, walked from the routes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { routeName, type Route } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { PASSWORD } from '../service.ts'
import { CREATE, payload } from '../signature-requests.ts'
import { ask, requireRefusal, rowOf, tenantCallerOf, walked } from './asking.ts'
import { makeWorld, type World } from './world.ts'

type Properties = Record<string, { type?: string; format?: string; enum?: string[]; maximum?: number }>
const propertiesOf = (schema: unknown): Properties =>
  (schema as { properties?: Properties } | undefined)?.properties ?? {}
const queryOf = (route: Route) => propertiesOf(route.query)
const isPaged = (name: string) => /^(skip|take|pagesize)$/i.test(name)
const asked = walked.filter((route) => Object.keys(queryOf(route)).length > 0)
const isPagedBySkip = (route: Route) => Object.keys(queryOf(route)).some((name) => /^skip$/i.test(name))
const refusal = { status: 400, classification: 'InvalidArgument' }

describe('every operation alike', () => {
  let world: World

  before(async () => {
    world = await makeWorld()
  })
  after(() => world.service.stop())

  const get = (route: Route, query: string) =>
    ask(tenantCallerOf(route, world.acme), route, { things: world.sales.things, query })

  test('there are listings to walk', () => {
    assert.ok(asked.filter((route) => Object.keys(queryOf(route)).some(isPaged)).length >= 8)
  })

  for (const route of asked) {
    for (const name of Object.keys(queryOf(route)).filter(isPaged)) {
      const isSkip = /^skip$/i.test(name)
      test(`${routeName(route)}: ${name} keeps to its bounds, in any case of its name`, async () => {
        const allowed = isSkip ? ['0', '1', '10000'] : ['1', '50', '500']
        const refused = isSkip ? ['-1', '10001', '99999999999'] : ['0', '-1', '501', '99999999999']
        const noNumbers = ['', 'x', '1.5', '1e2', '0x1', ' 1', 'null', 'true', '[]', '٣']
        const send = (values: string[], spelled = name) =>
          Promise.all(values.map((value) => get(route, `?${spelled}=${encodeURIComponent(value)}`)))
        for (const reply of await send(allowed)) assert.equal(reply.status, 200)
        for (const reply of await send([...refused, ...noNumbers])) requireRefusal(reply, refusal)
        for (const spelled of [name.toLowerCase(), name.toUpperCase()])
          requireRefusal((await send([refused[0]!], spelled))[0]!, refusal)
        const twice = `?${name}=1&${name.toUpperCase()}=1`
        requireRefusal(await get(route, twice), refusal)
      })
    }

    for (const [name, { format, type, enum: words }] of Object.entries(queryOf(route)).filter(
      ([key]) => !isPaged(key),
    )) {
      if (format !== 'uuid' && type !== 'boolean' && !words) continue
      test(`${routeName(route)}: ${name} of another kind is refused, in any case of its name`, async () => {
        for (const spelled of [name, name.toLowerCase(), name.toUpperCase()])
          requireRefusal(await get(route, `?${spelled}=neither`), refusal)
      })
    }

    test(`${routeName(route)}: ignores names that it does not know, and refuses what is not UTF-8`, async () => {
      if (route.method === 'GET') assert.ok((await get(route, '?unknown=1&%F0%9F%98%80=&=&&')).status < 300)
      const name = Object.keys(queryOf(route))[0]!
      for (const value of ['%ff', '%c0%af', '%', '%00']) requireRefusal(await get(route, `?${name}=${value}`), refusal)
    })
  }

  for (const route of asked.filter(isPagedBySkip)) {
    test(`${routeName(route)}: pages without overlap, the newest first, 50 unless asked, and counts the same on each`, async () => {
      const all = (await get(route, '?take=500')).json
      assert.equal(all.items.length, Math.min(all.total, 500))
      const inPages = []
      for (let skip = 0; skip <= all.total; skip += 2) {
        const { total, items } = (await get(route, `?skip=${skip}&take=2`)).json
        assert.equal(total, all.total)
        inPages.push(...items)
      }
      assert.deepEqual(inPages, all.items)
      const ids = all.items.map(({ id }: { id: string }) => id)
      assert.equal(new Set(ids).size, ids.length)
      assert.deepEqual((await get(route, '')).json, { ...all, items: all.items.slice(0, 50) })
      assert.deepEqual((await get(route, '?skip=9999')).json.items, [])
    })
  }

  for (const route of walked.filter(({ body }) => 'tenantId' in propertiesOf(body))) {
    test(`${routeName(route)}: tenantId is the caller’s own, or absent`, async () => {
      const { acme, other, sales } = world
      const call = tenantCallerOf(route, acme)
      const valid = (await rowOf(route).body!(sales.things, acme)) as object
      const send = (tenantId: unknown) => ask(call, route, { things: sales.things, body: { ...valid, tenantId } })
      const absent = [acme.tenantId, acme.tenantId.toUpperCase(), null, '00000000-0000-0000-0000-000000000000']
      for (const tenantId of absent) assert.equal((await send(tenantId)).status, rowOf(route).success)
      for (const tenantId of [other.tenantId, newId()]) {
        const { status, json, text } = await send(tenantId)
        if (route.operation === 15) assert.deepEqual([status, text], [204, ''])
        else assert.deepEqual([status, json.classification], [400, 'ReferenceConstraint'])
      }
    })
  }

  test('a date-time without an offset is UTC, and goes out in UTC with milliseconds', async () => {
    const { acme, service } = world
    const day = new Date(service.clock.now().getTime() + 7 * 24 * 3600 * 1000).toISOString().slice(0, 10)
    const cases: [sent: string, out: string][] = [
      [`${day}T12:00:00`, `${day}T12:00:00.000Z`],
      [`${day}T12:00:00.5`, `${day}T12:00:00.500Z`],
      [`${day}T12:00:00Z`, `${day}T12:00:00.000Z`],
      [`${day}T12:00:00+02:00`, `${day}T10:00:00.000Z`],
      [`${day}T12:00:00-05:30`, `${day}T17:30:00.000Z`],
    ]
    for (const [expirationDate, expected] of cases) {
      const made = await acme.call('POST', CREATE, payload({ expirationDate }))
      assert.equal(made.status, 202, expirationDate)
      const read = await acme.call('GET', `/signing/signaturerequest/${made.json.id}`)
      assert.equal(read.json.expirationDate, expected)
    }
    for (const expirationDate of [day, '12:00', `${day}T25:00:00Z`, '2027-02-30T00:00:00Z', 'tomorrow', 1]) {
      const reply = await acme.call('POST', CREATE, payload({ expirationDate }))
      requireRefusal(reply, refusal)
      assert.match(reply.json.message, /expirationDate/)
    }
  })

  test('UUIDs are read in any case and written in lower case', async () => {
    const { acme } = world
    const id = newId()
    const made = await acme.call('POST', CREATE, payload({ id: id.toUpperCase() }))
    assert.deepEqual([made.status, made.json], [202, { id }])
    const departmentId = acme.rootDepartmentId
    const { json } = await acme.call('GET', `/signing/signaturerequest/${id.toUpperCase()}`)
    assert.deepEqual([json.id, json.departmentId], [id, departmentId])
    const listed = await acme.call('GET', `/signing/signaturerequest?departmentId=${departmentId.toUpperCase()}`)
    assert.ok(listed.json.items.some((item: { id: string }) => item.id === id))
    const canceled = await acme.call('POST', `/signing/signaturerequest/${id.toUpperCase()}/cancel`)
    assert.equal(canceled.status, 200)
  })

  test('null and the nil UUID mean absent in a body, wherever a field is optional', async () => {
    const { acme } = world
    const nil = '00000000-0000-0000-0000-000000000000'
    for (const nothing of [null, nil]) {
      const body = payload({
        id: nothing,
        departmentId: nothing,
        creatorId: nothing,
        signatureRequestTemplateId: nothing,
      })
      const { status, json, text } = await acme.call('POST', CREATE, body)
      assert.equal(status, 202, text)
      const read = await acme.call('GET', `/signing/signaturerequest/${json.id}`)
      assert.equal(read.json.departmentId, acme.rootDepartmentId)
      assert.equal(read.json.creatorId, acme.serviceUserId)
      assert.equal(read.json.signatureRequestTemplateId, null)
    }
  })

  test('a token narrows a key to the person’s department, and never widens it', async () => {
    const { acme, sales, legal } = world
    const mine = await acme.call('GET', '/onboarding/department', undefined, { headers: sales.asAdministrator })
    assert.deepEqual(
      mine.json.items.map(({ id }: { id: string }) => id),
      [sales.department.id],
    )
    const theirs = await acme.call('GET', `/signing/signaturerequest/${legal.things.openRequestId}`, undefined, {
      headers: sales.asAdministrator,
    })
    assert.equal(theirs.status, 403)
  })

  test('a wrong password, a stranger and a department out of reach are all answered 204 without a word', async () => {
    const { acme, abroad } = world
    const login = acme.administratorEmail
    const bodies = [
      { login, password: 'wrong' },
      { login: 'nobody@example.com', password: PASSWORD },
      { login, password: PASSWORD, departmentId: abroad.department.id },
    ]
    for (const body of bodies) {
      const { status, text } = await acme.call('POST', '/identity/login', body)
      assert.deepEqual([status, text], [204, ''])
    }
  })
})
