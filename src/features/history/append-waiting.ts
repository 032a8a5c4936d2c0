// One step of the sequencer: events that wait get their places, the tree grows by their hashes, and the new size is signed.
// All of it is one transaction, so that a process killed at any moment leaves the log as it was.
import { historyKeys } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { BrokenLog, edgeOf, GrowingTree, hashLeaf, splitHashes } from './merkle-tree.ts'
import { lockHead, placeWaiting, saveTiles, setHead } from './log-statements.ts'
import { readTiles } from './read-tiles.ts'
import { readNote, writeNote } from './signed-note.ts'
import { readSignedNote } from './verify-history.ts'

export type Appended = { tree: GrowingTree; count: number; stampSoon: boolean }

/**
 * Appends what waits, up to as much as one step takes. `known` is the tree as this process last saw it; where another
 * one has appended since, it is read anew.
 */
export async function appendWaiting(
  tx: Tx,
  { keyring, known, now }: { keyring: Keyring; known: GrowingTree | undefined; now: Date },
): Promise<Appended> {
  const { origin, size, note } = await lockHead.one(tx, {})
  const { hashes, stampSoon } = await placeWaiting.one(tx, { size })
  const waiting = hashes === null ? [] : splitHashes(hashes)
  const tree = isCurrent(known, size, note) ? known : await takeUp(tx, { size, note, keyring })
  if (waiting.length === 0 && tree === known) return { tree, count: 0, stampSoon: false }

  const tiles = tree.append(waiting.map(hashLeaf))
  const saved = await saveTiles.run(tx, {
    levels: tiles.map(({ level }) => level),
    numbers: tiles.map(({ number }) => number),
    hashes: tiles.map(({ hashes: bytes }) => bytes),
  })
  if (saved !== tiles.length) throw new BrokenLog('a tile of the log does not continue what was there')
  const signed = writeNote({ origin, size: tree.size, root: tree.root() }, noteSigners(keyring))
  const after = { size: tree.size, note: signed, stampSoon: stampSoon === true }
  // Nothing new, but a process that has just started: it signs anew only if the keys have changed.
  if (signed !== note) await setHead.run(tx, { before: size, ...after, now })
  return { tree, count: waiting.length, stampSoon: after.stampSoon }
}

/** Of two trees of one size only one has the signed root: a tree that has grown by what was rolled back has another. */
function isCurrent(known: GrowingTree | undefined, size: number, note: string | null): known is GrowingTree {
  return known?.size === size && note !== null && readNote(note).root.equals(known.root())
}

/** Reads the edge of the tree. Whoever has changed it must not be helped by our signature over what follows. */
async function takeUp(
  tx: Tx,
  { size, note, keyring }: { size: number; note: string | null; keyring: Keyring },
): Promise<GrowingTree> {
  const read = await readTiles(
    tx,
    edgeOf(size).filter(({ width }) => width > 0),
  )
  const tree = new GrowingTree(size, read)
  if (note === null && size === 0) return tree
  const keys = historyKeys(keyring).map(({ publicKey }) => publicKey)
  const signed = note === null ? undefined : readSignedNote(note, keys)
  if (signed === undefined) throw new BrokenLog('the newest checkpoint is not signed by any of our keys')
  if (signed.size !== size || !signed.root.equals(tree.root())) {
    throw new BrokenLog('the tiles of the log do not have the root that was signed')
  }
  return tree
}

/** While the secret key is being changed both keys sign, so that whoever knows either can verify. */
function noteSigners(keyring: Keyring) {
  return historyKeys(keyring).map(({ publicKey, sign }) => ({ publicKey: Buffer.from(publicKey.x, 'base64url'), sign }))
}
