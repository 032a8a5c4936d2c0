import { issueKey } from '#features/onboarding/issue-key.ts'
import { listKeys } from '#features/onboarding/list-keys.ts'
import { revokeKey } from '#features/onboarding/revoke-key.ts'
import { rotateKey } from '#features/onboarding/rotate-key.ts'
import { KEY_VALUES, KeyCreation, type KeyValue } from '#features/onboarding/schemas.ts'
import { isUuid } from '#platform/ids.ts'
import { readBody } from '#platform/http/read-input.ts'
import type { Static } from 'typebox'
import { EXIT, WrongUsage, type Arguments, type Command, type CommandGroup } from '../command-line/command.ts'
import { table } from '../command-line/terminal.ts'
import { onPlatform } from '../local-installation.ts'
import { asOperator, DEED_OPTIONS, TENANT_OPTION } from '../operator.ts'

const MOST_LISTED = 500

const create: Command = {
  purpose: 'make a subscription key',
  description: 'Makes a subscription key. Its two values are shown this once; only their hashes are stored.',
  positionals: ['NAME'],
  options: {
    ...DEED_OPTIONS,
    department: { value: 'ID', about: 'It reaches this department and those below. Default: the whole tenant.' },
  },
  async run(terminal, given) {
    const departmentId = given.text('department')
    const fields = readBody(KeyCreation, {
      name: given.positionals[0],
      ...(departmentId !== undefined && { departmentId }),
    }) as Static<typeof KeyCreation>
    const key = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => issueKey(tx, { caller, fields, now: platform.clock.now() })),
    )
    terminal.answer(key, [
      `Id            ${key.id}`,
      `Key           ${key.primaryKey}`,
      `Second value  ${key.secondaryKey}`,
    ])
    return EXIT.good
  },
}

const list: Command = {
  purpose: 'list the subscription keys of a tenant',
  description: 'Lists the living keys of a tenant, newest first. Their values are never shown again.',
  options: TENANT_OPTION,
  async run(terminal, given) {
    const keys = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) =>
        listKeys(tx, { caller, query: { take: MOST_LISTED }, now: platform.clock.now() }),
      ),
    )
    const rows = keys.items.map(({ id, name, lastUsedDate }) => [
      id,
      lastUsedDate === null ? 'never used' : `last used ${lastUsedDate.toISOString()}`,
      name,
    ])
    terminal.answer(keys, rows.length === 0 ? 'There is no key.' : table(rows))
    return EXIT.good
  },
}

/** The id of a key: its name may stand for several. */
function readKeyId({ positionals }: Arguments): string {
  const id = positionals[0]!
  if (!isUuid(id)) throw new WrongUsage('ID must be the id of a key, as `key list` shows it')
  return id
}

const rotate: Command = {
  purpose: 'replace one of the two values of a key',
  description: 'Replaces one value of a key; the other goes on working, so that callers change over without a gap.',
  positionals: ['ID'],
  options: { ...DEED_OPTIONS, which: { value: 'VALUE', about: `${KEY_VALUES.join(' or ')}. Needed.` } },
  async run(terminal, given) {
    const which = KEY_VALUES.find((value) => value === given.text('which'))
    if (which === undefined) throw new WrongUsage(`--which must be ${KEY_VALUES.join(' or ')}`)
    const keyId = readKeyId(given)
    const key = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => {
        const { authenticator, clock } = platform
        return rotateKey(tx, { caller, keyId, which, authenticator, now: clock.now() })
      }),
    )
    terminal.answer(key, `The new ${which} value, shown this once:\n${valueOf(key, which)}`)
    return EXIT.good
  },
}

function valueOf(key: { primaryKey?: string; secondaryKey?: string }, which: KeyValue): string {
  return (which === 'primary' ? key.primaryKey : key.secondaryKey)!
}

const revoke: Command = {
  purpose: 'end a key',
  description: 'Ends both values of a key at once. It can’t be taken back.',
  positionals: ['ID'],
  options: DEED_OPTIONS,
  async run(terminal, given) {
    const keyId = readKeyId(given)
    const key = await onPlatform(terminal, (platform) =>
      asOperator(platform, given, (tx, caller) => {
        const { authenticator, clock } = platform
        return revokeKey(tx, { caller, keyId, authenticator, now: clock.now() })
      }),
    )
    terminal.answer(key, `${key.name} works no more.`)
    return EXIT.good
  },
}

export const key: CommandGroup = {
  purpose: 'subscription keys: create, list, rotate, revoke',
  commands: { create, list, rotate, revoke },
}
