// Lets the readers judge and check every file of a folder; run under strace by no-network.test.ts.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BOUNDS, makeReaders } from '../readers.ts'

const folder = process.argv[2]!
const readers = makeReaders({ ...BOUNDS, processes: 1 })
const verdicts: string[] = []
for (const name of readdirSync(folder)) {
  const bytes = readFileSync(join(folder, name))
  const { verdict } = await readers.validate(bytes, { trustAnchors: [], time: new Date() })
  await readers.check(bytes, {}).catch(() => {}) // Some of them are refused.
  verdicts.push(verdict)
}
console.log(JSON.stringify(verdicts))
process.exit()
