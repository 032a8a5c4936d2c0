// The evidence on paper: plain, in one column, with the same facts attached for programs.
import encodeQR from 'qr'
import { oneLine } from '#i18n/one-line.ts'
import { canWrite } from '#pades/font.ts'
import { strokesInBox } from '#pades/strokes.ts'
import { describeParticipant, wordsFor, type Words } from './evidence-words.ts'
import type { EvidenceFacts, EvidenceParticipant } from './facts.ts'
import { newDocument } from './new-document.ts'

const MARGIN = 50
const QR_SIDE = 84
const MARK = { width: 160, height: 48 }
const MARK_SIZE = 22
/** Of the line below each event, which stays on its page. */
const HASH_HEIGHT = 8

type Page = PDFKit.PDFDocument

/** The facts for programs. */
export function evidenceJson(facts: EvidenceFacts): Buffer {
  return Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)
}

/** The evidence as a PDF, not sealed yet. */
export async function writeEvidencePdf(facts: EvidenceFacts): Promise<Buffer> {
  const words = wordsFor(facts)
  const page: Page = await newDocument({
    size: 'A4',
    margin: MARGIN,
    pdfVersion: '1.7',
    autoFirstPage: false,
    bufferPages: true,
    lang: facts.language,
    displayTitle: true,
    info: { Title: `${words.say('title')}: ${facts.subject}`, CreationDate: facts.completedAt },
  })
  const bytes = collect(page)
  page.addPage().font('regular')
  const shown = onOneLineEach(facts)
  writeHead(page, words, shown)
  writeParticipants(page, words, shown)
  writeDocuments(page, words, shown)
  writeHistory(page, words, shown)
  numberPages(page, words)
  page.file(evidenceJson(facts), { name: 'evidence.json', type: 'application/json', creationDate: facts.completedAt })
  page.end()
  return bytes
}

/** The same with what others wrote kept from looking like lines of ours; the JSON has it as they wrote it. */
function onOneLineEach(facts: EvidenceFacts): EvidenceFacts {
  const { organisation, department, person } = facts.sender
  return {
    ...facts,
    subject: oneLine(facts.subject),
    sender: {
      organisation: oneLine(organisation),
      department: oneLine(department),
      person: person === null ? null : oneLine(person),
    },
    sealedBy: oneLine(facts.sealedBy),
    participants: facts.participants.map(({ name, mark, ...rest }) => ({
      ...rest,
      name: oneLine(name),
      mark: mark?.kind === 'typed' ? { ...mark, text: oneLine(mark.text) } : mark,
    })),
    documents: facts.documents.map(({ title, fileName, ...rest }) => ({
      ...rest,
      title: title === null ? null : oneLine(title),
      fileName: oneLine(fileName),
    })),
  }
}

async function collect(page: Page): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of page as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function writeHead(page: Page, words: Words, facts: EvidenceFacts): void {
  const { say, when } = words
  const { organisation, department, person } = facts.sender
  const width = page.page.width - 2 * MARGIN - QR_SIDE - 16
  drawQr(page, facts.verifyUrl, page.page.width - MARGIN - QR_SIDE, MARGIN)
  page.font('bold').fontSize(18).text(say('title'), { width })
  page.moveDown(0.3).fontSize(12).text(facts.subject, { width })
  page.moveDown(0.5).font('regular').fontSize(9)
  page.text(`${say('request')}: ${facts.requestId}`, { width })
  // A root department has the name of its organisation.
  const sender = new Set([person, department, organisation].filter((name) => name !== null))
  page.text(`${say('sender')}: ${[...sender].join(', ')}`, { width })
  if (facts.openedAt) page.text(`${say('opened')}: ${when(facts.openedAt)}`, { width })
  page.text(`${say('completed')}: ${when(facts.completedAt)}`, { width })
  page.text(`${say('seal')}: ${facts.sealedBy}`, { width })
  const { timestampAuthority } = facts
  if (timestampAuthority !== 'outside') page.text(say('ownTimestamps'), { width })
  if (timestampAuthority !== 'own') page.text(say('outsideTimestamps'), { width })
  page.moveDown(0.7).text(say('introduction'))
  page.text(say('verify', { url: facts.verifyUrl }), { link: facts.verifyUrl })
}

