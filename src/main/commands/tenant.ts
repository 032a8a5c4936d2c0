import { createTenant, listTenants, resumeTenant, stopTenant, withdrawAll } from '#features/onboarding/index.ts'
import { TenantChange } from '#features/onboarding/schemas.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { readBody } from '#platform/http/read-input.ts'
import { Email, Type } from '#platform/http/schema.ts'
import { newId } from '#platform/ids.ts'
import { CommandFailure, EXIT, WrongUsage, type Command, type CommandGroup } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { onPlatform } from '../local-installation.ts'
import { getTenant, operatorOf, REASON_OPTION } from '../operator.ts'
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
    const rows = tenants.map(({ id, name, createdAt, stoppedAt }) => [
      id,
      createdAt.toISOString(),
      stoppedAt === null ? name : `${name} (stopped ${stoppedAt.toISOString()})`,
    ])
    terminal.answer({ tenants }, rows.length === 0 ? 'There is no tenant yet.' : table(rows))
    return EXIT.good
  },
}

const stop: Command = {
  purpose: 'shut a tenant out whose account is abused, and cancel all that it has open',
  description:
    'Ends at once what a tenant can be reached by: its keys, logins, sessions and the links that people were sent; nothing ' +
    'more is sent in its name. Then cancels every open request. Can be run again where it was broken off.',
  positionals: ['TENANT'],
  options: REASON_OPTION,
  async run(terminal, given) {
    const stopped = await onPlatform(terminal, async (platform) => {
      const { db, clock } = platform
      const { id: tenantId, name } = await getTenant(platform, given.positionals[0])
      const now = clock.now()
      await db.transaction(tenantId, async (tx) =>
        stopTenant(tx, { caller: await operatorOf(tx, tenantId, given), now }),
      )
      return { tenantId, name, canceled: await withdrawAll(db, { tenantId, now }) }
    })
    terminal.answer(stopped, [
      `${stopped.name} is stopped; ${stopped.canceled} requests were canceled.`,
      `Before you let it in again, replace what was stolen: countersign key rotate, countersign user reset-password`,
      `Then: countersign tenant resume ${stopped.tenantId}`,
    ])
    return EXIT.good
  },
}

const resume: Command = {
  purpose: 'let a tenant in again that was stopped',
  description:
    'Keys and logins work again; whoever was signed in signs in anew. What was canceled stays so, and what slipped in ' +
    'while the tenant was being stopped is canceled first.',
  positionals: ['TENANT'],
  options: REASON_OPTION,
  async run(terminal, given) {
    const resumed = await onPlatform(terminal, async (platform) => {
      const { db, clock } = platform
      const { id: tenantId, name, stoppedAt } = await getTenant(platform, given.positionals[0])
      if (stoppedAt === null) throw new CommandFailure(`${name} is not stopped`)
      const now = clock.now()
      const canceled = await withdrawAll(db, { tenantId, now })
      await db.transaction(tenantId, async (tx) =>
        resumeTenant(tx, { caller: await operatorOf(tx, tenantId, given), now }),
      )
      return { tenantId, name, canceled }
    })
    terminal.answer(resumed, `${resumed.name} can be used again.`)
    return EXIT.good
  },
}

export const tenant: CommandGroup = {
  purpose: 'tenants: create, list, stop, resume',
  commands: { create, list, stop, resume },
}
