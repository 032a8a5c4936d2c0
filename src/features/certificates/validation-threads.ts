// Judging a file takes longer than making it. In threads it leaves the process free for those who wait, and uses the
// other cores. What nobody waits for has threads of its own, which step back where the processors are short.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import { asStorageError } from '#platform/blobs/errors.ts'
import type { WrittenBlob } from '#platform/blobs/written-apart.ts'
import { ownMemoryOf } from '#platform/let-go.ts'
import type { Answer, Judged, Problem, Question, ThreadData } from './validation-thread.ts'

type Waiting = { resolve: (judged: Judged) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }
type Pool = { threads: Thread[]; most: number; isBulk: boolean; heapMb: number }

export type ValidationThreads = {
  /** The same as validatePdf, in another thread. */
  validate(bytes: Buffer, options: ValidationOptions, choices?: { isBulk?: boolean }): Promise<ValidationReport>
  /** The same; the bytes are written to a new file on the way, and are gone from here. Their SHA-256 may be known. */
  validateAndWrite(
    bytes: Buffer,
    options: ValidationOptions,
    choices: { path: string; isBulk: boolean; sha256?: string | undefined },
  ): Promise<{ report: ValidationReport; written: WrittenBlob }>
}

/** One core is left to those who make the files. A thread more would wait for them, and warm up for nothing. */
const MOST = Math.max(1, availableParallelism() - 1)
/** Of a thread's heap, besides the file: a file that takes more ends its thread, and not the process with the keys. */
const HEAP_MB = 512

/** Threads that share these bounds. They start when they are needed. */
export function makeValidationThreads({ heapMb }: { heapMb: number }): ValidationThreads {
  const urgent: Pool = { threads: [], most: MOST, isBulk: false, heapMb }
  const bulk: Pool = { threads: [], most: MOST, isBulk: true, heapMb }
  let lastId = 0
  const ask = (pool: Pool, question: Omit<Question, 'id'>, given: ArrayBuffer[] = []): Promise<Judged> => {
    const thread = chooseThread(pool)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      thread.waiting.set(id, { resolve, reject })
      // A process may end while nothing is asked, but not before an answer that somebody waits for.
      thread.worker.ref()
      thread.worker.postMessage({ id, ...question }, given)
    })
  }
  return {
    async validate(bytes, options, { isBulk = false } = {}) {
      const { report } = await ask(isBulk ? bulk : urgent, { bytes, options })
      return report
    },
    async validateAndWrite(bytes, options, { path, isBulk, sha256 }) {
      const question = { bytes, options, path, sha256 }
      const { report, written } = await ask(isBulk ? bulk : urgent, question, ownMemoryOf(bytes))
      return { report, written: written! }
    },
  }
}

/** Those of this process. */
export const validationThreads = makeValidationThreads({ heapMb: HEAP_MB })

function chooseThread(pool: Pool): Thread {
  const { threads, most } = pool
  const idlest = threads.toSorted((one, other) => one.waiting.size - other.waiting.size)[0]
  if (idlest !== undefined && (idlest.waiting.size === 0 || threads.length >= most)) return idlest
  return startThread(pool)
}

function startThread({ threads, isBulk, heapMb }: Pool): Thread {
  const workerData: ThreadData = { isBulk }
  const worker = new Worker(new URL('./validation-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // The files that it opens are handed over to us, open as they are.
    trackUnmanagedFds: false,
  })
  const thread: Thread = { worker, waiting: new Map() }
  worker.unref()
  worker.on('message', ({ id, ...answer }: Answer) => {
    const waiting = thread.waiting.get(id)
    thread.waiting.delete(id)
    if (thread.waiting.size === 0) worker.unref()
    if ('problem' in answer) waiting?.reject(asError(answer))
    else waiting?.resolve(answer)
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

/** With a code of the system it is about the file that was to be written. */
function asError({ problem, code }: Problem): Error {
  return code === undefined ? new Error(problem) : asStorageError(Object.assign(new Error(problem), { code }))
}
