// A file that must last carries a timestamp, and the timestamp lasts as long as the certificate behind it. So every such
// file stands on a calendar from the moment it is published, with the day on which it has to be stamped anew.
import type { ValidationReport } from '#pades/validate/report.ts'
import type { Tx } from '#platform/db/database.ts'
import { deleteFromCalendar, KINDS, putOnCalendar } from './renewal-statements.ts'

export type Kind = (typeof KINDS)[number]

type Calendar = { tenantId: string; kind: Kind }

export type LastingFile = {
  /** The document of a request; of the evidence, the request itself. */
  id: string
  requestId: string
  departmentId: string
  storedDocumentId: string
  lastsUntil: Date
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Authorities change their certificate some time before its end; ours does so sixty days before. */
const RENEW_BEFORE_MS = 45 * DAY_MS

/** Puts files that are being published on the calendar. */
export async function planRenewals(
  tx: Tx,
  { tenantId, kind }: Calendar,
  files: readonly LastingFile[],
  now: Date,
): Promise<void> {
  const rows = files.map((file) => ({ ...file, dueAt: dueBefore(file.lastsUntil, now) }))
  await putOnCalendar.run(tx, { tenantId, kind, files: rows })
}

/** Takes files that are gone off the calendar. */
export async function forgetRenewals(tx: Tx, of: { tenantId: string; ids: string[] }): Promise<void> {
  await deleteFromCalendar.run(tx, of)
}

/** Weeks before the end; where little is left, at half of it. */
export function dueBefore(lastsUntil: Date, now: Date): Date {
  const leftMs = lastsUntil.getTime() - now.getTime()
  return new Date(lastsUntil.getTime() - Math.min(RENEW_BEFORE_MS, leftMs / 2))
}

/** Until when a file can be proven by what is in it: the end of the certificate behind its newest timestamp. */
export function lastsUntil({ timestamps }: Pick<ValidationReport, 'timestamps'>): Date {
  const newest = timestamps.toSorted((one, other) => endOf(other) - endOf(one))[0]
  const authority = newest?.certificates[0]
  if (authority === undefined) throw new Error('the file has no document timestamp that holds')
  return authority.notAfter
}

const endOf = ({ coverage }: ValidationReport['timestamps'][number]) => coverage.end ?? 0
