// Checks everything at once: what a single history can't show is an end that was cut off everywhere, or an event that
// was taken out of the log together with its place.
import type { JsonWebKey } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { auditEvents } from './audit-events.ts'
import { auditTree, readStamped, type Expectation } from './audit-tree.ts'
import { BrokenLog } from './merkle-tree.ts'
import { readHead } from './log-statements.ts'
import { readSignedNote } from './verify-history.ts'

/** So many problems tell enough. */
const MOST_PROBLEMS = 100

export type Audit = { events: number; stamped: number; problems: string[] }

export type AuditLog = {
  /** With the worker's role: a tenant's events are read in that tenant's name. */
  db: Database
  keys: readonly JsonWebKey[]
  /** A checkpoint that was kept where the owner of the database could not reach it. */
  kept?: string | undefined
  signal?: AbortSignal
  /** So many more places of so many have been looked at. */
  onPlaces?: (count: number, total: number) => void
}

/** Verifies the whole log and every event of every tenant. What happens meanwhile is left to the next audit. */
export async function auditLog({ db, keys, kept, signal, onPlaces = () => {} }: AuditLog): Promise<Audit> {
  const problems: string[] = []
  const report = (problem: string) => void (problems.length < MOST_PROBLEMS && problems.push(problem))
  // Before the head, so that one which is stamped meanwhile does not seem to go beyond it.
  const stamped = await readStamped(db, report)
  const { size, note } = await db.systemTransaction((tx) => readHead.one(tx, {}))
  const newest = note === null ? [] : expect('The newest checkpoint', note)
  const outside = kept === undefined ? [] : expect('The checkpoint that was kept', kept)
  const signed = [...newest, ...outside]
  if (newest.some((found) => found.size !== size))
    report(`The log says that it has ${size} events; that was never signed.`)

  function expect(what: string, text: string): Expectation[] {
    const read = readSignedNote(text, keys)
    if (read === undefined) report(`${what} is not signed by any of the keys.`)
    return read === undefined ? [] : [{ what, ...read }]
  }

  try {
    const held = await auditTree({ db, size, expectations: [...stamped, ...signed], signal, report })
    const events = await auditEvents({ db, size, signal, report, onPlaces })
    return { events, stamped: held - signed.length, problems }
  } catch (error) {
    if (!(error instanceof BrokenLog)) throw error
    return { events: 0, stamped: 0, problems: [...problems, `The log is damaged: ${error.message}.`] }
  }
}
