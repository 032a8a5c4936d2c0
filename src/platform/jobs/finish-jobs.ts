import type { Tx } from '#platform/db/database.ts'
import { deleteJobs } from './job-statements.ts'

/** Under which a worker found a job: whatever it writes about the job counts only while it holds this. */
export type Lease = { owner: string; generation: number }

export type Finishable = {
  tenantId: string
  id: string
  lease: Lease
  /** Whether the transaction that ended it has committed. */
  isFinished: boolean
}

/** Ends jobs of one tenant in their handler's own transaction. Throws where the lease on one of them is lost. */
export async function finishJobs(tx: Tx, jobs: readonly Finishable[]): Promise<void> {
  await Promise.all(
    byLease(jobs).map(async ({ tenantId, ids, lease }) => {
      const ended = await deleteJobs.run(tx, { tenantId, ids, ...lease })
      if (ended !== ids.length) throw new Error('the lease on this job is lost')
    }),
  )
  tx.afterCommit(() => {
    for (const job of jobs) job.isFinished = true
  })
}

type Together = { tenantId: string; ids: string[]; lease: Lease }

/** All of them have the same one, unless the worker has just lost its bucket and won it again. */
function byLease(jobs: readonly Finishable[]): Together[] {
  const groups = new Map<string, Together>()
  for (const { tenantId, id, lease } of jobs) {
    const name = `${tenantId} ${lease.owner} ${lease.generation}`
    const group = groups.get(name) ?? { tenantId, ids: [], lease }
    groups.set(name, group)
    group.ids.push(id)
  }
  return [...groups.values()]
}
