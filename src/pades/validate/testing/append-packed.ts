// Appends a revision in the modern way: its objects in an object stream, its cross-reference in a stream.
import { deflateSync } from 'node:zlib'
import { HONEST_TRAILER, startxrefOf, streamBody } from './attack.ts'

const CONTAINER = 600
const SECTION = 601

/** Packs objects into a stream, and names those of `listed` in the cross-reference. */
export function appendPacked(
  pdf: Buffer,
  objects: Record<number, string>,
  listed = Object.keys(objects).map(Number),
): Buffer {
  const numbers = Object.keys(objects).map(Number)
  const container = `${CONTAINER} 0 obj\n${pack(numbers.map((number) => [number, `${objects[number]} `]))}\nendobj\n`
  const startxref = pdf.length + container.length
  const rows = [
    ...listed.map((number) => row(2, CONTAINER, numbers.indexOf(number))),
    row(1, pdf.length, 0),
    row(1, startxref, 0),
  ]
  const index = [...listed, CONTAINER, SECTION].map((number) => `${number} 1`).join(' ')
  const entries = `/Type /XRef /W [1 4 2] /Index [${index}] /Size ${SECTION + 1} /Prev ${startxrefOf(pdf)} ${HONEST_TRAILER}`
  const section = `${SECTION} 0 obj\n${streamBody(rows.join(''), entries)}\nendobj\n`
  return Buffer.concat([pdf, Buffer.from(`${container}${section}startxref\n${startxref}\n%%EOF\n`, 'latin1')])
}

function pack(objects: [number: number, text: string][]): string {
  let body = ''
  const places: string[] = []
  for (const [number, text] of objects) {
    places.push(`${number} ${body.length}`)
    body += text
  }
  const head = `${places.join(' ')} `
  const data = deflateSync(Buffer.from(head + body, 'latin1')).toString('latin1')
  return streamBody(data, `/Type /ObjStm /N ${objects.length} /First ${head.length} /Filter /FlateDecode`)
}

function row(kind: number, second: number, third: number): string {
  const bytes = Buffer.alloc(7)
  bytes.writeUInt8(kind, 0)
  bytes.writeUInt32BE(second, 1)
  bytes.writeUInt16BE(third, 5)
  return bytes.toString('latin1')
}
