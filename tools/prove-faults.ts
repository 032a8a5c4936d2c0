// `npm run proof:faults`: plants one fault after the other into the running product, and requires that the crash harness
// notices each. Options: --plant NAME for one of them, --seed N, --minutes N for each.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { huntPlant } from '../test/crash/hunt-plant.ts'
import { PLANTS } from '../test/crash/plants.ts'

const { values } = parseArgs({
  options: {
    plant: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '5' },
  },
})
const chosen = PLANTS.filter(({ name }) => values.plant === undefined || name === values.plant)
if (chosen.length === 0)
  throw new Error(`there is no fault ${values.plant}; there are ${PLANTS.map((p) => p.name).join(', ')}`)

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
console.log(`seed ${values.seed}`)
let missed = 0
for (const plant of chosen) {
  const { verdict, broken, kills, problems } = await huntPlant(plant, {
    seed: Number(values.seed),
    minutes: Number(values.minutes),
  })
  console.log(`${verdict.padEnd(8)} ${plant.name} after ${kills} kills: ${broken.join(', ')}`)
  if (verdict === 'MISSED') missed++
  for (const problem of problems.slice(0, 3)) console.log(`           ${problem.slice(0, 200)}`)
}
process.exit(missed > 0 ? 1 : 0)
