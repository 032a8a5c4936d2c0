// Walks every operation of the API with every caller that must be refused, every id that means nothing and every body
// that can't be read. The calls are made from the routes and from one row each, so that a new route is walked as well.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import { routeName, type Route } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import { ask, callerOf, forbidden, pathOf, requireRefusal, rowOf, tenantCallerOf, walked } from './contract/asking.ts'
import { REFERENCES, referencesIn, withValueAt, wrongBodies } from './contract/bodies.ts'
import { walkForeign } from './contract/foreign.ts'
import { OPERATIONS } from './contract/operations.ts'
import { isPlanted, listPlantedRows, plantIn } from './contract/planted.ts'
import { makePlace, makeToken, makeWorld, nobodysThings, type World } from './contract/world.ts'
import { startService, type TestService, type TestTenant } from './service.ts'

const guarded = walked.filter((route) => !route.isPublic)
const withIds = guarded.filter((route) => rowOf(route).ids)
const withJson = guarded.filter((route) => route.body && route.bodyKind !== 'stream')
const isWrite = (route: Route) => route.method !== 'GET'

/** Every call with a key leaves its mark on that key, and what waits gets older by itself. */
const PASSING = /"(lastUsedDate|callsToday|callsLast30Days|lagSeconds)":("[^"]*"|null|\d+)/g

