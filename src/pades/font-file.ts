// The two TrueType files that we draw with, and how their tables are read.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A face: one for all text, and one like handwriting, for signatures that people type. */
export type Face = 'text' | 'handwriting'

export interface FontFile {
  /** As a PDF calls it. */
  readonly name: string
  readonly path: string
  /** In thousandths of the font size; old fonts do not tell it. */
  readonly capHeight: number
  readonly tables: ReadonlyMap<string, Buffer>
  readonly unitsPerEm: number
  /** Zero where the font has no glyph for it. */
  readonly glyphOf: (codePoint: number) => number
  readonly advanceOf: (glyph: number) => number
  readonly outlineOf: (glyph: number) => Buffer
}

const { resolve } = createRequire(import.meta.url)

/** DejaVu Sans covers Latin, Greek, Cyrillic and more; Caveat Latin and Cyrillic. Both licences allow embedding. */
const FILES: Readonly<Record<Face, { name: string; file: string; capHeight: number }>> = {
  text: { name: 'DejaVuSans', file: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf', capHeight: 729 },
  handwriting: {
    name: 'Caveat',
    file: '@expo-google-fonts/caveat/400Regular/Caveat_400Regular.ttf',
    capHeight: 610,
  },
}

const opened = new Map<Face, FontFile>()

/** The file behind a face, read when it is first needed. */
export function fontFile(face: Face): FontFile {
  const already = opened.get(face)
  if (already !== undefined) return already
  const { file, ...known } = FILES[face]
  const font = { ...known, ...openFont(resolve(file)) }
  opened.set(face, font)
  return font
}

function openFont(path: string): Omit<FontFile, 'name' | 'capHeight'> {
  const bytes = readFileSync(path)
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < bytes.readUInt16BE(4); index++) {
    const at = 12 + index * 16
    const offset = bytes.readUInt32BE(at + 8)
    tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(offset, offset + bytes.readUInt32BE(at + 12)))
  }
  const head = getTable(tables, 'head')
  const lastMetric = getTable(tables, 'hhea').readUInt16BE(34) - 1
  const metrics = getTable(tables, 'hmtx')
  const [locations, outlines] = [getTable(tables, 'loca'), getTable(tables, 'glyf')]
  const isLong = head.readInt16BE(50) === 1
  const location = (glyph: number) =>
    isLong ? locations.readUInt32BE(glyph * 4) : locations.readUInt16BE(glyph * 2) * 2
  return {
    path,
    tables,
    unitsPerEm: head.readUInt16BE(18),
    glyphOf: characterMap(getTable(tables, 'cmap')),
    advanceOf: (glyph) => metrics.readUInt16BE(Math.min(glyph, lastMetric) * 4),
    outlineOf: (glyph) => outlines.subarray(location(glyph), location(glyph + 1)),
  }
}

/** A table that every font has. */
export function getTable(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag)
  if (table === undefined) throw new Error(`The font has no ${tag} table.`)
  return table
}

/** The map with all code points where the font has one, else that of the basic plane. */
function characterMap(cmap: Buffer): (codePoint: number) => number {
  const maps = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4)),
  )
  const ofFormat = (format: number) => maps.find((map) => map.readUInt16BE(0) === format)
  const [whole, basic] = [ofFormat(12), ofFormat(4)]
  if (whole !== undefined) return mapOfGroups(whole.subarray(16, 16 + whole.readUInt32BE(12) * 12))
  if (basic !== undefined) return mapOfSegments(basic)
  throw new Error('The font has no character map of format 4 or 12.')
}

/** Format 12: groups of code points, in order. */
function mapOfGroups(groups: Buffer): (codePoint: number) => number {
  return (codePoint) => {
    for (let at = 0; at < groups.length; at += 12) {
      if (codePoint > groups.readUInt32BE(at + 4)) continue
      const first = groups.readUInt32BE(at)
      return codePoint < first ? 0 : groups.readUInt32BE(at + 8) + codePoint - first
    }
    return 0
  }
}

/** Format 4: segments of the basic plane, as four arrays side by side: last, first, difference, place of the glyphs. */
function mapOfSegments(map: Buffer): (codePoint: number) => number {
  const twice = map.readUInt16BE(6)
  const [lasts, firsts, differences, places] = [14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice] as const
  return (codePoint) => {
    for (let at = 0; at < twice; at += 2) {
      if (codePoint > map.readUInt16BE(lasts + at)) continue
      const first = map.readUInt16BE(firsts + at)
      if (codePoint < first) return 0
      const difference = map.readInt16BE(differences + at)
      const place = map.readUInt16BE(places + at)
      if (place === 0) return (codePoint + difference) & 0xffff
      const glyph = map.readUInt16BE(places + at + place + (codePoint - first) * 2)
      return glyph === 0 ? 0 : (glyph + difference) & 0xffff
    }
    return 0
  }
}
