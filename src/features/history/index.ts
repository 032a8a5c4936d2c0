export { startSequencer, type Sequencer } from './sequencer.ts'
export { makeStamping } from './stamp-checkpoint.ts'
export { verifyHistory, type Verdict } from './verify-history.ts'
