// How a tile is addressed (C2SP tlog-tiles): its number in groups of three digits, all but the last with an x before
// them, and ".p/" with the number of hashes where the tile is not full. 1234067 is x001/x234/067.
import { TILE_WIDTH, type TileName } from './merkle-tree.ts'

const PATH = /^(?:x\d{3}\/){0,2}\d{3}(?:\.p\/([1-9]\d{0,2}))?$/
const HIGHEST_LEVEL = 5

export type WantedTile = TileName & { width: number }

/** The tile that a path means, undefined where it means none. */
export function readTilePath(level: string, path: string): WantedTile | undefined {
  const match = PATH.exec(path)
  const width = Number(match?.[1] ?? TILE_WIDTH)
  if (match === null || !/^\d$/.test(level) || Number(level) > HIGHEST_LEVEL || width > TILE_WIDTH) return undefined
  const digits = path.replace(/\.p\/.*$/, '').replaceAll(/[x/]/g, '')
  return { level: Number(level), number: Number(digits), width }
}
