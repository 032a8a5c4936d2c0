export { askForRenewals, renewalJobs } from './jobs.ts'
export { forgetRenewals, lastsUntil, planRenewals, type LastingFile } from './plan-renewal.ts'
export type { Publishers, PublishRenewed, RenewedFile } from './renew-file.ts'
