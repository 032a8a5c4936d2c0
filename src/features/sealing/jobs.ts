import { availableParallelism } from 'node:os'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { SEAL_QUEUE } from './seal-queue.ts'
import { giveUpSealing, makeSealer, type SealOptions } from './seal-request.ts'

/** Three dozens: while one is begun and another is published, both of which wait for the disk, the third is sealed. */
const AT_ONCE = 36

/** What sealing does later. Nobody waits at a screen for it, so signatures of people go first. */
export function sealingJobs(platform: Platform, options: SealOptions = {}): JobHandler[] {
  const limit = limitTo(availableParallelism() + 1)
  return [
    {
      queue: SEAL_QUEUE,
      atOnce: AT_ONCE,
      run: makeSealer(platform, { limit, ...options }),
      giveUp: (job) => giveUpSealing(platform, job),
    },
  ]
}

/** Lets at most so many run at a time; the others wait in line. */
function limitTo(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => line.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
