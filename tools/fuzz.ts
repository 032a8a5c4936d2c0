// Fuzzes every operation of the API: `npm run proof:fuzz`, or `npm run fuzz -- --each 50 --seed 7 --only /hooks`. The same
// seed sends the same requests again, whichever operations are asked. Exit 1 where something was found.
import { parseArgs } from 'node:util'
import { apiDocument } from '../test/contract/documented.ts'
import { describeOutcome, fuzz } from '../test/fuzz/run.ts'
import { makeTarget } from '../test/fuzz/target.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '200' },
    seed: { type: 'string' },
    only: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    'slowest-ms': { type: 'string', default: '2000' },
  },
})
const each = Number(values.each)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const atOnce = Number(values['at-once'])
const slowestMs = Number(values['slowest-ms'])
/** Beginnings of paths, with commas between them. */
const only = values.only?.split(',')

console.log(`fuzz: seed ${seed}, ${each} requests an operation`)
await globalSetup()
const { service, ...rest } = await makeTarget()
try {
  const paths = Object.entries(apiDocument.paths).filter(
    ([path]) => only === undefined || only.some((beginning) => path.startsWith(beginning)),
  )
  const document = { ...apiDocument, paths: Object.fromEntries(paths) }
  const outcome = await fuzz({ document, url: service.url, seed, each, atOnce, slowestMs, ...rest })
  console.log(describeOutcome(outcome))
  process.exitCode = outcome.findings.length === 0 ? 0 : 1
} finally {
  await service.stop()
  globalTeardown()
}
