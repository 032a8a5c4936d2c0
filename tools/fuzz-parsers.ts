// Spoils PDF, CMS and ASN.1 files and has them read: `npm run proof:parsers`, or
// `node tools/fuzz-parsers.ts --count 1000 --seed 7`; `--from N --count 1` reads a number of a seed again. Exit 1 where
// something was found.
import { parseArgs } from 'node:util'
import { describeFuzzed, fuzzParsers } from '../test/parser-fuzz/run.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
console.log(`spoiled files: seed ${seed}, ${values.count} from number ${values.from} on`)
const fuzzed = await fuzzParsers({ seed, from: Number(values.from), count: Number(values.count) })
console.log(describeFuzzed(fuzzed))
process.exitCode = fuzzed.findings.length === 0 ? 0 : 1
