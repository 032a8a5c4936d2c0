// npm run bench -- [api] [uploads] [growth] [sealing] [hooks] [sequencer] [scanner] [engine]: what is measured, each
// beside its peer or its limit.
import { cpus, totalmem } from 'node:os'

const MEASUREMENTS: Record<string, () => Promise<unknown>> = {
  api: async () => (await import('./api.ts')).measureApi(),
  uploads: async () => (await import('./uploads.ts')).measureUploads(),
  growth: async () => (await import('./growth.ts')).measureGrowth(),
  sealing: async () => (await import('./sealing.ts')).measureSealing(),
  hooks: async () => (await import('./hooks.ts')).measureHooks(),
  sequencer: async () => (await import('./sequencer.ts')).measureSequencer(),
  scanner: () => import('./scanner.ts'),
  engine: () => import('./engine.ts'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in MEASUREMENTS))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}.`)
  process.exit(2)
}
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB`,
)
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure()
}
