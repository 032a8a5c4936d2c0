import { availableParallelism } from 'node:os'
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { makeRoom } from './room.ts'
import { SEAL_QUEUE } from './seal-queue.ts'
import { giveUpSealing, makeSealer, type SealOptions } from './seal-request.ts'

/** Three dozens: while one is begun and another is published, both of which wait for the disk, the third is sealed. */
const AT_ONCE = 36

/**
 * Small documents come three a core: while one waits for the disk and another to be judged, each core has a third to work
 * on. Of large ones there are fewer, because each is in memory several times.
 */
const IN_MEMORY = { documents: 3 * availableParallelism(), bytes: 48 * 1024 * 1024 }

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
