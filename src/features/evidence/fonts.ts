// DejaVu, and Caveat for typed signatures, read once: parsing a font takes longer than writing the whole record.
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { fontFile } from '#pades/font-file.ts'

const { resolve } = createRequire(import.meta.url)

const FILES = {
  regular: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
  handwriting: fontFile('handwriting').path,
} as const

export type FontName = keyof typeof FILES

let parsed: Map<FontName, PDFKit.Mixins.PDFFontSource> | undefined

/** Makes the fonts known to a document under their names. */
export function registerFonts(page: PDFKit.PDFDocument): void {
  parsed ??= new Map((Object.keys(FILES) as FontName[]).map((name) => [name, parse(FILES[name])]))
  for (const [name, font] of parsed) page.registerFont(name, font)
}

/** pdfkit takes what it has parsed itself as well as a file, but has no other door to its parser than a document. */
function parse(file: string): PDFKit.Mixins.PDFFontSource {
  const scratch = new PDFDocument({ font: file, autoFirstPage: false })
  const { font } = (scratch as unknown as { _font: { font?: PDFKit.Mixins.PDFFontSource } })._font
  return font ?? file
}
