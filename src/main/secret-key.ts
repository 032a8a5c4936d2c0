// The secret key of an installation with its own database: made once, kept in a file that only its owner can read.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export const SECRET_KEY_FILE = 'secret.key'

/** The key in the data directory's secret.key; makes it where there is none. */
export function readOrMakeSecretKey(dataDir: string): string {
  const file = join(dataDir, SECRET_KEY_FILE)
  const key = randomBytes(32).toString('base64')
  try {
    const fd = openSync(file, 'wx', 0o600)
    writeSync(fd, `${key}\n`)
    fsyncSync(fd)
    closeSync(fd)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = readFileSync(file, 'utf8').trim()
  if (found.length < 32)
    throw new Error(`${file} is damaged: restore it from where you keep it, or the stored secrets are lost`)
  return found
}
