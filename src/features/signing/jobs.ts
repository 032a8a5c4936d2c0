// What happens to a request later: each job calls one function, and may run twice.
import type { JobHandler } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { SIGN_QUEUE } from './flow/confirm-signing.ts'
import { closeRequest, giveUpClosing } from './flow/close-request.ts'
import { CLOSE_QUEUE } from './flow/go-on.ts'
import { giveUpPreparing, PREPARE_QUEUE, prepareDocuments } from './flow/prepare-documents.ts'
import { giveUpSigning, signAsPerson } from './flow/sign-as-person.ts'

export function signingJobs(platform: Platform): JobHandler[] {
  return [
    // Whoever has sent a request by a page or an application waits to go on to signing.
    {
      queue: PREPARE_QUEUE,
      isInteractive: true,
      run: (job) => prepareDocuments(platform, job),
      giveUp: (job, reason) => giveUpPreparing(platform, job, reason),
    },
    {
      queue: SIGN_QUEUE,
      isInteractive: true,
      run: (job) => signAsPerson(platform, job),
      giveUp: (job, reason) => giveUpSigning(platform, job, new Error(reason)),
    },
    {
      queue: CLOSE_QUEUE,
      isInteractive: true,
      run: (job) => closeRequest(platform, job),
      giveUp: (job, reason) => giveUpClosing(platform, job, reason),
    },
  ]
}
