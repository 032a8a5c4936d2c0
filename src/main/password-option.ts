import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { requireGoodPassword } from '#platform/auth/passwords.ts'
import type { Arguments } from './command-line/command.ts'

export const PASSWORD_OPTION = {
  'password-file': {
    value: 'FILE',
    about: 'A file whose first line is the password. Default: a random one, shown once.',
  },
} as const

/** The password from the file that was named, or a new one. Never an argument: every user of the machine reads those. */
export async function readPassword(given: Arguments): Promise<{ password: string; isMade: boolean }> {
  const file = given.text('password-file')
  if (file === undefined) return { password: randomBytes(12).toString('base64url'), isMade: true }
  const password = (await readFile(file, 'utf8')).split(/\r?\n/)[0]!
  requireGoodPassword(password, '--password-file')
  return { password, isMade: false }
}
