import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OPERATIONS } from '../contract/operations.ts'
import { nobodysThings } from '../contract/world.ts'
import type { TestTenant } from '../service.ts'
import { placesOf } from './places.ts'

/** Its invitations have no token, which is then an unknown one. */
const TENANT = {
  tenantId: 'a tenant',
  administratorEmail: 'admin@example.com',
  asAdministrator: async () => ({}),
} as unknown as TestTenant
const places = (operation: string) => placesOf(operation, nobodysThings(), TENANT)

describe('the places that sqlmap tries', () => {
  test('are every id of a path and every text of a body', async () => {
    const { method, path, body, count } = await places('PATCH /onboarding/department/:id')
    assert.deepEqual([method, body, count], ['PATCH', '{"name":"Renamed*"}', 2])
    assert.match(path, /^\/onboarding\/department\/[0-9a-f-]{36}\*$/)
  })

  test('are every parameter of a query, with a value that its schema takes', async () => {
    const { path, count } = await places('GET /signing/signaturerequest')
    assert.match(path, /[?&]search=a\*/)
    assert.match(path, /[?&]take=1\*/)
    assert.equal(count, path.split('&').length)
  })

  test('are in every operation to which a caller gives anything', async () => {
    const without: string[] = []
    for (const name of Object.keys(OPERATIONS)) if ((await places(name)).count === 0) without.push(name)
    assert.deepEqual(
      without.filter((name) => name.includes(':')),
      [],
    )
    assert.ok(Object.keys(OPERATIONS).length - without.length > 60, String(without))
  })
})
