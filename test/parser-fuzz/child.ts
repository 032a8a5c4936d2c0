// Reads spoiled files one after the other, in a process that nobody misses: `node child.ts ENTRY_POINTS SEED FROM TO`. Says
// the number of each before it begins, so that whoever watches knows which one it did not survive.
import { writeSync } from 'node:fs'
import { isRefusal, type EntryPoint } from './entry-points.ts'
import { makeRandom, mutate } from './mutate.ts'

const [module = '', seed = '', from = '', to = ''] = process.argv.slice(2)
const MOST_MS = 1000
const MOST_BYTES = 512 * 1024 * 1024
const STDOUT = 1

/** Written at once: what is only queued is lost with a process that hangs. */
const say = (what: object) => writeSync(STDOUT, `${JSON.stringify(what)}\n`)

/** The bytes of a number; the same ones in every run. */
function makeInput({ files }: EntryPoint, number: number): Buffer {
  const random = makeRandom(Number(seed) ^ Math.imul(number + 1, 0x9e3779b1))
  const file = files[Math.floor(random() * files.length)]!
  return mutate(file, random, files[Math.floor(random() * files.length)]!)
}

async function problemWith(entry: EntryPoint, bytes: Buffer): Promise<string | undefined> {
  const before = process.cpuUsage()
  try {
    await entry.read(bytes)
  } catch (error) {
    if (!isRefusal(error)) return `threw ${error instanceof Error ? error.stack : String(error)}`
  }
  const { user, system } = process.cpuUsage(before)
  const ms = (user + system) / 1000
  if (ms > MOST_MS) return `computed for ${Math.round(ms)} ms`
  const rss = process.memoryUsage.rss()
  return rss > MOST_BYTES ? `occupies ${Math.round(rss / 1024 / 1024)} MB` : undefined
}

const { makeEntryPoints } = (await import(module)) as { makeEntryPoints: () => Promise<EntryPoint[]> }
const entries = (await makeEntryPoints()).filter(({ files }) => files.length > 0)
// What the code itself needs, and the first compilation of it, is no file's fault.
for (const { files, read } of entries)
  for (const file of files.slice(0, 3)) await Promise.try(read, file).catch(() => {})

for (let number = Number(from); number < Number(to); number++) {
  const entry = entries[number % entries.length]!
  say({ number, entry: entry.name })
  const problem = await problemWith(entry, makeInput(entry, number))
  if (problem !== undefined) say({ problem })
}
say({ entries: entries.map(({ name }) => name) })
