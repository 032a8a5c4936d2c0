// Judging a file takes longer than making it. In threads it leaves the process free for those who wait, and uses the
// other cores. What nobody waits for has threads of its own, which step back where the processors are short.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import type { Answer, ThreadData } from '#pades/validate/validation-thread.ts'

type Waiting = { resolve: (report: ValidationReport) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }
type Pool = { threads: Thread[]; most: number; isBulk: boolean; heapMb: number }

/** Validates like validatePdf, in another thread. */
export type ValidateInThread = (
  bytes: Buffer,
  options: ValidationOptions,
  choices?: { isBulk?: boolean },
) => Promise<ValidationReport>

/** One core is left to those who make the files. A thread more would wait for them, and warm up for nothing. */
const MOST = Math.max(1, availableParallelism() - 1)
/** Of a thread's heap, besides the file: a file that takes more ends its thread, and not the process with the keys. */
const HEAP_MB = 512

/** Threads that share these bounds. They start when they are needed. */
export function makeValidationThreads({ heapMb }: { heapMb: number }): ValidateInThread {
  const urgent: Pool = { threads: [], most: MOST, isBulk: false, heapMb }
  const bulk: Pool = { threads: [], most: MOST, isBulk: true, heapMb }
  let lastId = 0
  return (bytes, options, { isBulk = false } = {}) => {
    const thread = chooseThread(isBulk ? bulk : urgent)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      thread.waiting.set(id, { resolve, reject })
      // A process may end while nothing is asked, but not before an answer that somebody waits for.
      thread.worker.ref()
      thread.worker.postMessage({ id, bytes, options }, [])
    })
  }
}

/** The same as validatePdf, in another thread. */
export const validateInThread = makeValidationThreads({ heapMb: HEAP_MB })

function chooseThread(pool: Pool): Thread {
  const { threads, most } = pool
  const idlest = threads.toSorted((one, other) => one.waiting.size - other.waiting.size)[0]
  if (idlest !== undefined && (idlest.waiting.size === 0 || threads.length >= most)) return idlest
  return startThread(pool)
}

function startThread({ threads, isBulk, heapMb }: Pool): Thread {
  const workerData: ThreadData = { isBulk }
  const worker = new Worker(new URL('../../pades/validate/validation-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  const thread: Thread = { worker, waiting: new Map() }
  worker.unref()
  worker.on('message', ({ id, report, problem }: Answer) => {
    const waiting = thread.waiting.get(id)
    thread.waiting.delete(id)
    if (thread.waiting.size === 0) worker.unref()
    if (report === undefined) waiting?.reject(new Error(problem))
    else waiting?.resolve(report)
  })
  const end = (error: unknown) => {
    const at = threads.indexOf(thread)
    if (at >= 0) threads.splice(at, 1)
    // Whoever waits hears of it, and the next question starts another thread.
    for (const { reject } of thread.waiting.values()) reject(error instanceof Error ? error : new Error(String(error)))
    thread.waiting.clear()
  }
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread that judges files has ended')))
  threads.push(thread)
  return thread
}
