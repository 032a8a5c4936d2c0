// An embedded font for what we draw: the glyphs in use are cut out of a TrueType file and numbered anew.
// Only what a Type 0 font with Identity-H needs is kept (ISO 32000-2, 9.9.1), so a subset has a few KB.
import { deflateSync } from 'node:zlib'
import { fontFile, getTable, type Face, type FontFile } from './font-file.ts'
import type { Update } from './update.ts'
import { decimal, reference, type ObjectId } from './write.ts'

/** The width of a text in units of its font size. */
export function measureText(text: string, face: Face = 'text'): number {
  const { advanceOf, glyphOf, unitsPerEm } = fontFile(face)
  let width = 0
  for (const character of text) width += advanceOf(glyphOf(codePointOf(character)))
  return width / unitsPerEm
}

/** Whether a face has a glyph for every character. */
export function canWrite(text: string, face: Face): boolean {
  const { glyphOf } = fontFile(face)
  return Array.from(text).every((character) => glyphOf(codePointOf(character)) !== 0)
}

const codePointOf = (character: string) => character.codePointAt(0) as number

/** The glyphs that one appearance uses. Text is encoded first, then the font is written with just those glyphs. */
export class FontSubset {
  private readonly font: FontFile
  private readonly glyphs: number[] = [0]
  private readonly renumbered = new Map<number, number>([[0, 0]])
  private readonly characters = new Map<number, string>()

  constructor(face: Face = 'text') {
    this.font = fontFile(face)
  }

  /** The text as a hexadecimal string of two-byte glyph numbers. */
  encode(text: string): string {
    let codes = ''
    for (const character of text) {
      const code = this.use(this.font.glyphOf(codePointOf(character)))
      this.characters.set(code, character)
      codes += code.toString(16).padStart(4, '0')
    }
    return `<${codes}>`
  }

  private use(glyph: number): number {
    const known = this.renumbered.get(glyph)
    if (known !== undefined) return known
    const code = this.glyphs.push(glyph) - 1
    this.renumbered.set(glyph, code)
    return code
  }

