// The log as anybody may fetch it: hashes and signatures, nothing of what happened.
import { historyKeys } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { Answer } from '#platform/http/route.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { tileNotFound } from './errors.ts'
import { HASH_BYTES } from './merkle-tree.ts'
import { listTiles, readHead } from './log-statements.ts'
import { verifierKey } from './signed-note.ts'
import { readTilePath } from './tile-path.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'

/** The newest signed checkpoint; undefined until the first has been signed. */
export async function answerCheckpoint(tx: Tx): Promise<Answer | undefined> {
  const { note } = await readHead.one(tx, {})
  return note === null ? undefined : asText(note)
}

/** The keys that sign checkpoints, the present one first, as those who verify notes write them down. */
export async function answerKeys(tx: Tx, keyring: Keyring): Promise<Answer> {
  const { origin } = await readHead.one(tx, {})
  const keys = historyKeys(keyring).map(({ publicKey }) => Buffer.from(publicKey.x, 'base64url'))
  return asText(keys.map((key) => `${verifierKey(origin, key)}\n`).join(''))
}

/** The hashes of a tile. What is asked for with its width never changes, whether or not the tile is full. */
export async function answerTile(tx: Tx, level: string, path: string): Promise<Answer> {
  const wanted = readTilePath(level, path)
  if (wanted === undefined) throw tileNotFound()
  const [tile] = await listTiles.many(tx, { levels: [wanted.level], numbers: [wanted.number] })
  const bytes = tile?.hashes.subarray(0, wanted.width * HASH_BYTES)
  if (bytes?.length !== wanted.width * HASH_BYTES) throw tileNotFound()
  return new Answer(200, bytes, { 'content-type': 'application/octet-stream', 'cache-control': FOR_EVER })
}

const asText = (text: string) => new Answer(200, text, { 'content-type': 'text/plain; charset=utf-8' })
