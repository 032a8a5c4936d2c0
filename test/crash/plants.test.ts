// Faults that are planted on purpose are caught. All eight: `npm run proof:faults`; here the two that come to light soonest.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { INVARIANTS } from './invariants/index.ts'
import { FAULTS } from './faults.ts'
import { huntPlant } from './hunt-plant.ts'
import { PLANTS, rewrite } from './plants.ts'

const SOON = ['dropped-connection-handler', 'delivered-before-sent']

describe('planted faults', () => {
  for (const plant of PLANTS) {
    test(`${plant.name} still has its place in the source`, () => {
      for (const file of new Set(plant.rewrites.map((one) => one.file))) {
        const source = readFileSync(file, 'utf8')
        const planted = plant.rewrites.filter((one) => one.file === file).reduce(rewrite, source)
        assert.notEqual(planted, source)
      }
      for (const name of plant.breaks)
        assert.ok(
          INVARIANTS.some((one) => one.name === name),
          name,
        )
      for (const name of plant.faults)
        assert.ok(
          FAULTS.some((one) => one.name === name),
          name,
        )
    })
  }

  test('a place that is not there is refused', () => {
    assert.throws(() => rewrite('abc', { file: 'x', from: 'd', to: '' }), /0 places/)
  })

  for (const plant of PLANTS.filter(({ name }) => SOON.includes(name))) {
    test(`${plant.name} is caught: ${plant.says}`, async (t) => {
      const hunt = await huntPlant(plant, { seed: 7, minutes: 8 })
      t.diagnostic(`${plant.name}: ${hunt.verdict} after ${hunt.kills} kills: ${hunt.broken.join(', ')}`)
      assert.equal(hunt.verdict, 'caught', hunt.problems.join('\n'))
    })
  }
})
