// A small share of `npm run proof:crash`: the whole service is killed under load, and everything that was answered holds.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { routes } from '#main/routes.ts'
import { routeName } from '#platform/http/route.ts'
import { runCampaign } from './crash/campaign.ts'
import { singleMachine } from './crash/deployment/single-machine.ts'
import { INVARIANTS } from './crash/invariants/index.ts'
import { PLANTS } from './crash/plants.ts'
import { startSurroundings } from './crash/surroundings.ts'
import { READS } from './crash/workload/reading-steps.ts'
import { NOT_EXERCISED, STEPS } from './crash/workload/steps.ts'
import { invariantsTable } from '../tools/reference/invariants-table.ts'

const firstSeed = Number(process.env['COUNTERSIGN_CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** On a machine that has much else to do, hardly anything may be answered between two faults. */
const MOST_CAMPAIGNS = 5

describe('the crash harness', () => {
  test('kills every part and the whole under load, and finds nothing lost and nothing doubled', async (t) => {
    for (let seed = firstSeed; ; seed++) {
      const { figures, problems } = await runCampaign({
        seed,
        startSurroundings,
        describe: ({ environment }) => singleMachine({ environment, onOwnDisk: true }),
        kills: 1,
        minutes: 5,
        livesEach: 1,
        faultsEach: 5,
        clients: 6,
        tenants: 3,
      })
      const { kills, answered, unknown } = figures
      t.diagnostic(`crash: seed ${seed}, ${figures.line()}, ${answered} calls answered, ${unknown} not`)
      assert.deepEqual(problems, [], `seed ${seed}`)
      if (kills > 0 && answered > 20) break
      assert.ok(seed < firstSeed + MOST_CAMPAIGNS - 1, 'hardly anything happened')
    }
  })

  test('exercises every operation that changes something, or says why not', () => {
    const changes = new Set(STEPS.flatMap((step) => step.changes))
    const names = routes.map(routeName)
    const missing = names.filter(
      (name) => !name.startsWith('GET ') && !changes.has(name) && NOT_EXERCISED[name] === undefined,
    )
    assert.deepEqual(missing, [])
    for (const name of [...changes, ...READS, ...Object.keys(NOT_EXERCISED)])
      assert.ok(names.includes(name), `${name} is no operation`)
  })

  test('holds what docs/reliability.md says that it holds', () => {
    const page = readFileSync('docs/reliability.md', 'utf8')
    assert.ok(page.includes(invariantsTable()), 'the table of invariants is not that of the code')
    for (const { name } of PLANTS) assert.ok(page.includes(`\`${name}\``), `${name} is missing`)
  })

  test('has a name and a sentence of its own for every invariant', () => {
    assert.equal(new Set(INVARIANTS.map(({ name }) => name)).size, INVARIANTS.length)
    assert.equal(new Set(INVARIANTS.map(({ says }) => says)).size, INVARIANTS.length)
  })
})
