import type { Tx } from '#platform/db/database.ts'
import { listTiles } from './log-statements.ts'
import { BrokenLog, type TileName } from './merkle-tree.ts'

/** Reads tiles at once and answers with a way to look each of them up. */
export async function readTiles(tx: Tx, names: readonly TileName[]): Promise<(name: TileName) => Buffer> {
  const key = ({ level, number }: TileName) => `${level}/${number}`
  const wanted = [...new Map(names.map((name) => [key(name), name])).values()]
  const rows = await listTiles.many(tx, {
    levels: wanted.map(({ level }) => level),
    numbers: wanted.map(({ number }) => number),
  })
  const found = new Map(rows.map((row) => [key(row), row.hashes]))
  return (name) => {
    const hashes = found.get(key(name))
    if (hashes === undefined) throw new BrokenLog(`tile ${key(name)} of the log is missing`)
    return hashes
  }
}
