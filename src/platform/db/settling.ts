// On a database that is spread over machines, the first machine commits a moment before the tenant's: its jobs can be seen
// while the rows that they are about can not, for as long as the tenant's machine is away in the worst case.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from './database.ts'
import { listPromised } from './settling-statements.ts'

const LOOK_EVERY_MS = 20
const LONGEST_WAIT_MS = 5_000

/** Waits until the tenant's machine shows all that the first one has shown before this was asked. */
export function waitUntilSettled(db: Database, tenantId: string): Promise<void> {
  return waitUntilKept(async () => {
    const found = await db.transaction(tenantId, (tx) => listPromised.many(tx, { tenantId }), { isReadOnly: true })
    return found.map(({ name }) => name)
  })
}

/** Waits for the promises that are open now; those that are made meanwhile are others'. */
export async function waitUntilKept(listOpen: () => Promise<string[]>, longestMs = LONGEST_WAIT_MS): Promise<void> {
  let open = new Set(await listOpen())
  const end = performance.now() + longestMs
  while (open.size > 0) {
    if (performance.now() > end) throw new Error('the tenant’s machine has not committed yet what others can see')
    await delay(LOOK_EVERY_MS)
    open = open.intersection(new Set(await listOpen()))
  }
}
