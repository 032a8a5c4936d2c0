export { accountFacts } from './account-facts.ts'
export { createKey, newKeyValue, type CreatedKey } from './create-key.ts'
export { createTenant, type CreatedTenant } from './create-tenant.ts'
export { emailKeyOf } from './email-key.ts'
export { fullName } from './full-name.ts'
export {
  acceptInvitation,
  changePasswordOf,
  endTokensOf,
  findLoginUser,
  isInvitation,
  type LoginUser,
} from './passwords.ts'
export { listDepartments } from './list-departments.ts'
export { getPerson } from './get-person.ts'
export { readPerson } from './read-person.ts'
export { renewInvitations } from './renew-invitations.ts'
export { sendReset } from './send-reset.ts'
export { resumeTenant, stopTenant, withdrawAll } from './stop-tenant.ts'
export { listTenants } from './tenant-statements.ts'
export { listRetention } from './department-statements.ts'
