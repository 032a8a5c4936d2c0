import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { makeSeal } from './make-seal.ts'
import { publishRevocations } from './publish-revocations.ts'
import { MAKE_SEAL_QUEUE, PUBLISH_QUEUE } from './queues.ts'

/** What happens to certificates later: where the private keys are. */
export function certificateJobs(platform: Platform): JobHandler[] {
  return [
    { queue: MAKE_SEAL_QUEUE, isInteractive: true, run: (job) => makeSeal(platform, job) },
    { queue: PUBLISH_QUEUE, isInteractive: true, run: (job) => publishRevocations(platform, job) },
  ]
}
