// Judging a file takes longer than making it. In threads it leaves the process free for those who wait, and uses the
// other cores.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import type { Answer } from '#pades/validate/validation-thread.ts'

type Waiting = { resolve: (report: ValidationReport) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

const MOST_THREADS = Math.max(1, availableParallelism() - 1)
const threads: Thread[] = []
let lastId = 0

/** The same as validatePdf, in another thread. */
export function validateInThread(bytes: Buffer, options: ValidationOptions): Promise<ValidationReport> {
  const thread = chooseThread()
  const id = ++lastId
  return new Promise((resolve, reject) => {
    thread.waiting.set(id, { resolve, reject })
    // A process may end while nothing is asked, but not before an answer that somebody waits for.
    thread.worker.ref()
    thread.worker.postMessage({ id, bytes, options }, [])
  })
}

function chooseThread(): Thread {
  const idlest = threads.toSorted((one, other) => one.waiting.size - other.waiting.size)[0]
  if (idlest !== undefined && (idlest.waiting.size === 0 || threads.length >= MOST_THREADS)) return idlest
  return startThread()
}

function startThread(): Thread {
  const worker = new Worker(new URL('../../pades/validate/validation-thread.ts', import.meta.url))
  const thread: Thread = { worker, waiting: new Map() }
  worker.unref()
  worker.on('message', ({ id, report, problem }: Answer) => {
    const waiting = thread.waiting.get(id)
    thread.waiting.delete(id)
    if (thread.waiting.size === 0) worker.unref()
    if (report === undefined) waiting?.reject(new Error(problem))
    else waiting?.resolve(report)
  })
  worker.on('error', (error) => end(thread, error))
  worker.on('exit', () => end(thread, new Error('the thread that judges files has ended')))
  threads.push(thread)
  return thread
}

/** Whoever waits hears of it, and the next question starts another thread. */
function end(thread: Thread, error: unknown): void {
  const at = threads.indexOf(thread)
  if (at >= 0) threads.splice(at, 1)
  for (const { reject } of thread.waiting.values()) reject(error instanceof Error ? error : new Error(String(error)))
  thread.waiting.clear()
}
