export { checkIdentityProviders } from './check-providers.ts'
export { codeFacts } from './code-facts.ts'
export { listFramers } from './framing.ts'
export { forgetOldSessions } from './forget-old.ts'
