// `npm run proof:attack`: the half of the proof that is about attackers, in one command; it takes about an hour on two cores.
// `npm run proof:attack -- races links` runs some of its parts, `--seed N` sends the same requests and spoils the same files
// again. Where one part is run that has options of its own, it gets them: `npm run proof:fuzz -- --only /hooks`. Exit 1 where
// anything failed.
import { fileURLToPath } from 'node:url'
import { PARTS } from './attack/parts.ts'
import { describeOutcomes, runParts } from './attack/run-parts.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const given = process.argv.slice(2)
const firstOption = given.findIndex((word) => word.startsWith('--'))
const names = firstOption < 0 ? given : given.slice(0, firstOption)
const options = firstOption < 0 ? [] : given.slice(firstOption)
const unknown = names.find((name) => !PARTS.some((part) => part.name === name))
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}; there are ${PARTS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const chosen = PARTS.filter(({ name }) => names.length === 0 || names.includes(name))
const seedAt = options.indexOf('--seed')
const seed = seedAt < 0 ? Math.floor(Math.random() * 2 ** 31) : Number(options.splice(seedAt, 2)[1])
if (!Number.isSafeInteger(seed) || (options.length > 0 && !(chosen.length === 1 && chosen[0]!.takesOptions))) {
  console.error('--seed takes a number; any other option belongs to one part: doors, parsers or fuzz.')
  process.exit(2)
}

console.log(`seed ${seed}`)
const outcomes = await runParts(chosen, { seed, more: options, onOutput: (text) => process.stdout.write(text) })
console.log(`\nseed ${seed}\n${describeOutcomes(outcomes)}`)
process.exitCode = outcomes.every(({ hasHeld }) => hasHeld) ? 0 : 1
