import PDFDocument from 'pdfkit'
import { createRequire } from 'node:module'
import type { EvidenceFacts } from './facts.ts'

const fonts = createRequire(import.meta.url)
const REGULAR = fonts.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')

/** The evidence as a PDF with the same facts attached as JSON; not sealed yet. */
export async function writeEvidencePdf(facts: EvidenceFacts): Promise<Buffer> {
  const page = new PDFDocument({ size: 'A4', margin: 50, pdfVersion: '1.7', font: REGULAR })
  const chunks: Buffer[] = []
  page.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => page.on('end', resolve))
  page.text(facts.subject)
  page.file(Buffer.from(JSON.stringify(facts, null, 2)), { name: 'evidence.json', type: 'application/json' })
  page.end()
  await ended
  return Buffer.concat(chunks)
}
