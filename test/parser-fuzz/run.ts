// Watches the process that reads spoiled files: what throws, computes or occupies too much is told by it, what hangs or
// ends it is seen from here, and another process goes on behind it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { readUsage } from '#pades/process-usage.ts'

export type Finding = { number: number; entry: string; problem: string }
export type Fuzzed = { inputs: number; entries: string[]; findings: Finding[] }

export type FuzzParsers = {
  seed: number
  from?: number
  count: number
  /** Where makeEntryPoints is. */
  entryPoints?: URL
  heapMb?: number
}

const CHILD = new URL('./child.ts', import.meta.url).pathname
const ENTRY_POINTS = new URL('./entry-points.ts', import.meta.url)
const HEAP_MB = 512
/** Of the processor, over one file: then nobody waits for it to tell by itself. */
const STALL_CPU_MS = 1_500
/** Of the clock: it neither computes nor says anything. */
const STALL_MS = 120_000
const LOOK_EVERY_MS = 250
/** So many processes may be lost before it is clear enough. */
const MOST_LOST = 20

type Said = { number?: number; entry?: string; problem?: string; entries?: string[] }

/** Reads so many spoiled files, from a number on, and answers with those that were too much for somebody. */
export async function fuzzParsers(options: FuzzParsers): Promise<Fuzzed> {
  const { from = 0, count } = options
  const fuzzed: Fuzzed = { inputs: 0, entries: [], findings: [] }
  let next = from
  for (let lost = 0; next < from + count && lost < MOST_LOST; lost++) {
    next = await runChild(options, next, from + count, fuzzed)
  }
  fuzzed.inputs = next - from
  return fuzzed
}

/** Runs one process as far as it comes; answers with the number to go on with. */
async function runChild(options: FuzzParsers, from: number, to: number, fuzzed: Fuzzed): Promise<number> {
  const { seed, entryPoints = ENTRY_POINTS, heapMb = HEAP_MB } = options
  const args = [`--max-old-space-size=${heapMb}`, CHILD, entryPoints.href, String(seed), String(from), String(to)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let current = { number: from, entry: 'loading' }
  let isDone = false
  const watch = watchStall(child)
  createInterface({ input: child.stdout }).on('line', (line) => {
    watch.heard()
    const said = JSON.parse(line) as Said
    if (said.number !== undefined) current = { number: said.number, entry: said.entry! }
    if (said.problem !== undefined) fuzzed.findings.push({ ...current, problem: said.problem })
    if (said.entries) [isDone, fuzzed.entries] = [true, said.entries]
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  watch.stop()
  if (isDone) return to
  const problem = watch.hasStalled() ? 'said nothing any more' : `ended the process (${signal ?? code})`
  fuzzed.findings.push({ ...current, problem })
  return current.number + 1
}

/** Ends a process that has computed or waited for too long since it was last heard. Loading may take what it takes. */
function watchStall(child: ChildProcess) {
  let isLoading = true
  let heardAt = performance.now()
  let computedBefore: number | undefined
  let hasStalled = false
  const look = async () => {
    const computedMs = (await readUsage(child.pid!))?.computedMs ?? 0
    computedBefore ??= computedMs
    const isComputing = !isLoading && computedMs - computedBefore >= STALL_CPU_MS
    if (!isComputing && performance.now() - heardAt < STALL_MS) return
    hasStalled = true
    child.kill('SIGKILL')
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return {
    heard() {
      isLoading = false
      heardAt = performance.now()
      computedBefore = undefined
    },
    hasStalled: () => hasStalled,
    stop: () => clearInterval(timer),
  }
}

export function describeFuzzed({ inputs, entries, findings }: Fuzzed): string {
  const lines = findings.map(({ number, entry, problem }) => `number ${number}, ${entry}: ${problem}`)
  return [...lines, `${inputs} spoiled files for ${entries.length} readers: ${findings.length} findings`].join('\n')
}
