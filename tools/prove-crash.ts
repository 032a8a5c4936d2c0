// `npm run proof:crash`: kills, pauses, starves and cuts the power of the whole service under load, and holds what is
// left against every invariant. Options: --kills N (100), --minutes N (10, or as many as the kills take), --seed N, --rounds N
// (lives of each installation), --faults N (in each life), --only 'name,name' (of faults), --clients N, --no-disk. With
// --servers N --workers N, that many on one outside database and one S3-compatible store.
import { parseArgs } from 'node:util'
import { NEEDS_DISK, runCampaign } from '../test/crash/campaign.ts'
import { severalMachines } from '../test/crash/deployment/several-machines.ts'
import { singleMachine } from '../test/crash/deployment/single-machine.ts'
import { writeReport } from '../test/crash/report.ts'
import { startSurroundings } from '../test/crash/surroundings.ts'

const number = (name: string, otherwise: string) => ({ [name]: { type: 'string', default: otherwise } }) as const
const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    minutes: { type: 'string' },
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
  kills: Number(values.kills ?? 100),
  minutes: Number(values.minutes ?? (values.kills === undefined ? 10 : Infinity)),
  livesEach: Number(given['rounds']),
  faultsEach: Number(given['faults']),
  ...(values.only !== undefined && { faults: values.only.split(',') }),
  clients: Number(given['clients']),
  tenants: 3,
  say: console.log,
})
const { lines, hasHeld } = writeReport(result, {
  again: ['npm run proof:crash --', ...againWith(seed)].join(' '),
  leftOut: given['no-disk'] === true ? [NEEDS_DISK] : [],
})
for (const line of lines) console.log(line)
process.exit(hasHeld ? 0 : 1)

/** The options of this run, with the seed that it had. */
function againWith(seed: number): string[] {
  const own = process.argv.slice(2).map((word) => (word.includes(' ') ? `'${word}'` : word))
  return own.includes('--seed') ? own : [...own, '--seed', String(seed)]
}
