import { historyKeys } from '#features/event/index.ts'
import type { Platform } from '#platform/platform.ts'
import { readHead } from './log-statements.ts'
import { readSignedNote } from './verify-history.ts'

/**
 * Throws where the secret key is not the one that this installation was made with: nothing that is stored could be opened.
 * Told by the newest checkpoint of the log, which the worker signs with a key that follows from the secret key.
 */
export async function requireOwnSecretKey({ db, keyring }: Pick<Platform, 'db' | 'keyring'>): Promise<void> {
  // A database that does not answer has a check of its own.
  const { note } = await db.systemTransaction((tx) => readHead.one(tx, {})).catch(() => ({ note: null }))
  const keys = historyKeys(keyring).map(({ publicKey }) => publicKey)
  if (note !== null && readSignedNote(note, keys) === undefined)
    throw new Error('the secret key is another than the one that this installation was made with')
}
