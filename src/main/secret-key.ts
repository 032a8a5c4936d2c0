// The secret key of an installation with its own database: made once, kept in a file that only its owner can read.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeLasting } from './lasting-file.ts'

export const SECRET_KEY_FILE = 'secret.key'

/** The key in the data directory's secret.key; makes it where there is none. Whoever calls it holds the directory. */
export function readOrMakeSecretKey(dataDir: string): string {
  const file = join(dataDir, SECRET_KEY_FILE)
  if (!existsSync(file)) writeLasting(file, `${randomBytes(32).toString('base64')}\n`)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < 32)
    throw new Error(`${file} is damaged: restore it from where you keep it, or the stored secrets are lost`)
  return key
}
