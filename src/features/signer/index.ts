export { checkIdentityProviders } from './check-providers.ts'
export { codeFacts } from './code-facts.ts'
export { forgetOldSessions } from './forget-old.ts'
