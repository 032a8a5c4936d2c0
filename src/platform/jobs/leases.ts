// Which buckets this worker serves. Workers share them evenly: each takes what is free up to its share, and gives back
// what it holds beyond. A killed worker's buckets are free again when its leases run out.
import type { Database, Tx } from '#platform/db/database.ts'
import { BUCKETS } from './bucket.ts'
import {
  countWorkers,
  forgetAllWorkers,
  forgetWorkers,
  noteWorker,
  releaseAllLeases,
  releaseLeases,
  renewLeases,
  takeLeases,
} from './lease-statements.ts'

/**
 * So long after the beginning of the last heartbeat that succeeded, buckets count as held. Leases last for ten seconds:
 * whoever looks once a second has broken off what it does under them before another worker can take them.
 */
const HELD_FOR_MS = 8_500

const NONE: ReadonlyMap<number, number> = new Map()

export type Leases = {
  /** Generation by bucket, of every bucket held. None after a while in which heartbeats failed or the process was paused. */
  held(): ReadonlyMap<number, number>
  /** One heartbeat: renews, takes, gives back. */
  beat(isBusy: (bucket: number) => boolean): Promise<void>
  /** A heartbeat of a worker that is about to stop: renews what is needed, gives back the rest, and takes nothing. */
  keep(isNeeded: (bucket: number) => boolean): Promise<void>
  /** Gives everything back, so that another worker need not wait for the leases to run out. */
  release(): Promise<void>
}

/**
 * Takes every bucket from whoever holds it, for a worker that is about to start as the only one. Should another be
 * alive after all, generations keep it from ending what it has begun.
 */
export async function freeLeases(db: Database): Promise<void> {
  await db.systemTransaction(async (tx) => {
    await releaseAllLeases.run(tx, {})
    await forgetAllWorkers.run(tx, {})
  })
}

export function makeLeases(db: Database, owner: string): Leases {
  let held = new Map<number, number>()
  let heldUntil = -Infinity

  async function beatWith(work: (tx: Tx) => Promise<Map<number, number>>): Promise<void> {
    const beganAt = performance.now()
    held = await db.systemTransaction(work)
    heldUntil = beganAt + HELD_FOR_MS
  }

  /** Before the database hears of it: from then on another worker may take them, and nothing may begin in them here. */
  function letGo(buckets: readonly number[]): void {
    held = new Map([...held].filter(([bucket]) => !buckets.includes(bucket)))
  }

  /** The others need not leave anything to a worker that gives back what it does not use any more. */
  async function giveBack(tx: Tx, buckets: number[]): Promise<void> {
    await releaseLeases.run(tx, { owner, buckets })
    await forgetWorkers.run(tx, { owner })
  }

  return {
    held: () => (performance.now() < heldUntil ? held : NONE),
    async beat(isBusy) {
      await beatWith(async (tx) => {
        const now = new Map((await renewLeases.many(tx, { owner })).map((row) => [row.bucket, row.generation]))
        await noteWorker.run(tx, { owner })
        const { alive } = await countWorkers.one(tx, {})
        const share = Math.ceil(BUCKETS / alive)
        if (now.size < share) {
          for (const row of await takeLeases.many(tx, { owner, most: share - now.size }))
            now.set(row.bucket, row.generation)
        }
        const spare = [...now.keys()].filter((bucket) => !isBusy(bucket)).slice(0, Math.max(0, now.size - share))
        letGo(spare)
        if (spare.length > 0) await releaseLeases.run(tx, { owner, buckets: spare })
        for (const bucket of spare) now.delete(bucket)
        return now
      })
    },
    async keep(isNeeded) {
      await beatWith(async (tx) => {
        const now = new Map((await renewLeases.many(tx, { owner })).map((row) => [row.bucket, row.generation]))
        const spare = [...now.keys()].filter((bucket) => !isNeeded(bucket))
        letGo(spare)
        if (spare.length > 0) await giveBack(tx, spare)
        for (const bucket of spare) now.delete(bucket)
        return now
      })
    },
    async release() {
      const buckets = [...held.keys()]
      held = new Map()
      await db.systemTransaction((tx) => giveBack(tx, buckets))
    },
  }
}
