// Outside services that fail are noticed by workers and told by the server, so what is known lies in the database.
import type { Platform } from '#platform/platform.ts'
import { deleteTrouble, insertTrouble, listTroubles } from './trouble-statements.ts'

type Watching = Pick<Platform, 'db' | 'clock'>

/** What this process believes to be well, so that a service which works costs no statement. */
const believedWell = new WeakMap<Watching['db'], Set<string>>()
const LONGEST_DETAIL = 300

/** Runs a call to an outside service, and lets readiness know whether that service works. */
export async function watchTrouble<T>({ db, clock }: Watching, name: string, call: () => Promise<T>): Promise<T> {
  const well = believedWell.get(db) ?? new Set<string>()
  believedWell.set(db, well)
  try {
    const result = await call()
    if (!well.has(name)) await db.systemTransaction((tx) => deleteTrouble.run(tx, { name }))
    well.add(name)
    return result
  } catch (error) {
    well.delete(name)
    const detail = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_DETAIL)
    // The call's own error matters more than one of noting it.
    await db.systemTransaction((tx) => insertTrouble.run(tx, { name, detail, now: clock.now() })).catch(() => {})
    throw error
  }
}

/** The services that fail at the moment. */
export async function readTroubles({ db }: Pick<Platform, 'db'>): Promise<string[]> {
  const found = await db.systemTransaction((tx) => listTroubles.many(tx, {}))
  return found.map(({ name }) => name)
}
