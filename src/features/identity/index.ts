export { forgetEnded } from './forget-ended.ts'
export { renewApps } from './renew-apps.ts'
