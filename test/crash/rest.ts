// Lets an installation finish what it has begun. What waits for its next try is asked to try now: hours of patience
// would prove no more.
import { setTimeout as sleep } from 'node:timers/promises'
import { openLocalPlatform } from '#main/local-installation.ts'
import type { Deployment } from './deployment/deployment.ts'
import { asOwner } from './world.ts'

/** On a machine that has much else to do it takes as long as it takes, as long as it goes on. */
const NOTHING_DONE_FOR_MS = 120_000

// Only what nobody holds at the moment: the workers go on, and two who take many rows in different orders end as a deadlock.
// What a row has to be is asked twice: it may have changed between the look and the lock.
const HURRY = [
  `update job set run_at = now()
    where state = 'waiting' and run_at > now() and queue not like 'renewal%'
      and (tenant_id, id) in (select tenant_id, id from job
                               where state = 'waiting' and run_at > now() and queue not like 'renewal%'
                                 for update skip locked)`,
  `update hook_delivery set due_at = now()
    where due_at > now()
      and (tenant_id, id) in (select tenant_id, id from hook_delivery where due_at > now() for update skip locked)`,
  `update lane set closed_until = null, due_at = case when due_at is null then null else now() end
    where (tenant_id, subscription_id) in (select tenant_id, subscription_id from lane for update skip locked)`,
]

const BUSY = `select (select count(*) from job where state = 'waiting' and run_at <= now())
                   + (select count(*) from outbox) + (select count(*) from log_queue)
                   + (select count(*) from message where state = 'waiting')
                   + (select count(*) from hook_delivery d
                       where state = 'waiting' and exists (select from hook_subscription s
                             where s.tenant_id = d.tenant_id and s.id = d.subscription_id and s.state = 'active'
                               and s.deleted_at is null)) as left`

/** Waits until nothing is left to do. Gives up where nothing gets done any more; the invariants then say what is wrong. */
export async function comeToRest(deployment: Deployment): Promise<void> {
  const { connection, close } = await openLocalPlatform(deployment.environment)
  try {
    await asOwner(connection, async (client) => {
      let least = Infinity
      for (let lessSince = performance.now(); performance.now() - lessSince < NOTHING_DONE_FOR_MS; await sleep(500)) {
        for (const sql of HURRY) await client.query(sql)
        const { rows } = await client.query<{ left: string }>(BUSY)
        const left = Number(rows[0]!.left)
        if (left === 0) return
        if (left < least) [least, lessSince] = [left, performance.now()]
      }
    })
  } finally {
    await close()
  }
}
