// DejaVu, and Caveat for typed signatures, read once: parsing a font takes longer than writing the whole record.
import { createRequire } from 'node:module'
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

/** An empty document that knows the fonts under their names. pdfkit is loaded by the first who writes: it takes its time. */
export async function newDocument(options: PDFKit.PDFDocumentOptions): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import('pdfkit')
  parsed ??= new Map((Object.keys(FILES) as FontName[]).map((name) => [name, parse(FILES[name], PDFDocument)]))
  const page = new PDFDocument(options)
  for (const [name, font] of parsed) page.registerFont(name, font)
  return page
}

/** pdfkit takes what it has parsed itself as well as a file, but has no other door to its parser than a document. */
function parse(file: string, PDFDocument: typeof import('pdfkit')): PDFKit.Mixins.PDFFontSource {
  const scratch = new PDFDocument({ font: file, autoFirstPage: false })
  const { font } = (scratch as unknown as { _font: { font?: PDFKit.Mixins.PDFFontSource } })._font
  return font ?? file
}
