// The tree of RFC 6962 (2.1) in the tiles of C2SP tlog-tiles: tile n of level 0 holds the leaf hashes from 256 × n on,
// and each full tile becomes one hash of the level above. Pure. Positions stay far below 2^53.
import { hash } from 'node:crypto'

export const HASH_BYTES = 32
export const TILE_WIDTH = 256

/** The tables of the log do not fit together: somebody other than the sequencer has been there. */
export class BrokenLog extends Error {}

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')

// Written over for each hash: making these anew costs as much as the hashing. The first byte tells leaves and nodes apart.
const leafBytes = Buffer.alloc(1 + HASH_BYTES)
const nodeBytes = Buffer.alloc(1 + 2 * HASH_BYTES, 1)

/** The leaf of an entry, which is a hash itself. */
export function hashLeaf(entry: Buffer): Buffer {
  if (entry.length !== HASH_BYTES) throw new BrokenLog(`an entry of the log has ${entry.length} bytes`)
  entry.copy(leafBytes, 1)
  return sha256(leafBytes)
}

export function hashNode(left: Buffer, right: Buffer): Buffer {
  left.copy(nodeBytes, 1)
  right.copy(nodeBytes, 1 + HASH_BYTES)
  return sha256(nodeBytes)
}

export const EMPTY_ROOT = sha256(Buffer.alloc(0))

export type TileName = { level: number; number: number }
export type Tile = TileName & { hashes: Buffer }

/** The tiles that a tree of this size has not filled yet, one for each level, with how many hashes each holds. */
export function edgeOf(size: number): (TileName & { width: number })[] {
  const edge = []
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_WIDTH)) {
    edge.push({ level, number: Math.floor(count / TILE_WIDTH), width: count % TILE_WIDTH })
  }
  return edge
}

/** A tree that grows at its right edge, and remembers nothing else. */
export class GrowingTree {
  size: number
  private readonly edge: { number: number; hashes: Buffer[] }[]

  /** Takes up a tree at its edge; `read` answers with the hashes that a tile holds so far. */
  constructor(size: number, read: (name: TileName) => Buffer) {
    this.size = size
    this.edge = edgeOf(size).map(({ level, number, width }) => ({
      number,
      hashes: width === 0 ? [] : firstHashes(read({ level, number }), width),
    }))
  }

  /** Appends leaf hashes and answers with every tile that has grown by them. */
  append(leafHashes: readonly Buffer[]): Tile[] {
    const filled: Tile[] = []
    let highest = -1
    for (const leafHash of leafHashes) highest = Math.max(highest, this.push(leafHash, filled))
    this.size += leafHashes.length
    const growing = this.edge.slice(0, highest + 1).map(({ number, hashes }, level) => tileOf(level, number, hashes))
    return [...filled, ...growing.filter(({ hashes }) => hashes.length > 0)]
  }

  root(): Buffer {
    let right: Buffer[] = []
    for (const { hashes } of this.edge) {
      const all = [...hashes, ...right]
      right = all.length === 0 ? [] : [rootOf(all)]
    }
    return right[0] ?? EMPTY_ROOT
  }

  /** Answers with the highest level that has grown. */
  private push(leafHash: Buffer, filled: Tile[]): number {
    for (let level = 0, value = leafHash; ; level++) {
      const place = (this.edge[level] ??= { number: 0, hashes: [] })
      place.hashes.push(value)
      if (place.hashes.length < TILE_WIDTH) return level
      filled.push(tileOf(level, place.number, place.hashes))
      value = rootOf(place.hashes)
      this.edge[level] = { number: place.number + 1, hashes: [] }
    }
  }
}

const tileOf = (level: number, number: number, hashes: Buffer[]): Tile => ({
  level,
  number,
  hashes: Buffer.concat(hashes),
})

/** The first hashes of a tile that must have that many. */
function firstHashes(bytes: Buffer, width: number): Buffer[] {
  if (bytes.length < width * HASH_BYTES) throw new BrokenLog('a tile of the log is shorter than the log says')
  return splitHashes(bytes.subarray(0, width * HASH_BYTES))
}

/** Hashes that lie one behind the other. */
export function splitHashes(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  )
}

/** RFC 6962 2.1 over hashes instead of leaves: all of equally large trees, but for the last, which may be smaller. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 1) return hashes[0]!
  const left = largestPowerBelow(hashes.length)
  return hashNode(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)))
}

/** The largest power of two that is smaller than a number. */
export function largestPowerBelow(number: number): number {
  let power = 1
  while (power * 2 < number) power *= 2
  return power
}
