import { availableParallelism } from 'node:os'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { makeRoom } from './room.ts'
import { SEAL_QUEUE } from './seal-queue.ts'
import { giveUpSealing, makeSealer, type SealOptions } from './seal-request.ts'

/** Five groups: most of them wait, to be begun, kept or published together, and enough are left to be sealed meanwhile. */
const AT_ONCE = 160

/**
 * Small documents come ten a core: while some wait for the disk and others to be judged, each core has one to work on. Of
 * large ones there are fewer, because each is in memory several times.
 */
const IN_MEMORY = { documents: 10 * availableParallelism(), bytes: 48 * 1024 * 1024 }

/** What sealing does later. Nobody waits at a screen for it, so signatures of people go first. */
export function sealingJobs(platform: Platform, options: SealOptions = {}): JobHandler[] {
  const room = makeRoom(IN_MEMORY)
  return [
    {
      queue: SEAL_QUEUE,
      atOnce: AT_ONCE,
      run: makeSealer(platform, { room, ...options }),
      giveUp: (job) => giveUpSealing(platform, job),
    },
  ]
}
