export { forgetEnded } from './forget-ended.ts'
