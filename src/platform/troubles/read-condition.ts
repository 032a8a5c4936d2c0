import { countWorkers } from '#platform/jobs/lease-statements.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from './trouble-names.ts'
import { listMeasurements, listTroubles, MEASUREMENTS } from './trouble-statements.ts'

export type Condition = {
  /** What does not work as it should although the service does. */
  degraded: string[]
  /** How many workers are alive. */
  workers: number
  /** What they have measured; nothing before the first of them has looked. */
  measured: { name: (typeof MEASUREMENTS)[number]; value: number }[]
}

/** How the installation is, beyond this process. */
export async function readCondition({ db }: Pick<Platform, 'db'>): Promise<Condition> {
  const [troubles, { alive: workers }, measured] = await db.systemTransaction((tx) =>
    Promise.all([
      listTroubles.many(tx, {}),
      countWorkers.one(tx, {}),
      listMeasurements.many(tx, { known: [...MEASUREMENTS] }),
    ]),
  )
  const degraded = [...troubles.map(({ name }) => name), ...(workers === 0 ? [TROUBLE.worker] : [])]
  return { degraded, workers, measured }
}
