import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { edgeOf, GrowingTree, hashLeaf, hashNode, type Tile, type TileName } from './merkle-tree.ts'
import { hashSpan, proofSpans, tilesOf } from './prove-inclusion.ts'

const entry = (index: number) => createHash('sha256').update(`entry ${index}`).digest()
const leavesOf = (size: number) => Array.from({ length: size }, (_, index) => hashLeaf(entry(index)))

/** RFC 6962 2.1, word for word. */
function treeHash(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest()
  if (leaves.length === 1) return leaves[0]!
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return hashNode(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)))
}

/** RFC 6962 2.1.1, word for word. */
function path(m: number, leaves: Buffer[]): Buffer[] {
  if (leaves.length <= 1) return []
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return m < k ? [...path(m, left), treeHash(right)] : [...path(m - k, right), treeHash(left)]
}

class Store {
  readonly tiles = new Map<string, Buffer>()
  save(tiles: Tile[]): void {
    for (const { level, number, hashes } of tiles) this.tiles.set(`${level}/${number}`, hashes)
  }
  read = ({ level, number }: TileName) => this.tiles.get(`${level}/${number}`)!
}

const SIZES = [0, 1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 513, 1000, 65_600]

describe('the tree of the log', () => {
  test('has the root of RFC 6962 at every size, however it grew', () => {
    const leaves = leavesOf(1200)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 3 }), (steps) => {
        const tree = new GrowingTree(0, () => Buffer.alloc(0))
        let size = 0
        for (const step of steps) {
          tree.append(leaves.slice(size, size + step))
          size += step
          assert.deepEqual(tree.root(), treeHash(leaves.slice(0, size)))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is taken up again from its stored edge at any size', () => {
    const leaves = leavesOf(65_700)
    for (const size of SIZES) {
      const store = new Store()
      store.save(new GrowingTree(0, store.read).append(leaves.slice(0, size)))
      const again = new GrowingTree(size, store.read)
      assert.deepEqual(again.root(), treeHash(leaves.slice(0, size)), `${size}`)
      store.save(again.append(leaves.slice(size, size + 100)))
      assert.deepEqual(again.root(), treeHash(leaves.slice(0, size + 100)), `${size} and a hundred`)
      for (const { level, number, width } of edgeOf(size + 100)) {
        assert.equal(width === 0 || store.read({ level, number }).length === width * 32, true)
      }
    }
  })

  test('proves each position as RFC 6962 says, also for sizes that it has outgrown', () => {
    const leaves = leavesOf(65_600)
    const store = new Store()
    store.save(new GrowingTree(0, store.read).append(leaves))
    for (const size of SIZES.filter((each) => each > 0)) {
      // The words of the standard are slow: of the largest tree two positions must do.
      const wanted = size > 1000 ? [300, size - 1] : [0, 1, size >> 1, size - 2, size - 1]
      const positions = new Set(wanted.filter((each) => each >= 0 && each < size))
      for (const position of positions) {
        const spans = proofSpans(position, size)
        assert.ok(spans.flatMap(tilesOf).every((name) => store.read(name)))
        const proof = spans.map((span) => hashSpan(span, store.read))
        assert.deepEqual(proof, path(position, leaves.slice(0, size)), `${position} of ${size}`)
      }
    }
  })

  test('does not go on from a tile that is too short', () => {
    assert.throws(() => new GrowingTree(3, () => Buffer.alloc(64)), /shorter than the log says/)
  })
})
