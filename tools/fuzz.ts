// Fuzzes every operation of the API: `npm run fuzz -- --each 1000 --seed 7`. Exit 1 where something was found.
import { parseArgs } from 'node:util'
import { apiDocument } from '../test/contract/documented.ts'
import { describeOutcome, fuzz } from '../test/fuzz/run.ts'
import { makeTarget } from '../test/fuzz/target.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'

const { values } = parseArgs({
  options: { each: { type: 'string', default: '200' }, seed: { type: 'string' }, only: { type: 'string' } },
})
const each = Number(values.each)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const only = values.only

console.log(`fuzz: seed ${seed}, ${each} requests an operation`)
await globalSetup()
const { service, ...rest } = await makeTarget()
try {
  const paths = Object.entries(apiDocument.paths).filter(([path]) => only === undefined || path.includes(only))
  const document = { ...apiDocument, paths: Object.fromEntries(paths) }
  const outcome = await fuzz({ document, url: service.url, seed, each, ...rest })
  console.log(describeOutcome(outcome))
  process.exitCode = outcome.findings.length === 0 ? 0 : 1
} finally {
  await service.stop()
  globalTeardown()
}
