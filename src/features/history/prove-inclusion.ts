// Inclusion proofs (RFC 6962 2.1.1) from tiles: which parts of the tree a proof consists of, which tiles those lie in,
// and their hashes. Pure, so that all tiles of many proofs can be read at once in between.
import { BrokenLog, HASH_BYTES, hashNode, largestPowerBelow, rootOf, TILE_WIDTH, type TileName } from './merkle-tree.ts'

/** The leaves from one position up to another. */
type Span = { from: number; to: number }

/** The spans whose hashes prove that a position is in a tree of this size, beginning beside the leaf. */
export function proofSpans(position: number, size: number): Span[] {
  const spans: Span[] = []
  for (let from = 0, to = size; to - from > 1;) {
    const middle = from + largestPowerBelow(to - from)
    const isLeft = position < middle
    spans.push(isLeft ? { from: middle, to } : { from, to: middle })
    if (isLeft) to = middle
    else from = middle
  }
  return spans.reverse()
}

/** The tiles that the hash of a span is computed from. */
export function tilesOf(span: Span): TileName[] {
  return wholeParts(span).map(({ level, first }) => ({ level, number: Math.floor(first / TILE_WIDTH) }))
}

/** The hash of a span; `read` answers with the hashes of a tile. */
export function hashSpan(span: Span, read: (name: TileName) => Buffer): Buffer {
  const hashes = wholeParts(span).map(({ level, first, count }) => {
    const tile = read({ level, number: Math.floor(first / TILE_WIDTH) })
    const start = first % TILE_WIDTH
    if (tile.length < (start + count) * HASH_BYTES)
      throw new BrokenLog('a tile of the log is shorter than the log says')
    return rootOf(Array.from({ length: count }, (_, index) => hashAt(tile, start + index)))
  })
  return hashes.reduceRight((right, left) => hashNode(left, right))
}

const hashAt = (tile: Buffer, index: number) => tile.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)

/** A complete subtree, as so many hashes of one tile of a level. */
type Part = { level: number; first: number; count: number }

/** A span that begins where a proof's do falls into complete subtrees, each smaller than the one before it. */
function wholeParts({ from, to }: Span): Part[] {
  const parts: Part[] = []
  for (let start = from; start < to;) {
    const leaves = isPower(to - start) ? to - start : largestPowerBelow(to - start)
    parts.push(partOf(start, leaves))
    start += leaves
  }
  return parts
}

function partOf(start: number, leaves: number): Part {
  let [level, first, count] = [0, start, leaves]
  for (; count >= TILE_WIDTH; count /= TILE_WIDTH) {
    level++
    first /= TILE_WIDTH
  }
  return { level, first, count }
}

const isPower = (number: number) => Number.isInteger(Math.log2(number))