function drawQr(page: Page, text: string, x: number, y: number): void {
  const rows = encodeQR(text, 'raw', { border: 2 })
  const side = QR_SIDE / rows.length
  for (const [row, cells] of rows.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (isDark) page.rect(x + column * side, y + row * side, side, side)
    }
  }
  page.fill('#000000')
}

function writeTitle(page: Page, title: string): void {
  page.moveDown(1).font('bold').fontSize(12).text(title).moveDown(0.3).font('regular').fontSize(9)
}

function writeParticipants(page: Page, words: Words, { participants }: EvidenceFacts): void {
  writeTitle(page, words.say('participants'))
  for (const person of participants) {
    page.font('bold').text(person.name).font('regular')
    for (const line of describeParticipant(words, person)) page.text(line)
    showMark(page, person.mark)
    page.moveDown(0.6)
  }
}

type Mark = NonNullable<EvidenceParticipant['mark']>

function showMark(page: Page, mark: Mark | null): void {
  if (mark?.kind === 'drawn') drawMark(page, mark)
  if (mark?.kind === 'typed') writeMark(page, mark.text)
}

/** In letters like handwriting where there are such letters for it. */
function writeMark(page: Page, text: string): void {
  const face = canWrite(text, 'handwriting') ? 'handwriting' : 'regular'
  page.font(face).fontSize(MARK_SIZE).fillColor('#000066').text(text).fillColor('#000000').font('regular').fontSize(9)
}

function drawMark(page: Page, mark: Mark & { kind: 'drawn' }): void {
  const drawn = strokesInBox(mark.strokes)
  if (drawn === undefined) return
  const scale = Math.min(MARK.width / drawn.width, MARK.height / drawn.height)
  if (page.y + MARK.height > page.page.height - MARGIN) page.addPage()
  const { x, y } = page
  for (const stroke of drawn.strokes) {
    for (const [index, [right, down]] of stroke.entries()) {
      const point = [x + right * scale, y + down * scale] as const
      if (index === 0) page.moveTo(...point)
      else page.lineTo(...point)
    }
  }
  page.lineWidth(1).stroke('#000000')
  page.y = y + MARK.height
}

function writeDocuments(page: Page, { say }: Words, { documents }: EvidenceFacts): void {
  writeTitle(page, say('documents'))
  for (const { title, fileName, sha256, sizeBytes, levelAsked, levelReached } of documents) {
    page
      .font('bold')
      .text(title === null ? fileName : `${title} (${fileName})`)
      .font('regular')
    page.text(say('size', { count: sizeBytes }))
    page.text(say('level', { asked: levelAsked, reached: levelReached }))
    page
      .text(`${say('sha256')}:`)
      .font('mono')
      .fontSize(8)
      .text(sha256)
      .font('regular')
      .fontSize(9)
      .moveDown(0.6)
  }
}

function writeHistory(page: Page, { say, when, event }: Words, { events, participants }: EvidenceFacts): void {
  writeTitle(page, say('history'))
  page.text(say('historyExplained')).moveDown(0.4).fontSize(8)
  for (const { sequenceNumber, eventType, timestamp, signatoryId, hash } of events) {
    const person = participants.find(({ id }) => id === signatoryId)
    // Whom it is about: an invitation or a message is not something that the person has done.
    const who = person ? `${person.name}: ` : ''
    const line = `${sequenceNumber}. ${when(timestamp)}  ${who}${event(eventType)}`
    page.font('regular')
    if (page.y + page.heightOfString(line) + HASH_HEIGHT > page.page.maxY()) page.addPage()
    page.text(line).font('mono').fontSize(6).fillColor('#555555').text(hash).fillColor('#000000').fontSize(8)
  }
}

function numberPages(page: Page, { say }: Words): void {
  const { count } = page.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    page.switchToPage(index)
    // Text below the margin would begin a new page.
    page.page.margins.bottom = 0
    const text = say('page', { page: index + 1, pages: count })
    page
      .font('regular')
      .fontSize(8)
      .text(text, MARGIN, page.page.height - 32, {
        align: 'right',
        lineBreak: false,
        width: page.page.width - 2 * MARGIN,
      })
    page.page.margins.bottom = MARGIN
  }
}
