// npm run bench -- [names]: what is measured, each beside its peer or its limit, as one table. Without names, all of it,
// within a quarter of an hour on two quiet cores. growth=2000000 gives a size. Ends with 1 where a goal is not met.
import { cpus, loadavg, totalmem } from 'node:os'
import { printTable, say, type Line } from './table.ts'

/** In the order of the table. */
const MEASUREMENTS: Record<string, (size?: number) => Promise<Line[]>> = {
  start: async () => (await import('./start.ts')).measureStart(),
  api: async () => (await import('./api.ts')).measureApi(),
  uploads: async () => (await import('./uploads.ts')).measureUploads(),
  growth: async (size) => (await import('./growth.ts')).measureGrowth(size),
  engine: async () => (await import('./engine.ts')).measureEngine(),
  validation: async () => (await import('./validation.ts')).measureValidation(),
  sealing: async (size) => (await import('./sealing.ts')).measureSealing(size),
  closing: async (size) => (await import('./closing.ts')).measureClosing(size),
  delivery: async (size) => (await import('./delivery.ts')).measureDelivery(size),
  hooks: async (size) => (await import('./hooks.ts')).measureHooks(size),
  sequencer: async (size) => (await import('./sequencer.ts')).measureSequencer(size),
  fleet: async () => (await import('./fleet.ts')).measureFleet(),
  scanner: async () => (await import('./scanner.ts')).measureScanner(),
}

/** Smaller than what is measured by name: filling a million requests takes longer than all the rest. */
const SIZES_IN_WHOLE_RUN: Record<string, number> = { growth: 30_000 }

const wanted = new Map<string, number | undefined>(process.argv.slice(2).map(readWord))
const unknown = [...wanted.keys()].filter((name) => !(name in MEASUREMENTS))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}.`)
  process.exit(2)
}
const lines: Line[] = []
const loadBefore = loadavg()[0]!
for (const name of Object.keys(MEASUREMENTS)) {
  if (wanted.size === 0) lines.push(...(await measure(name, SIZES_IN_WHOLE_RUN[name])))
  else if (wanted.has(name)) lines.push(...(await measure(name, wanted.get(name))))
}
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, load ${loadBefore.toFixed(1)} before`,
)
printTable(lines)
if (lines.some(({ isMet }) => isMet === false)) process.exitCode = 1

/** What one part has to say. A part that fails is a line too: the others are not lost with it. */
async function measure(name: string, size: number | undefined): Promise<Line[]> {
  say(`measuring: ${name}`)
  const startedAt = performance.now()
  try {
    return await MEASUREMENTS[name]!(size)
  } catch (error) {
    console.error(error)
    return [{ what: name, ours: `FAILED: ${(error as Error).message.slice(0, 100)}`, isMet: false }]
  } finally {
    say(`  ${name} took ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
}

function readWord(word: string): [name: string, size: number | undefined] {
  const [name = '', size] = word.split('=')
  return [name, size === undefined ? undefined : Number(size)]
}
