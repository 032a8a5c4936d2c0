export { createKey, newKeyValue, type CreatedKey } from './create-key.ts'
export { createTenant, type CreatedTenant } from './create-tenant.ts'
export { listTenants } from './tenant-statements.ts'
