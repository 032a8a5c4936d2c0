// What whoever does the work of a queue is given, and what the worker asks of it.
import type { Tx } from '#platform/db/database.ts'
import type { Finishable } from './finish-jobs.ts'

export type Job = { tenantId: string; id: string; payload: Record<string, unknown>; attempt: number }

export type JobRun = Job &
  Finishable & {
    /** Ends the job in the handler's own transaction: then its effect happens exactly once. */
    finish(tx: Tx): Promise<void>
    /** Before each step of something that nobody waits for: lets pass what somebody does wait for, but not for ever. */
    giveWay(): Promise<void>
    /** Whether nobody has waited for anything lately, so that such a step may be a longer one. */
    isCalm(): boolean
  }

export type JobHandler = {
  queue: string
  /** Somebody is waiting for it: served before everything else. */
  isInteractive?: boolean
  /** So many at a time, in a lane of their own. Without it, what nobody waits for shares one. */
  atOnce?: number
  run(job: JobRun): Promise<void>
  /** Tells whoever waits for a job that it was given up because it ends the process that runs it. */
  giveUp?(job: JobRun, reason: string): Promise<void>
}