describe('the contract', () => {
  let world: World
  let atFirst: string[]

  /** What the owner sees of everything, without what changes by looking. */
  const everything = async (): Promise<string[]> => {
    const seen = []
    for (const route of walked.filter((candidate) => !isWrite(candidate) && !rowOf(candidate).isFleeting)) {
      const { text } = await ask(tenantCallerOf(route, world.acme), route, { things: world.sales.things })
      seen.push(`${routeName(route)} ${text.replaceAll(PASSING, '')}`)
    }
    return seen
  }

  before(async () => {
    world = await makeWorld()
    atFirst = await everything()
  })
  after(() => world.service.stop())

  test('every route has its row, and every row its route', () => {
    assert.deepEqual(Object.keys(OPERATIONS).sort(), walked.map(routeName).sort())
    assert.equal(new Set(walked.flatMap(({ operation }) => operation ?? [])).size, 23)
  })

  describe('is refused to whoever has no credentials', () => {
    for (const route of guarded) {
      test(`${routeName(route)}: no key, a wrong key, with and without a slash at the end`, async () => {
        const refusal = { status: 401, classification: 'AuthenticationError' }
        const { service, sales, acme } = world
        const path = `/${routeName(route).split('/').slice(1).join('/').replaceAll(/:\w+/g, newId())}`
        const headers: Record<string, string>[] = [
          {},
          { 'ocp-apim-subscription-key': '' },
          { 'ocp-apim-subscription-key': 'csk_nobody' },
          { 'ocp-apim-subscription-key': `${acme.key}x` },
          { 'ocp-apim-subscription-key': acme.key.toUpperCase() },
          sales.asAdministrator,
        ]
        const body = isWrite(route) ? {} : undefined
        const replies = headers.map((sent) => ask(service.call, route, { path, headers: sent, body }))
        for (const reply of await Promise.all(replies)) requireRefusal(reply, refusal)
        requireRefusal(await ask(service.call, route, { path: `${path}/` }), refusal)
      })
    }

    for (const route of guarded) {
      test(`${routeName(route)}: a token that is garbage, expired, of another tenant, or outside the key`, async () => {
        const { acme, sales, legal, tokens } = world
        const body = isWrite(route) ? {} : undefined
        const asked = { things: sales.things, body }
        const replies = tokens.refused.map((headers) => ask(acme.call, route, { ...asked, headers }))
        for (const reply of await Promise.all(replies))
          requireRefusal(reply, { status: 401, classification: 'AuthenticationError' })
        const headers = legal.asAdministrator
        const outside = await ask(sales.department.call, route, { things: sales.things, headers })
        requireRefusal(outside, { status: forbidden(route), classification: 'AuthorizationError' })
      })
    }

    for (const route of guarded.filter(({ needsToken }) => needsToken)) {
      test(`${routeName(route)}: a key without a token`, async () => {
        const { status, json } = await ask(world.acme.call, route, { things: world.sales.things })
        assert.deepEqual([status, json.classification, json.code], [401, 'AuthenticationError', 5002])
      })
    }
  })

  describe('is refused to a deactivated user, by the name that the sub-API has for it', () => {
    for (const route of guarded) {
      const isKnown = /^\/(metadata|documenttemplating|event)(\/|$)/.test(route.url)
      test(routeName(route), async () => {
        const { acme, sales, tokens } = world
        const headers = tokens.deactivated
        requireRefusal(await ask(acme.call, route, { things: sales.things, headers }), {
          status: forbidden(route),
          classification: isKnown ? 'UserInactiveError' : 'AuthorizationError',
        })
      })
    }
  })

  describe('keeps to the roles', () => {
    for (const route of guarded) {
      const allowed: readonly string[] = PERMISSIONS[route.permission]
      const mayUser = allowed.includes('user')
      test(`${routeName(route)}: ${mayUser ? 'an ordinary user may' : 'administrators alone may'}`, async () => {
        const { acme, sales, tokens } = world
        const headers = tokens.clerk
        // A list is no body of any operation: whoever is let in hears so, and nothing has happened.
        const body = route.body && route.bodyKind !== 'stream' ? [] : undefined
        const things = mayUser && isWrite(route) ? nobodysThings() : sales.things
        const { status, json, text } = await ask(acme.call, route, {
          things,
          headers,
          body,
          ...(body === undefined && isWrite(route) && { raw: Buffer.alloc(0) }),
        })
        if (mayUser) assert.ok(status !== 401 && status !== 403, text)
        else assert.deepEqual([status, json.code], [forbidden(route), 6001], text)
      })
    }
  })

  describe('knows nothing of what belongs to another tenant', () => {
    walkForeign(() => world)
  })

  describe('ends at the edge of a department', () => {
    for (const route of withIds) {
      test(`${routeName(route)}: refused to the department beside it`, async () => {
        const { sales, legal, acme } = world
        const body = await rowOf(route).body?.(legal.things, acme)
        const reply = await ask(callerOf(route, legal), route, { things: sales.things, body })
        requireRefusal(reply, { status: forbidden(route), classification: 'AuthorizationError' })
      })
    }

    for (const route of withJson.filter((candidate) => referencesIn(candidate).length > 0)) {
      for (const reference of referencesIn(route).filter((path) => REFERENCES[path.at(-1)!] === 'departmentId')) {
        if (route.operation === 15) continue // Whoever can't act for a department is not told why: 204.
        test(`${routeName(route)}: ${reference.join('.')} can't be the department beside it`, async () => {
          const { sales, legal, acme } = world
          const valid = await rowOf(route).body!(legal.things, acme)
          const body = withValueAt(valid, reference, sales.things.departmentId)
          const reply = await ask(callerOf(route, legal), route, { things: legal.things, body })
          requireRefusal(reply, { status: forbidden(route), classification: 'AuthorizationError' })
        })
      }
    }

    const shown = guarded.filter((candidate) => !rowOf(candidate).ids && !isWrite(candidate))
    for (const route of shown.filter((candidate) => !rowOf(candidate).isTenantWide)) {
      test(`${routeName(route)}: shows the department beside it nothing`, async () => {
        const { sales, legal } = world
        const { status, text } = await ask(callerOf(route, legal), route, {})
        assert.equal(status, 200)
        for (const id of Object.values(sales.things)) assert.ok(!text.includes(id), id)
      })
    }

    for (const route of guarded.filter((candidate) => rowOf(candidate).isTenantWide)) {
      test(`${routeName(route)}: refused to a department`, async () => {
        const body = await rowOf(route).body?.(world.legal.things, world.acme)
        requireRefusal(await ask(callerOf(route, world.legal), route, { body }), {
          status: forbidden(route),
          classification: 'AuthorizationError',
        })
      })
    }
  })

  describe('refuses ids that are none', () => {
    for (const route of withIds) {
      const properties = (route.params as unknown as { properties: Record<string, { format?: string }> }).properties
      for (const [name, { format }] of Object.entries(properties)) {
        if (name === 'entityType') continue
        const expected = format === 'uuid' ? 'InvalidArgument' : 'EntityNotFound'
        test(`${routeName(route)}: ${name} that is no UUID is ${expected}`, async () => {
          const { sales, acme } = world
          const body = await rowOf(route).body?.(sales.things, acme)
          const endless = 'x'.repeat(5000)
          for (const id of [
            'x',
            '1',
            `${newId()}0`,
            "' or 1=1 --",
            '..%2f..%2fetc%2fpasswd',
            '%F0%9F%98%80',
            endless,
          ]) {
            const ids = { ...rowOf(route).ids!(sales.things), [name]: decodeURIComponent(id) }
            const { status, json, text } = await ask(tenantCallerOf(route, acme), route, {
              path: pathOf(route, ids),
              body,
            })
            if (route.operation === 16) assert.deepEqual([status, text], [204, ''])
            else {
              const notFound = route.errorStatuses?.notFound ?? 400
              const wanted = [expected === 'EntityNotFound' ? notFound : 400, expected]
              assert.deepEqual([status, json.classification], wanted, text)
            }
          }
        })
      }
    }
  })

  describe('refuses bodies that it can not read', () => {
    const types: Record<string, string>[] = [
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json-patch+json' },
      {},
    ]
    for (const route of withJson) {
      test(`${routeName(route)}: no JSON, no object, each field of a wrong type; in each content type`, async () => {
        const { sales, acme } = world
        const call = tenantCallerOf(route, acme)
        const valid = await rowOf(route).body!(sales.things, acme)
        for (const headers of types) {
          // Each field once; what is the same for all of them in each content type.
          for (const text of headers === types[0] ? wrongBodies(route, valid) : ['{', '[]', '{"__proto__":{}}']) {
            // Bytes, so that no client adds a content type of its own.
            const reply = await ask(call, route, { things: sales.things, raw: Buffer.from(text), headers })
            assert.equal(reply.status, 400, `${text} ${reply.text}`)
            assert.equal(reply.json.classification, 'InvalidArgument', `${text} ${reply.text}`)
          }
        }
        const plain = { raw: Buffer.from('{}'), headers: { 'content-type': 'text/plain' } }
        assert.equal((await ask(call, route, { things: sales.things, ...plain })).status, 415)
      })
    }

    for (const route of withJson.filter(({ isBodyOptional }) => !isBodyOptional)) {
      test(`${routeName(route)}: nothing at all`, async () => {
        const { sales, acme } = world
        const reply = await ask(tenantCallerOf(route, acme), route, { things: sales.things, raw: Buffer.alloc(0) })
        requireRefusal(reply, { status: 400, classification: 'InvalidArgument' })
      })
    }
  })

  test('none of these calls changed anything that belongs to somebody else', async () => {
    assert.deepEqual(await everything(), atFirst)
  })

  describe('is kept to whoever may', () => {
    for (const [number, route] of walked.entries()) {
      test(`${routeName(route)}: succeeds, and fields that are nobody’s to set have no effect`, async () => {
        const { service, acme } = world
        const { endsToken, body, success, isFleeting } = rowOf(route)
        const isUsedUp = isFleeting || (isWrite(route) && route.params !== undefined)
        const { things } = isUsedUp ? await makePlace(service, acme, 'Fresh') : world.sales
        const departmentId = acme.rootDepartmentId
        const headers = endsToken ? await makeToken(service, acme, { departmentId, role: 'admin' }) : {}
        const valid = await body?.(things, acme)
        const { status, text } = await ask(tenantCallerOf(route, acme), route, {
          things,
          headers,
          ...(valid !== undefined && { body: plantIn(route.body!, valid, number) }),
        })
        assert.equal(status, success, text)
        assert.ok(!isPlanted(text), text)
      })
    }

    test('fields that are nobody’s to set are in no row of any table', async () => {
      const { service, sales } = world
      await service.database.asOwner('update department set name = $2 where id = $1', [sales.department.id, 'planted'])
      const [seen, ...others] = await listPlantedRows(service.database)
      assert.match(seen ?? '', /^department: /, 'one would be found')
      assert.deepEqual(others, [])
    })
  })
})

describe('COUNTERSIGN_REQUIRE_BEARER=true', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({ COUNTERSIGN_REQUIRE_BEARER: 'true' })
    acme = await service.createTenant()
  })
  after(() => service.stop())

  test('asks for a token everywhere but where people log in', async () => {
    for (const route of guarded) {
      const reply = await ask(acme.call, route, {
        path: route.url.replaceAll(/:\w+/g, newId()),
        body: isWrite(route) ? [] : undefined,
      })
      const isForLogin = route.permission === 'identity:login'
      if (isForLogin) assert.equal(reply.status, 400, reply.text)
      else assert.deepEqual([reply.status, reply.json.code], [401, 5002], routeName(route))
    }
  })

  test('and is content with one', async () => {
    const list = walked.find((route) => route.operation === 8)!
    assert.equal((await ask(acme.asAdministrator, list, {})).status, 200)
  })
})
