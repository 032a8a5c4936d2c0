// Strangers' files are judged in threads of their own, one file at a time in each, with a bound on memory and on
// computing time. A file that goes beyond takes its thread with it and nothing else. What waits is bounded too.
import { availableParallelism } from 'node:os'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import { busy } from './errors.ts'
import { startJudge, type Judge } from './judge.ts'

export type Bounds = {
  threads: number
  /** Files that wait for a thread; one more is refused. */
  waiting: number
  /** Of the processor, not of the clock: a verdict must not depend on how busy the machine is. */
  computingMs: number
  /** Of the clock: longer than this nobody waits at a screen. */
  waitMs: number
  heapMb: number
}

export const BOUNDS: Bounds = {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  waiting: 8,
  computingMs: 2_000,
  waitMs: 20_000,
  heapMb: 256,
}

type Task = {
  bytes: Buffer
  options: ValidationOptions
  resolve: (report: ValidationReport) => void
  reject: (error: unknown) => void
}

export type Judges = {
  /** The validator's report. Throws `busy` where too many wait, or where the machine has no time for it. */
  judge(bytes: Buffer, options: ValidationOptions): Promise<ValidationReport>
}

/** Judges who share these bounds. Threads start when they are needed and stay for the next file. */
export function makeJudges(bounds: Bounds = BOUNDS): Judges {
  const waiting: Task[] = []
  const resting: Judge[] = []
  let working = 0

  /** Works off what waits, and rests when nothing does. */
  async function work(): Promise<void> {
    working++
    let judge = resting.pop()
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      try {
        judge ??= await startJudge(bounds)
        task.resolve(await judge.judge(task.bytes, task.options))
      } catch (error) {
        task.reject(error)
      }
      if (judge?.hasEnded) judge = undefined
    }
    working--
    if (judge) resting.push(judge)
  }

  return {
    judge(bytes, options) {
      if (working >= bounds.threads && waiting.length >= bounds.waiting) return Promise.reject(busy())
      return new Promise((resolve, reject) => {
        waiting.push({ bytes, options, resolve, reject })
        if (working < bounds.threads) void work()
      })
    },
  }
}
