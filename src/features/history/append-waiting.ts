// One step of the sequencer: events that wait get their places, the tree grows by their hashes, and the new size is signed.
// All of it is one transaction, so that a process killed at any moment leaves the log as it was.
import { historyKeys } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { BrokenLog, edgeOf, GrowingTree, hashLeaf, splitHashes } from './merkle-tree.ts'
import { lockHead, placeWaiting, saveTiles, setHead } from './log-statements.ts'
import { readTiles } from './read-tiles.ts'
import { readNote, writeNote } from './signed-note.ts'

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
  const tree = isCurrent(known, size, note) ? known : await readTree(tx, size)
  if (waiting.length === 0 && note !== null) return { tree, count: 0, stampSoon: false }

  const tiles = tree.append(waiting.map(hashLeaf))
  const saved = await saveTiles.run(tx, {
    levels: tiles.map(({ level }) => level),
    numbers: tiles.map(({ number }) => number),
    hashes: tiles.map(({ hashes }) => hashes),
  })
  if (saved !== tiles.length) throw new BrokenLog('a tile of the log does not continue what was there')
  const signed = writeNote({ origin, size: tree.size, root: tree.root() }, noteSigners(keyring))
  await setHead.run(tx, { before: size, size: tree.size, note: signed, stampSoon: stampSoon === true, now })
  return { tree, count: waiting.length, stampSoon: stampSoon === true }
}

/** Of two trees of one size only one has the signed root: a tree that has grown by what was rolled back has another. */
function isCurrent(known: GrowingTree | undefined, size: number, note: string | null): known is GrowingTree {
  return known?.size === size && note !== null && readNote(note).root.equals(known.root())
}

async function readTree(tx: Tx, size: number): Promise<GrowingTree> {
  const read = await readTiles(
    tx,
    edgeOf(size).filter(({ width }) => width > 0),
  )
  return new GrowingTree(size, read)
}

/** While the secret key is being changed both keys sign, so that whoever knows either can verify. */
function noteSigners(keyring: Keyring) {
  return historyKeys(keyring).map(({ publicKey, sign }) => ({ publicKey: Buffer.from(publicKey.x, 'base64url'), sign }))
}
