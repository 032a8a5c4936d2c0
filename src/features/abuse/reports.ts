// Messages that people have reported: who gets mail from strangers knows of an abused account before anybody else does.
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { countReport, findReports, listReportedTenants } from './report-statements.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

export type ReportLog = Platform['log']

/** Counts a report for the operator, and tells the log once it has been committed. */
export async function noteReport(
  tx: Tx,
  { tenantId, requestId, log, now }: { tenantId: string; requestId: string; log: ReportLog; now: Date },
): Promise<void> {
  await countReport.run(tx, { tenantId, now })
  tx.afterCommit(() => log.warn({ tenantId, signatureRequestId: requestId }, 'a message was reported as unwanted'))
}

/** How many people have reported messages of the tenant within a week, and the request of the newest report. */
export function readReports(tx: Tx, { tenantId, now }: { tenantId: string; now: Date }) {
  return findReports.one(tx, { tenantId, since: aWeekBefore(now) })
}

/** Tenants whose messages were reported within a week, the newest first. */
export function readReportedTenants({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return db.systemTransaction((tx) => listReportedTenants.many(tx, { since: aWeekBefore(clock.now()) }))
}

const aWeekBefore = (now: Date) => new Date(now.getTime() - WEEK_MS)
