// `npm run proof:attack -- doors`: plants one mistake after the other into what keeps tenants, departments, roles and
// strangers apart, and requires that the test which is meant to notice it fails. `--only NAME` plants one. Exit 1 where one
// went unnoticed.
import { parseArgs } from 'node:util'
import { OPEN_DOORS } from '../test/guards/open-doors.ts'
import { tryDoor } from '../test/guards/try-door.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, seed: { type: 'string' } } })
const chosen = OPEN_DOORS.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) throw new Error(`there are ${OPEN_DOORS.map(({ name }) => name).join(', ')}`)

let missed = 0
for (const door of chosen) {
  const { isNoticed, output } = await tryDoor(door)
  console.log(`${isNoticed ? 'noticed' : 'MISSED '} ${door.name}: ${door.says}`)
  if (isNoticed) continue
  missed++
  console.log(output.slice(-2_000))
}
console.log(`${chosen.length} mistakes planted, ${missed} missed`)
process.exitCode = missed === 0 ? 0 : 1
