// What one tenant may learn of another: nothing, whichever way it asks and whoever asks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeName, type Route } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import type { Caller, Reply } from '../service.ts'
import { ask, callerOf, pathOf, rowOf, walked } from './asking.ts'
import { REFERENCES, referencesIn, withValueAt } from './bodies.ts'
import { nobodysThings, type World } from './world.ts'

const guarded = walked.filter((route) => !route.isPublic)
const isList = (route: Route) => !rowOf(route).ids && route.method === 'GET'

/** Tests of every operation with ids of another tenant, in the path and in the body, and of every listing. */
export function walkForeign(world: () => World): void {
  let questions = 0
  const counted = async (asking: Promise<number>) => void (questions += await asking)
  for (const route of guarded.filter((candidate) => rowOf(candidate).ids)) {
    test(`${routeName(route)}: a foreign id is answered as one that nobody has, whoever asks`, () =>
      counted(requireForeignIsUnknown(world(), route)))
  }
  for (const route of guarded.filter(({ body, bodyKind }) => body && bodyKind !== 'stream')) {
    for (const reference of referencesIn(route)) {
      test(`${routeName(route)}: a foreign ${reference.join('.')} in the body is answered as one that nobody has`, () =>
        counted(requireForeignReferenceIsUnknown(world(), route, reference)))
    }
  }
  for (const route of guarded.filter(isList)) {
    test(`${routeName(route)}: holds nothing of it, whoever asks`, () => counted(requireNothingForeign(world(), route)))
  }
  test('every operation was asked, by everybody', (t) => {
    t.diagnostic(`${questions} questions for what belongs to somebody else`)
    assert.ok(questions > guarded.length * 5, `${questions} questions`)
  })
}

/** Everybody who may ask for another tenant: each role with its credentials, in a department and in the whole tenant. */
export function strangersOf({ abroad, other, third, strangers }: World): [who: string, call: Caller][] {
  const withHeaders =
    (call: Caller, headers: Record<string, string>): Caller =>
    (method, path, body, options = {}) =>
      call(method, path, body, { ...options, headers: { ...headers, ...options.headers } })
  return [
    ['a department’s key', abroad.department.call],
    ['a department’s administrator', withHeaders(abroad.department.call, abroad.asAdministrator)],
    ['a user', withHeaders(other.call, strangers.user)],
    ['the tenant’s key', other.call],
    ['the tenant’s administrator', other.asAdministrator],
    ['a person in the console', strangers.console],
    ['the administrator of a third tenant', third.asAdministrator],
  ]
}

/** Answers with how often it asked, as the others do. */
async function requireForeignIsUnknown(world: World, route: Route): Promise<number> {
  const { sales, legal, abroad, other } = world
  // Where an unknown id makes a new thing, that thing then has an id which other tests call unknown.
  const foreignIds = rowOf(route).ids!(rowOf(route).makesUnknown ? legal.things : sales.things)
  const strangers = strangersOf(world)
  for (const [who, call] of strangers) {
    const body = await rowOf(route).body?.(abroad.things, other)
    const unknownIds = rowOf(route).ids!(nobodysThings())
    const foreign = await ask(call, route, { path: pathOf(route, foreignIds), body })
    const unknown = await ask(call, route, { path: pathOf(route, unknownIds), body })
    assert.equal(foreign.status, unknown.status, who)
    assert.equal(withoutIds(foreign, Object.values(foreignIds)), withoutIds(unknown, Object.values(unknownIds)), who)
    if (!rowOf(route).makesUnknown) assert.ok(foreign.status >= 400 || foreign.status === 204, `${who} ${foreign.text}`)
    requireNoTrace(world, foreign, foreignIds)
  }
  return strangers.length
}

async function requireForeignReferenceIsUnknown(world: World, route: Route, reference: string[]): Promise<number> {
  const { sales, abroad, other } = world
  const call = callerOf(route, abroad)
  const valid = await rowOf(route).body!(abroad.things, other)
  const foreignId = sales.things[REFERENCES[reference.at(-1)!]!]
  const unknownId = newId()
  const things = rowOf(route).makesUnknown ? nobodysThings() : abroad.things
  const foreign = await ask(call, route, { things, body: withValueAt(valid, reference, foreignId) })
  const unknown = await ask(call, route, { things, body: withValueAt(valid, reference, unknownId) })
  assert.equal(foreign.status, unknown.status)
  assert.equal(withoutIds(foreign, [foreignId]), withoutIds(unknown, [unknownId]))
  return 1
}

async function requireNothingForeign(world: World, route: Route): Promise<number> {
  const strangers = strangersOf(world)
  for (const [who, call] of strangers) {
    const reply = await ask(call, route, {})
    assert.ok([200, 401, 403].includes(reply.status), `${who} ${reply.text}`)
    requireNoTrace(world, reply, {})
  }
  return strangers.length
}

/** Every name and text of the walked things holds the id of its department, so a copy of any of them is noticed. */
function requireNoTrace({ sales, legal, acme }: World, { text }: Reply, asked: Record<string, string>): void {
  // An id that makes a new thing has made one with Legal's id, of the stranger's own.
  const { sealingRequestId: taken, ...beside } = legal.things
  const known = [taken, ...Object.values(asked)]
  const ids = [...Object.values<string>(sales.things), ...Object.values<string>(beside), acme.tenantId]
  for (const id of ids) assert.ok(known.includes(id) || !text.includes(id), `${id} in ${text.slice(0, 500)}`)
}

/** An answer without the ids that were asked for; a success also without what was made for it. */
export function withoutIds({ status, text }: Pick<Reply, 'status' | 'text'>, ids: string[]): string {
  const asked = ids.reduce((rest, id) => rest.replaceAll(id, '<id>'), text)
  if (status >= 400) return asked
  return asked.replaceAll(/[0-9a-f-]{36}/g, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
}
