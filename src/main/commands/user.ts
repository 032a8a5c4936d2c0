import { acceptInvitation } from '#features/onboarding/index.ts'
import { createUser } from '#features/onboarding/create-user.ts'
import { inviteUser } from '#features/onboarding/invite-user.ts'
import { listUsers } from '#features/onboarding/list-users.ts'
import { UserCreation, type UserCreationFields } from '#features/onboarding/schemas.ts'
import { forgetFailures } from '#features/identity/login-attempts.ts'
import { resetFactor } from '#features/identity/reset-factor.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { invariantBroken } from '#platform/errors.ts'
import type { Tx } from '#platform/db/database.ts'
import { readBody } from '#platform/http/read-input.ts'
import type { Platform } from '#platform/platform.ts'
import { CommandFailure, EXIT, type Command, type CommandGroup } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { onPlatform } from '../local-installation.ts'
import { asOperator, DEED_OPTIONS, TENANT_OPTION } from '../operator.ts'
import { PASSWORD_OPTION, readPassword } from '../password-option.ts'

const MOST_LISTED = 500

const create: Command = {
  purpose: 'make a user and invite them',
  description: 'Makes a user of a department. They get an e-mail with an invitation to set a password.',
  positionals: ['EMAIL'],
  options: {
    ...DEED_OPTIONS,
    'first-name': { value: 'NAME', about: 'First name.' },
    'last-name': { value: 'NAME', about: 'Last name.' },
    role: { value: 'ROLE', about: 'administrator, or any other word for an ordinary user. Default: user.' },
    department: { value: 'ID', about: 'Their department. Default: the root.' },
  },
  async run(terminal, given) {
    const fields = readBody(UserCreation, {
      email: given.positionals[0],
      firstName: given.text('first-name'),
      lastName: given.text('last-name'),
      role: given.text('role'),
      departmentId: given.text('department'),
    }) as UserCreationFields
    const user = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => {
        const { keyring, clock } = platform
        return createUser(tx, { caller, fields, keyring, now: clock.now() })
      }),
    )
    terminal.answer(user, [
      `Id     ${user.id}`,
      `Login  ${user.email}`,
      'An invitation to set a password is on its way.',
    ])
    return EXIT.good
  },
}

const list: Command = {
  purpose: 'list the users of a tenant',
  description: 'Lists the users of a tenant, newest first.',
  options: TENANT_OPTION,
  async run(terminal, given) {
    const users = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => listUsers(tx, { caller, query: { take: MOST_LISTED } })),
    )
    const rows = users.items.map(({ id, email, role, isActive }) => [
      id,
      isActive ? 'active' : 'deactivated',
      role,
      email ?? '',
    ])
    terminal.answer(users, rows.length === 0 ? 'There is no user.' : table(rows))
    return EXIT.good
  },
}

const resetPassword: Command = {
  purpose: 'give a user a new password',
  description:
    'Sets a new password, for whoever can’t get in any more. Every session and token of the user ends, and failed ' +
    'logins are forgotten.',
  positionals: ['EMAIL'],
  options: { ...DEED_OPTIONS, ...PASSWORD_OPTION },
  async run(terminal, given) {
    const { password, isMade } = await readPassword(given)
    const passwordHash = await hashPassword(password)
    const email = given.positionals[0]!
    const userId = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => setPassword(tx, platform, { caller, email, passwordHash })),
    )
    const lines = isMade ? [`Login     ${email}`, `Password  ${password}`] : [`${email} has the new password.`]
    terminal.answer({ userId, login: email, ...(isMade && { password }) }, lines)
    return EXIT.good
  },
}

const resetFactors: Command = {
  purpose: 'take away second factors that a user has lost',
  description:
    'Removes the authenticator app, every passkey and the recovery codes of a user, for whoever has lost them. Every ' +
    'session and token of the user ends; the password alone is enough until another factor is added.',
  positionals: ['EMAIL'],
  options: DEED_OPTIONS,
  async run(terminal, given) {
    const email = given.positionals[0]!
    const user = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, async (tx, caller) => {
        const found = await getUser(tx, { caller, email })
        const { authenticator, clock } = platform
        await resetFactor(tx, { caller, userId: found.id, authenticator, now: clock.now() })
        return found
      }),
    )
    const words = user.hasSecondFactor
      ? `${email} signs in with the password alone now. Every session has ended.`
      : `${email} has no second factor.`
    terminal.answer({ userId: user.id, login: email, wasReset: user.hasSecondFactor }, [words])
    return EXIT.good
  },
}

async function getUser(tx: Tx, { caller, email }: { caller: Caller; email: string }) {
  const [user] = (await listUsers(tx, { caller, query: { email } })).items
  if (user === undefined) throw new CommandFailure(`there is no user with the login ${JSON.stringify(email)}`)
  return user
}

type NewPassword = { caller: Caller; email: string; passwordHash: string }

/** By an invitation that is used up at once: that way everything that a new password ends, ends. */
async function setPassword(
  tx: Tx,
  { keyring, clock }: Platform,
  { caller, email, passwordHash }: NewPassword,
): Promise<string> {
  const { tenantId } = caller
  const now = clock.now()
  const user = await getUser(tx, { caller, email })
  const { token } = await inviteUser(tx, { caller, userId: user.id, isDelivered: false, keyring, now })
  const accepted = await acceptInvitation(tx, { tenantId, token, passwordHash, now })
  if (accepted === undefined) throw invariantBroken('an invitation of this moment is not accepted')
  await forgetFailures(tx, { tenantId, login: accepted.login })
  return user.id
}

export const user: CommandGroup = {
  purpose: 'users: create, list, reset-password, reset-factor',
  commands: { create, list, 'reset-password': resetPassword, 'reset-factor': resetFactors },
}
