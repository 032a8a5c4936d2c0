// npm run bench -- [names]: what is measured, each beside its peer or its limit, as one table. Without names, all of it.
import { cpus, totalmem } from 'node:os'
import { printTable, say, type Line } from './table.ts'

/** In the order of the table. What has lines for it answers with them; the rest prints by itself. */
const MEASUREMENTS: Record<string, () => Promise<Line[] | void>> = {
  start: async () => (await import('./start.ts')).measureStart(),
  api: async () => (await import('./api.ts')).measureApi(),
  uploads: async () => (await import('./uploads.ts')).measureUploads(),
  growth: async () => (await import('./growth.ts')).measureGrowth(),
  engine: async () => (await import('./engine.ts')).measureEngine(),
  sealing: async () => (await import('./sealing.ts')).measureSealing(),
  hooks: async () => (await import('./hooks.ts')).measureHooks(),
  sequencer: async () => (await import('./sequencer.ts')).measureSequencer(),
  scanner: async () => void (await import('./scanner.ts')),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in MEASUREMENTS))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}.`)
  process.exit(2)
}
const lines: Line[] = []
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  say(`measuring: ${name}`)
  lines.push(...((await measure()) ?? []))
}
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
)
printTable(lines)
