import { newDocument } from '#features/evidence/new-document.ts'
import type { Part } from './cast.ts'

const MARGIN = 72

/** A plain document that looks like what people sign. */
export async function writeDocument({ title, subject, paragraphs, people }: Part): Promise<Buffer> {
  const page = await newDocument({ size: 'A4', margin: MARGIN, info: { Title: subject } })
  const chunks: Buffer[] = []
  page.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => page.once('end', resolve))
  page.font('bold').fontSize(20).text(title).moveDown(0.3)
  page.font('regular').fontSize(11).fillColor('#555555').text(subject).fillColor('#000000').moveDown(1.5)
  for (const [index, paragraph] of paragraphs.entries()) {
    page
      .font('bold')
      .text(`${index + 1}.`, { continued: true })
      .font('regular')
      .text(` ${paragraph}`)
      .moveDown(0.8)
  }
  page.moveDown(2).text('Signed electronically by').moveDown(0.5)
  for (const [firstName, lastName] of people) page.text(`${firstName} ${lastName}`)
  page.end()
  await ended
  return Buffer.concat(chunks)
}
