export { forgetInvitationCounts, readInvitations, takeInvitations, type InvitationLimit } from './invitation-limit.ts'
export { readTenantsAtLimit, watchLimits } from './watch-limits.ts'
