// Whether what was asked for gets done: somebody must be working, and nothing may wait for long.
import { countWorkers } from '#platform/jobs/lease-statements.ts'
import { measureQueues } from '#platform/jobs/job-statements.ts'
import { LONG_WAIT_MS, summariseQueues, type Queue } from '#platform/jobs/measure-jobs.ts'
import type { Platform } from '#platform/platform.ts'
import { bad, good, look, type Finding } from './finding.ts'

/** Workers that are alive, how long the oldest job that is due has waited, and jobs that were given up. */
export async function checkWork({ db, clock }: Platform): Promise<Finding[]> {
  const now = clock.now()
  const [workers, queues] = await db.systemTransaction(async (tx) => [
    (await countWorkers.one(tx, {})).alive,
    await measureQueues.many(tx, { now }),
  ])
  return [describeWorkers(workers), describeLag(queues, now), ...describeDead(queues)]
}

function describeWorkers(alive: number): Finding {
  if (alive > 0) return good('worker', `${alive} alive`)
  const fix = 'Run: countersign start (or, with DATABASE_URL, also countersign work)'
  return look('worker', 'none runs: nothing is signed, sealed, sent or delivered', fix)
}

function describeLag(queues: readonly Queue[], now: Date): Finding {
  const { waiting, longest } = summariseQueues(queues, now)
  const seconds = Math.round(longest.waitMs / 1000)
  if (longest.waitMs <= LONG_WAIT_MS) return good('queue', `${waiting} jobs waiting, the oldest is ${seconds} s late`)
  const fix =
    'See that a worker runs and what its log says; where it only has too much to do, run another: countersign work'
  return bad('queue', `${waiting} jobs waiting, the oldest (${longest.queue}) is ${seconds} s late`, fix)
}

function describeDead(queues: readonly Queue[]): Finding[] {
  const dead = queues.filter((queue) => queue.dead > 0)
  if (dead.length === 0) return []
  const found = dead.map((queue) => `${queue.dead} of ${queue.queue}`).join(', ')
  const fix =
    'The worker’s log says why. What they belonged to is in Error in the console, and can be tried again there.'
  return [look('jobs given up', found, fix)]
}
