export { forgetInvitationCounts, readInvitations, takeInvitations, type InvitationLimit } from './invitation-limit.ts'
export { noteReport, readReportedTenants, readReports, type ReportLog } from './reports.ts'
export { readTenantsAtLimit, watchAbuse } from './watch-abuse.ts'
