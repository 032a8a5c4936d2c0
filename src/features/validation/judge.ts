// One thread that judges one file at a time.
import { Worker } from 'node:worker_threads'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import type { Answer } from '#pades/validate/validation-thread.ts'
import { busy } from './errors.ts'
import type { Bounds } from './judges.ts'

const THREAD = new URL('../../pades/validate/validation-thread.ts', import.meta.url)
const LOOK_EVERY_MS = 100

type Limits = Pick<Bounds, 'computingMs' | 'waitMs' | 'heapMb'>

export type Judge = {
  judge(bytes: Buffer, options: ValidationOptions): Promise<ValidationReport>
  /** A file was too much for it; another one has to be started. */
  readonly hasEnded: boolean
}

/** Starts a thread. It has read its program when this resolves, so that only the file counts from then on. */
export async function startJudge(limits: Limits): Promise<Judge> {
  const worker = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: limits.heapMb } })
  let hasEnded = false
  // Dying of memory is an error and an exit; the exit tells enough.
  worker.on('error', () => {}).once('exit', () => (hasEnded = true))
  await nextAnswer(worker)
  // A process may end while nobody asks.
  worker.unref()
  return {
    get hasEnded() {
      return hasEnded
    },
    async judge(bytes, options) {
      worker.ref()
      try {
        return await ask(worker, bytes, options, limits)
      } finally {
        worker.unref()
      }
    },
  }
}

async function ask(
  worker: Worker,
  bytes: Buffer,
  options: ValidationOptions,
  limits: Limits,
): Promise<ValidationReport> {
  const watch = await watchTime(worker, limits)
  try {
    const answer = nextAnswer(worker)
    worker.postMessage({ id: 0, bytes, options }, [])
    const first = await Promise.race([answer, watch.isOver])
    if (first === 'too long') throw busy()
    if (first === 'too much' || first === 'ended') return tooComplex(options.time)
    if (first.report === undefined) throw new Error(first.problem)
    return first.report
  } finally {
    await watch.stop()
  }
}

/** What the thread says next, or that it has ended before it said anything. */
function nextAnswer(worker: Worker): Promise<Answer | 'ended'> {
  return new Promise((resolve) => {
    const settle = (answer: Answer | 'ended') => {
      worker.off('message', settle).off('exit', onExit)
      resolve(answer)
    }
    const onExit = () => settle('ended')
    worker.on('message', settle).on('exit', onExit)
  })
}

type Watch = { isOver: Promise<'too much' | 'too long'>; stop(): Promise<void> }

/** Looks now and then how much the thread has computed and how long somebody has waited; then the thread ends. */
async function watchTime(worker: Worker, { computingMs, waitMs }: Limits): Promise<Watch> {
  const { promise: isOver, resolve } = Promise.withResolvers<'too much' | 'too long'>()
  const [startedAt, startedWith] = [performance.now(), await computedMs(worker)]
  let ending: Promise<unknown> | undefined
  const end = (why: 'too much' | 'too long') => {
    ending ??= worker.terminate()
    resolve(why)
  }
  const timer = setInterval(() => {
    if (performance.now() - startedAt > waitMs) end('too long')
    else void computedMs(worker).then((usedMs) => usedMs - startedWith > computingMs && end('too much'))
  }, LOOK_EVERY_MS)
  return {
    isOver,
    async stop() {
      clearInterval(timer)
      await ending
    },
  }
}

async function computedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    // It has ended; whoever waits hears of that by its exit.
    return 0
  }
}

function tooComplex(time: Date): ValidationReport {
  const message = 'This file takes more time or memory to judge than is given to one.'
  return {
    verdict: 'indeterminate',
    validatedAt: time,
    revisions: 0,
    signatures: [],
    timestamps: [],
    findings: [{ weight: 'doubt', message }],
  }
}