  /** Writes the font into the update. */
  embed(update: Update): ObjectId {
    const program = this.program()
    const file = update.addStream(`/Length1 ${program.length} /Filter /FlateDecode`, deflateSync(program))
    const cidSet = update.addStream('', this.cidSet())
    // A subset is marked by six capitals (9.9.2); they tell subsets within one file apart.
    const baseFont = `${this.tag()}+${this.font.name}`
    const descriptor = update.add(
      `<< /Type /FontDescriptor /FontName /${baseFont} /Flags 4 ${this.measures()} /ItalicAngle 0 /StemV 80 ` +
        `/FontFile2 ${reference(file)} /CIDSet ${reference(cidSet)} >>`,
    )
    const descendant = update.add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${baseFont} /CIDToGIDMap /Identity ` +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ` +
        `/FontDescriptor ${reference(descriptor)} /W [0 [${this.widths().join(' ')}]] >>`,
    )
    const toUnicode = update.addStream('/Filter /FlateDecode', deflateSync(Buffer.from(this.unicodeMap(), 'latin1')))
    return update.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${baseFont} /Encoding /Identity-H ` +
        `/DescendantFonts [${reference(descendant)}] /ToUnicode ${reference(toUnicode)} >>`,
    )
  }

  /** In thousandths of the font size, from where the font itself says them (OpenType: head and hhea). */
  private measures(): string {
    const { tables, unitsPerEm, capHeight } = this.font
    const at = (tag: string, offset: number) =>
      Math.round((getTable(tables, tag).readInt16BE(offset) * 1000) / unitsPerEm)
    const box = [36, 38, 40, 42].map((offset) => at('head', offset))
    return `/FontBBox [${box.join(' ')}] /Ascent ${at('hhea', 4)} /Descent ${at('hhea', 6)} /CapHeight ${capHeight}`
  }

  private tag(): string {
    let sum = 0
    for (const glyph of this.glyphs) sum = (sum * 31 + glyph) % 308_915_776
    return Array.from({ length: 6 }, (_, index) => String.fromCharCode(65 + (Math.floor(sum / 26 ** index) % 26))).join(
      '',
    )
  }

  private widths(): string[] {
    return this.glyphs.map((glyph) => decimal((this.font.advanceOf(glyph) * 1000) / this.font.unitsPerEm))
  }

  private cidSet(): Buffer {
    const bits = Buffer.alloc(Math.ceil(this.glyphs.length / 8))
    for (let code = 0; code < this.glyphs.length; code++)
      bits[code >> 3] = (bits[code >> 3] as number) | (0x80 >> (code & 7))
    return bits
  }

  private unicodeMap(): string {
    const lines = [...this.characters]
      .filter(([code]) => code !== 0)
      .map(([code, character]) => {
        const utf16 = Buffer.from(character, 'utf16le').swap16().toString('hex')
        return `<${code.toString(16).padStart(4, '0')}> <${utf16}>`
      })
    const blocks: string[] = []
    // A block holds at most 100 lines (Adobe Technical Note 5014).
    for (let at = 0; at < lines.length; at += 100) {
      const block = lines.slice(at, at + 100)
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
    }
    return [
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
      '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
      '1 begincodespacerange <0000> <ffff> endcodespacerange',
      ...blocks,
      'endcmap CMapName currentdict /CMap defineresource pop end end',
    ].join('\n')
  }

  /** The TrueType file of the glyphs in use. Composite glyphs pull in their parts, so the list may grow on the way. */
  private program(): Buffer {
    const outlines: Buffer[] = []
    for (let code = 0; code < this.glyphs.length; code++) {
      outlines.push(padded(this.withPartsRenumbered(this.font.outlineOf(this.glyphs[code] as number))))
    }
    const locations = Buffer.alloc((outlines.length + 1) * 4)
    let length = 0
    for (const [code, outline] of outlines.entries()) {
      length += outline.length
      locations.writeUInt32BE(length, (code + 1) * 4)
    }
    const metrics = Buffer.alloc(outlines.length * 4)
    for (const [code, glyph] of this.glyphs.entries()) metrics.writeUInt16BE(this.font.advanceOf(glyph), code * 4)
    return assembleFont([
      ['cvt ', this.font.tables.get('cvt ')],
      ['fpgm', this.font.tables.get('fpgm')],
      ['glyf', Buffer.concat(outlines)],
      ['head', patched(getTable(this.font.tables, 'head'), 50, 1)],
      ['hhea', patched(getTable(this.font.tables, 'hhea'), 34, outlines.length)],
      ['hmtx', metrics],
      ['loca', locations],
      ['maxp', patched(getTable(this.font.tables, 'maxp'), 4, outlines.length)],
      ['prep', this.font.tables.get('prep')],
    ])
  }

  private withPartsRenumbered(outline: Buffer): Buffer {
    if (outline.length === 0 || outline.readInt16BE(0) >= 0) return outline
    const copy = Buffer.from(outline)
    for (let at = 10, more = true; more;) {
      const flags = copy.readUInt16BE(at)
      copy.writeUInt16BE(this.use(copy.readUInt16BE(at + 2)), at + 2)
      at += 4 + (flags & 0x0001 ? 4 : 2) + (flags & 0x0008 ? 2 : flags & 0x0040 ? 4 : flags & 0x0080 ? 8 : 0)
      more = (flags & 0x0020) !== 0
    }
    return copy
  }
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function patched(table: Buffer, offset: number, value: number): Buffer {
  const copy = Buffer.from(table)
  copy.writeUInt16BE(value, offset)
  return copy
}

function assembleFont(all: [tag: string, table: Buffer | undefined][]): Buffer {
  const tables = all.filter((pair): pair is [string, Buffer] => pair[1] !== undefined)
  const directory = Buffer.alloc(12 + tables.length * 16)
  directory.writeUInt32BE(0x0001_0000, 0)
  directory.writeUInt16BE(tables.length, 4)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  directory.writeUInt16BE(power * 16, 6)
  directory.writeUInt16BE(Math.log2(power), 8)
  directory.writeUInt16BE((tables.length - power) * 16, 10)
  let offset = directory.length
  for (const [index, [tag, table]] of tables.entries()) {
    const at = 12 + index * 16
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(checksum(padded(table)), at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(table.length, at + 12)
    offset += padded(table).length
  }
  return Buffer.concat([directory, ...tables.map(([, table]) => padded(table))])
}

function checksum(table: Buffer): number {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}
