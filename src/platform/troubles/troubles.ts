// What fails although the service works is noticed by workers and told by the server, so what is known lies in the database.
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { possibleTroubles } from './trouble-names.ts'
import { deleteOtherTroubles, deleteTrouble, insertTrouble, listTroubles } from './trouble-statements.ts'

type Watching = Pick<Platform, 'db' | 'clock'>

/** Until when this process believes a service to be well, so that one which works costs no statement. Not for long: the
 *  trouble may have been noted by another process, which does not call it any more. */
const believedWell = new WeakMap<Watching['db'], Map<string, number>>()
const BELIEVED_MS = 60_000
const LONGEST_DETAIL = 300

/** Runs a call to an outside service, and lets readiness know whether that service works. */
export async function watchTrouble<T>({ db, clock }: Watching, name: string, call: () => Promise<T>): Promise<T> {
  const well = believedWell.get(db) ?? new Map<string, number>()
  believedWell.set(db, well)
  // The call's own outcome matters more than an error of noting it.
  const note = (noting: (tx: Tx) => Promise<unknown>) =>
    db.systemTransaction(noting).then(
      () => true,
      () => false,
    )
  const now = clock.now()
  try {
    const result = await call()
    if ((well.get(name) ?? 0) > now.getTime()) return result
    if (await note((tx) => deleteTrouble.run(tx, { name }))) well.set(name, now.getTime() + BELIEVED_MS)
    return result
  } catch (error) {
    well.delete(name)
    const detail = shorten(error instanceof Error ? error.message : String(error))
    await note((tx) => insertTrouble.run(tx, { name, detail, now }))
    throw error
  }
}

/** Writes down what a look has found: what is wrong, or that nothing is. */
export async function noteTrouble({ db, clock }: Watching, name: string, detail: string | undefined): Promise<void> {
  await db.systemTransaction(async (tx) => {
    if (detail === undefined) await deleteTrouble.run(tx, { name })
    else await insertTrouble.run(tx, { name, detail: shorten(detail), now: clock.now() })
  })
}

const shorten = (detail: string) => detail.slice(0, LONGEST_DETAIL)

/** Forgets troubles of services that are not configured any more: nobody would ever find them well again. */
export async function forgetOtherTroubles({ db, config }: Pick<Platform, 'db' | 'config'>): Promise<void> {
  await db.systemTransaction((tx) => deleteOtherTroubles.run(tx, { possible: possibleTroubles(config) }))
}

/** What is in trouble at the moment. */
export async function readTroubles({ db }: Pick<Platform, 'db'>): Promise<string[]> {
  const found = await db.systemTransaction((tx) => listTroubles.many(tx, {}))
  return found.map(({ name }) => name)
}
