export { askForRenewals, renewalJobs } from './jobs.ts'
export { forgetRenewals, lastsUntil, planRenewal } from './plan-renewal.ts'
export type { Publishers, PublishRenewed, RenewedFile } from './renew-file.ts'
