// Mistakes that open a door are noticed. All of them: `npm run proof:attack -- doors`; here a quick one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { rewrite } from '../crash/plants.ts'
import { OPEN_DOORS } from './open-doors.ts'
import { listFailures, tryDoor } from './try-door.ts'

const QUICK = ['private-receiver']

describe('doors that a mistake leaves open', () => {
  test('are twenty and more', () => assert.ok(OPEN_DOORS.length >= 20))

  for (const { name, rewrites, test: noticing } of OPEN_DOORS) {
    test(`${name} still has its place in the source, and a test that notices`, () => {
      for (const file of new Set(rewrites.map((one) => one.file))) {
        const source = readFileSync(file, 'utf8')
        assert.notEqual(rewrites.filter((one) => one.file === file).reduce(rewrite, source), source)
      }
      assert.ok(noticing.name.length > 10)
      assert.ok(readFileSync(noticing.file, 'utf8').includes(noticing.name), `${noticing.file}: ${noticing.name}`)
    })
  }

  test('are noticed by a test that fails, not by one that passes', () => {
    const output = '▶ all\n  ✔ good one (1.2ms)\n  ✖ bad one (3ms)\n✖ all (5ms)\n✖ failing tests:\n'
    assert.deepEqual(listFailures(output), ['bad one', 'all', 'failing tests:'])
  })

  for (const door of OPEN_DOORS.filter(({ name }) => QUICK.includes(name))) {
    test(`${door.name} is noticed: ${door.says}`, async () => {
      const { isNoticed, output } = await tryDoor(door)
      assert.ok(isNoticed, output)
    })
  }
})
