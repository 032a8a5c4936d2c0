// npm run bench -- [names]: what is measured, each beside its peer or its limit, as one table. Without names, all of it.
// growth=2000000 gives a size.
import { cpus, totalmem } from 'node:os'
import { printTable, say, type Line } from './table.ts'

/** In the order of the table. */
const MEASUREMENTS: Record<string, (size?: number) => Promise<Line[]>> = {
  start: async () => (await import('./start.ts')).measureStart(),
  api: async () => (await import('./api.ts')).measureApi(),
  uploads: async () => (await import('./uploads.ts')).measureUploads(),
  growth: async (size) => (await import('./growth.ts')).measureGrowth(size),
  engine: async () => (await import('./engine.ts')).measureEngine(),
  sealing: async (size) => (await import('./sealing.ts')).measureSealing(size),
  closing: async (size) => (await import('./closing.ts')).measureClosing(size),
  hooks: async (size) => (await import('./hooks.ts')).measureHooks(size),
  sequencer: async (size) => (await import('./sequencer.ts')).measureSequencer(size),
  scanner: async () => (await import('./scanner.ts')).measureScanner(),
}

const wanted = new Map<string, number | undefined>(process.argv.slice(2).map(readWord))
const unknown = [...wanted.keys()].filter((name) => !(name in MEASUREMENTS))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}.`)
  process.exit(2)
}
const lines: Line[] = []
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.size > 0 && !wanted.has(name)) continue
  say(`measuring: ${name}`)
  lines.push(...(await measure(wanted.get(name))))
}
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
)
printTable(lines)

function readWord(word: string): [name: string, size: number | undefined] {
  const [name = '', size] = word.split('=')
  return [name, size === undefined ? undefined : Number(size)]
}
