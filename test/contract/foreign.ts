// What one tenant may learn of another: nothing, whichever way it asks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeName, type Route } from '#platform/http/route.ts'
import { newId } from '#platform/ids.ts'
import type { Reply } from '../service.ts'
import { ask, callerOf, pathOf, rowOf, walked } from './asking.ts'
import { REFERENCES, referencesIn, withValueAt } from './bodies.ts'
import { nobodysThings, type World } from './world.ts'

const guarded = walked.filter((route) => !route.isPublic)
const isList = (route: Route) => !rowOf(route).ids && route.method === 'GET'

/** Tests of every operation with ids of another tenant, in the path and in the body, and of every listing. */
export function walkForeign(world: () => World): void {
  for (const route of guarded.filter((candidate) => rowOf(candidate).ids)) {
    test(`${routeName(route)}: a foreign id is answered as one that nobody has`, () =>
      requireForeignIsUnknown(world(), route))
  }
  for (const route of guarded.filter(({ body, bodyKind }) => body && bodyKind !== 'stream')) {
    for (const reference of referencesIn(route)) {
      test(`${routeName(route)}: a foreign ${reference.join('.')} in the body is answered as one that nobody has`, () =>
        requireForeignReferenceIsUnknown(world(), route, reference))
    }
  }
  // Departments are refused what is of the whole tenant; that is tried elsewhere.
  for (const route of guarded.filter((candidate) => isList(candidate) && !rowOf(candidate).isTenantWide)) {
    test(`${routeName(route)}: holds nothing of it`, () => requireNothingForeign(world(), route))
  }
}

async function requireForeignIsUnknown({ sales, legal, abroad, other }: World, route: Route): Promise<void> {
  const call = callerOf(route, abroad)
  const body = await rowOf(route).body?.(abroad.things, other)
  // Where an unknown id makes a new thing, that thing then has an id which other tests call unknown.
  const foreignIds = rowOf(route).ids!(rowOf(route).makesUnknown ? legal.things : sales.things)
  const unknownIds = rowOf(route).ids!(nobodysThings())
  const foreign = await ask(call, route, { path: pathOf(route, foreignIds), body })
  const unknown = await ask(call, route, { path: pathOf(route, unknownIds), body })
  assert.equal(foreign.status, unknown.status)
  assert.equal(withoutIds(foreign, Object.values(foreignIds)), withoutIds(unknown, Object.values(unknownIds)))
  if (!rowOf(route).makesUnknown) assert.ok(foreign.status >= 400 || foreign.status === 204, foreign.text)
}

async function requireForeignReferenceIsUnknown(
  { sales, abroad, other }: World,
  route: Route,
  reference: string[],
): Promise<void> {
  const call = callerOf(route, abroad)
  const valid = await rowOf(route).body!(abroad.things, other)
  const foreignId = sales.things[REFERENCES[reference.at(-1)!]!]
  const unknownId = newId()
  const things = rowOf(route).makesUnknown ? nobodysThings() : abroad.things
  const foreign = await ask(call, route, { things, body: withValueAt(valid, reference, foreignId) })
  const unknown = await ask(call, route, { things, body: withValueAt(valid, reference, unknownId) })
  assert.equal(foreign.status, unknown.status)
  assert.equal(withoutIds(foreign, [foreignId]), withoutIds(unknown, [unknownId]))
}

async function requireNothingForeign({ sales, abroad, acme }: World, route: Route): Promise<void> {
  const { status, text } = await ask(callerOf(route, abroad), route, {})
  assert.equal(status, 200)
  for (const id of [...Object.values(sales.things), acme.tenantId]) assert.ok(!text.includes(id), id)
}

/** An answer without the ids that were asked for; a success also without what was made for it. */
function withoutIds({ status, text }: Reply, ids: string[]): string {
  const asked = ids.reduce((rest, id) => rest.replaceAll(id, '<id>'), text)
  if (status >= 400) return asked
  return asked.replaceAll(/[0-9a-f-]{36}/g, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
}
