// The first half of an audit: the tree against itself. From its lowest tiles all the rest is computed anew, and held
// against every checkpoint that was ever timestamped, the newest one, and any that somebody has kept outside.
import type { Database } from '#platform/db/database.ts'
import { listCheckpoints, listTilesOf } from './audit-statements.ts'
import { GrowingTree, splitHashes, TILE_WIDTH } from './merkle-tree.ts'
import { readNote } from './signed-note.ts'
import { verifyCheckpointTimestamp } from './verify-timestamp.ts'

export type Expectation = { what: string; size: number; root: Buffer }

export type AuditTree = {
  db: Database
  size: number
  /** What the tree must be at some sizes. */
  expectations: readonly Expectation[]
  signal: AbortSignal | undefined
  report: (problem: string) => void
}

/** Reports whatever does not fit, and answers with the number of expectations that do. */
export async function auditTree({ db, size, expectations, signal, report }: AuditTree): Promise<number> {
  const expected = expectations.toSorted((a, b) => a.size - b.size)
  const tree = new GrowingTree(0, () => Buffer.alloc(0))
  const upper = new Map<string, Buffer>()
  let next = 0
  let held = 0

  const compareHere = () => {
    for (; expected[next]?.size === tree.size; next++) {
      const { what, root } = expected[next]!
      if (root.equals(tree.root())) held++
      else report(`${what} has another root than the log had with ${tree.size} events.`)
    }
  }

  compareHere()
  for await (const leaves of readLeaves(db, size)) {
    signal?.throwIfAborted()
    for (let rest = leaves; rest.length > 0;) {
      const room = (expected[next]?.size ?? Infinity) - tree.size
      for (const { level, number, hashes } of tree.append(rest.slice(0, room))) {
        if (level > 0) upper.set(`${level}/${number}`, hashes)
      }
      rest = rest.slice(room)
      compareHere()
    }
  }
  if (tree.size !== size) report(`The log says that it has ${size} events, its tiles have ${tree.size}.`)
  for (const { what, size: wanted } of expected.slice(next)) {
    report(`${what} covers ${wanted} events; the log has only ${tree.size}: it has been cut short.`)
  }
  await compareUpper(db, upper, report)
  return held
}

/** What every checkpoint says that was ever timestamped. Reports those whose timestamp does not hold. */
export async function readStamped(db: Database, report: AuditTree['report']): Promise<Expectation[]> {
  const found: Expectation[] = []
  for (let after = -1; ;) {
    const page = await db.systemTransaction((tx) => listCheckpoints.many(tx, { after }))
    for (const { size, note, timestamp } of page) {
      const what = `The timestamped checkpoint of ${size} events`
      const checked = verifyCheckpointTimestamp(note, timestamp, undefined)
      if (!checked.isGood) report(`${what} has a timestamp that does not hold: ${checked.problem}`)
      if (readNote(note).size !== size) report(`${what} says another number.`)
      found.push({ what, size, root: readNote(note).root })
    }
    if (page.length === 0) return found
    after = page.at(-1)!.size
  }
}

/** The leaf hashes, tile by tile, up to the first gap. */
async function* readLeaves(db: Database, size: number): AsyncGenerator<Buffer[]> {
  for (let number = 0; number * TILE_WIDTH < size;) {
    const tiles = await db.systemTransaction((tx) => listTilesOf.many(tx, { level: 0, after: number - 1 }))
    if (tiles.length === 0) return
    for (const tile of tiles) {
      const width = Math.min(TILE_WIDTH, size - number * TILE_WIDTH)
      if (tile.number !== number || width <= 0) return
      yield splitHashes(tile.hashes).slice(0, width)
      number++
    }
  }
}

/** Tiles above the lowest only repeat what is known, but proofs are made from them. They may have grown meanwhile. */
async function compareUpper(db: Database, upper: Map<string, Buffer>, report: AuditTree['report']): Promise<void> {
  const levels = new Set([...upper.keys()].map((name) => Number(name.split('/')[0])))
  for (const level of levels) {
    for (let after = -1; ;) {
      const page = await db.systemTransaction((tx) => listTilesOf.many(tx, { level, after }))
      if (page.length === 0) break
      after = page.at(-1)!.number
      for (const { number, hashes } of page) {
        const name = `${level}/${number}`
        const computed = upper.get(name)
        if (computed?.equals(hashes.subarray(0, computed.length))) upper.delete(name)
      }
    }
  }
  for (const name of upper.keys()) report(`Tile ${name} is missing or does not follow from the ones below it.`)
}
