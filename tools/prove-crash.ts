// `npm run proof:crash`: kills, pauses, starves and cuts the power of the whole service under load, and holds what is
// left against every invariant. Options: --kills N, --minutes N, --seed N, --rounds N (lives of each installation),
// --faults N (in each life), --only 'name,name' (of faults), --clients N, --no-disk. With --servers N --workers N, that
// many on one outside database and one S3-compatible store.
import { parseArgs } from 'node:util'
import { runCampaign } from '../test/crash/campaign.ts'
import { severalMachines } from '../test/crash/deployment/several-machines.ts'
import { singleMachine } from '../test/crash/deployment/single-machine.ts'
import { printReport } from '../test/crash/report.ts'
import { startSurroundings } from '../test/crash/surroundings.ts'

const number = (name: string, otherwise: string) => ({ [name]: { type: 'string', default: otherwise } }) as const
const { values } = parseArgs({
  options: {
    ...number('kills', '100'),
    ...number('minutes', '10'),
    ...number('seed', String(Math.floor(Math.random() * 2 ** 31))),
    ...number('rounds', '12'),
    ...number('faults', '6'),
    ...number('clients', '6'),
    ...number('servers', '0'),
    ...number('workers', '1'),
    only: { type: 'string' },
    'no-disk': { type: 'boolean', default: false },
  },
})
const given = values as unknown as Record<string, string | boolean>
const seed = Number(given['seed'])

console.log(`seed ${seed}`)
const result = await runCampaign({
  seed,
  startSurroundings,
  describe: async ({ environment }) =>
    Number(given['servers']) === 0
      ? singleMachine({ environment, onOwnDisk: given['no-disk'] !== true })
      : {
          deployment: await severalMachines({
            environment,
            servers: Number(given['servers']),
            workers: Number(given['workers']),
          }),
        },
  kills: Number(given['kills']),
  minutes: Number(given['minutes']),
  livesEach: Number(given['rounds']),
  faultsEach: Number(given['faults']),
  ...(values.only !== undefined && { faults: values.only.split(',') }),
  clients: Number(given['clients']),
  tenants: 3,
  say: console.log,
})
printReport(result, { again: `npm run proof:crash -- --seed ${seed} --kills ${given['kills']}` })
process.exit(result.problems.length > 0 ? 1 : 0)
