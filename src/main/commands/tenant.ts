import { createTenant, listTenants } from '#features/onboarding/index.ts'
import { TenantChange } from '#features/onboarding/schemas.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { readBody } from '#platform/http/read-input.ts'
import { Email, Type } from '#platform/http/schema.ts'
import { newId } from '#platform/ids.ts'
import { EXIT, WrongUsage, type Command, type CommandGroup } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { onPlatform } from '../local-installation.ts'
import { PASSWORD_OPTION, readPassword } from '../password-option.ts'

const Admin = Type.Object({ admin: Email() })

const create: Command = {
  purpose: 'make a tenant with its administrator and a subscription key',
  description:
    'Makes a tenant, its root department, an administrator who can log in, and a subscription key that reaches all of ' +
    'it. The password and the two values of the key are shown this once.',
  positionals: ['NAME'],
  options: { admin: { value: 'EMAIL', about: 'The login of its administrator. Needed.' }, ...PASSWORD_OPTION },
  async run(terminal, given) {
    if (given.text('admin') === undefined) throw new WrongUsage('--admin is missing')
    const { name } = readBody(TenantChange, { name: given.positionals[0] }) as { name: string }
    const { admin: email } = readBody(Admin, { admin: given.text('admin') }) as { admin: string }
    const { password, isMade } = await readPassword(given)
    const passwordHash = await hashPassword(password)
    const created = await onPlatform(terminal, ({ db, clock }) => {
      const tenantId = newId()
      const administrator = { email, passwordHash }
      return db.transaction(tenantId, (tx) => createTenant(tx, { tenantId, name, administrator, now: clock.now() }))
    })
    const { primaryKey, secondaryKey } = created.key
    const shown = isMade ? { password } : {}
    terminal.answer({ tenantId: created.tenantId, name, login: email, ...shown, primaryKey, secondaryKey }, [
      `Tenant            ${created.tenantId}`,
      `Login             ${email}`,
      ...(isMade ? [`Password          ${password}`] : []),
      `Subscription key  ${primaryKey}`,
      `Second value      ${secondaryKey}`,
    ])
    return EXIT.good
  },
}

const list: Command = {
  purpose: 'list the tenants',
  description: 'Lists the tenants of the installation, oldest first.',
  async run(terminal) {
    const tenants = await onPlatform(terminal, ({ db }) => db.systemTransaction((tx) => listTenants.many(tx, {})))
    const rows = tenants.map(({ id, name, createdAt }) => [id, createdAt.toISOString(), name])
    terminal.answer({ tenants }, rows.length === 0 ? 'There is no tenant yet.' : table(rows))
    return EXIT.good
  },
}

export const tenant: CommandGroup = { purpose: 'tenants: create, list', commands: { create, list } }
