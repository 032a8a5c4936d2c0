// Small documents made for tests: every structure that the engine must cope with, written byte by byte.
import { deflateSync } from 'node:zlib'

export interface DocumentShape {
  version?: string
  xref?: 'table' | 'stream'
  /** Packs the catalog, pages and form into an object stream; needs xref 'stream'. */
  objectStream?: boolean
  pages?: number
  /** Raw entries added to every page, such as `/Rotate 90`. */
  pageEntries?: string
  /** Raw entries added to the catalog. */
  catalogEntries?: string
  acroForm?: 'none' | 'direct' | 'indirect'
  /** Raw bodies of fields that stand in the form; they get object numbers of their own. */
  fields?: string[]
  /** Puts fields and annotations into arrays of their own. */
  indirectArrays?: boolean
  /** Raw bodies of further objects; `at(n)` numbers start at EXTRA_OBJECT. */
  extraObjects?: (string | Buffer)[]
  /** Bytes of an unused stream, for large documents. */
  padding?: number
  /** What the pages draw. */
  content?: string
  eol?: '\n' | '\r\n'
  trailerEntries?: string
}

/** The number of the first of `extraObjects`. */
export const EXTRA_OBJECT = 100

type Body = string | Buffer

/** A complete document of the shape given. */
export function makePdf(shape: DocumentShape = {}): Buffer {
  const objects = documentObjects(shape)
  const packed = shape.objectStream === true ? packObjects(objects) : new Map<number, [number, number]>()
  return writeFile(objects, packed, shape)
}

function documentObjects(shape: DocumentShape): Map<number, Body> {
  const { pages = 1, fields = [], acroForm = fields.length > 0 ? 'indirect' : 'none' } = shape
  const objects = new Map<number, Body>()
  const fieldRefs = fields.map((_, index) => `${50 + index} 0 R`).join(' ')
  const fieldArray = shape.indirectArrays === true ? '8 0 R' : `[${fieldRefs}]`
  const form = `<< /Fields ${fieldArray} /DA (/Helv 0 Tf 0 g) >>`
  const formEntry = { none: '', direct: `/AcroForm ${form}`, indirect: '/AcroForm 7 0 R' }[acroForm]
  const kids = Array.from({ length: pages }, (_, index) => `${20 + index} 0 R`).join(' ')
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${formEntry} ${shape.catalogEntries ?? ''} >>`)
  objects.set(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages} /MediaBox [0 0 595 842] >>`)
  objects.set(3, '<< /Title (A test) /Producer (countersign tests) >>')
  objects.set(4, stream('', Buffer.from(shape.content ?? '0.9 g 40 700 200 60 re f')))
  if (acroForm === 'indirect') objects.set(7, form)
  if (shape.indirectArrays === true) objects.set(8, `[${fieldRefs}]`).set(9, `[${fieldRefs}]`)
  const annots = shape.indirectArrays === true ? '/Annots 9 0 R' : fields.length > 0 ? `/Annots [${fieldRefs}]` : ''
  for (let index = 0; index < pages; index++) {
    const own = index === 0 ? annots : ''
    objects.set(
      20 + index,
      `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << >> ${own} ${shape.pageEntries ?? ''} >>`,
    )
  }
  for (const [index, field] of fields.entries()) objects.set(50 + index, field)
  for (const [index, body] of (shape.extraObjects ?? []).entries()) objects.set(EXTRA_OBJECT + index, body)
  if (shape.padding !== undefined) objects.set(90, stream('', Buffer.alloc(shape.padding, 'x')))
  return objects
}

/** The body of a stream object. */
export const stream = (entries: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< /Length ${data.length} ${entries} >>\nstream\n`), data, Buffer.from('\nendstream')])

/** Moves what may stand in an object stream into object 95; answers where each went. */
function packObjects(objects: Map<number, Body>): Map<number, [number, number]> {
  const packed = new Map<number, [number, number]>()
  const header: string[] = []
  let data = ''
  for (const [number, body] of objects) {
    if (typeof body !== 'string') continue
    packed.set(number, [95, packed.size])
    header.push(`${number} ${data.length}`)
    data += `${body} `
    objects.delete(number)
  }
  const head = `${header.join(' ')} `
  const entries = `/Type /ObjStm /N ${packed.size} /First ${head.length} /Filter /FlateDecode`
  objects.set(95, stream(entries, deflateSync(Buffer.from(head + data, 'latin1'))))
  return packed
}

function writeFile(objects: Map<number, Body>, packed: Map<number, [number, number]>, shape: DocumentShape): Buffer {
  const eol = shape.eol ?? '\n'
  const parts: Buffer[] = [Buffer.from(`%PDF-${shape.version ?? '1.7'}${eol}%\xe2\xe3\xcf\xd3${eol}`, 'latin1')]
  const offsets = new Map<number, number>()
  let length = (parts[0] as Buffer).length
  const write = (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [number, body] of [...objects].sort(([a], [b]) => a - b)) {
    offsets.set(number, length)
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
    write(Buffer.concat([Buffer.from(`${number} 0 obj${eol}`), bytes, Buffer.from(`${eol}endobj${eol}`)]))
  }
  const id = '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]'
  const trailer = `/Root 1 0 R /Info 3 0 R ${id} ${shape.trailerEntries ?? ''}`
  const startxref = length
  write(
    shape.xref === 'stream'
      ? xrefStream({ offsets, packed, trailer, startxref })
      : xrefTable({ offsets, trailer, eol }),
  )
  write(Buffer.from(`startxref${eol}${startxref}${eol}%%EOF${eol}`))
  return Buffer.concat(parts)
}

/** Without spreading: documents of tests may have more objects than a call takes arguments. */
function highest(numbers: Iterable<number>): number {
  let found = 0
  for (const number of numbers) found = Math.max(found, number)
  return found
}

function xrefTable({ offsets, trailer, eol }: { offsets: Map<number, number>; trailer: string; eol: string }): Buffer {
  const end = eol === '\n' ? ' \n' : '\r\n'
  const size = highest(offsets.keys()) + 1
  const lines = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number)
    if (offset === undefined) return `0000000000 65535 f${end}`
    return `${String(offset).padStart(10, '0')} 00000 n${end}`
  })
  return Buffer.from(
    `xref${eol}0 ${size}${eol}${lines.join('')}trailer${eol}<< /Size ${size} ${trailer} >>${eol}`,
    'latin1',
  )
}

interface XrefStreamParts {
  offsets: Map<number, number>
  packed: Map<number, [number, number]>
  trailer: string
  startxref: number
}

function xrefStream({ offsets, packed, trailer, startxref }: XrefStreamParts): Buffer {
  const own = Math.max(highest(offsets.keys()), highest(packed.keys())) + 1
  offsets.set(own, startxref)
  const rows = Array.from({ length: own + 1 }, (_, number) => {
    const row = Buffer.alloc(7)
    const [container, index] = packed.get(number) ?? [undefined, 0]
    const offset = container ?? offsets.get(number) ?? 0
    row[0] = container === undefined ? (offset === 0 ? 0 : 1) : 2
    row.writeUInt32BE(offset, 1)
    row.writeUInt16BE(index, 5)
    return row
  })
  const data = deflateSync(predictUp(rows))
  const entries = `/Type /XRef /W [1 4 2] /Size ${own + 1} ${trailer} /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 7 >>`
  return Buffer.concat([Buffer.from(`${own} 0 obj\n`), stream(entries, data), Buffer.from('\nendobj\n')])
}

function predictUp(rows: Buffer[]): Buffer {
  return Buffer.concat(
    rows.map((row, index) => {
      const above = rows[index - 1] ?? Buffer.alloc(row.length)
      return Buffer.from([2, ...row.map((byte, column) => byte - (above[column] as number))])
    }),
  )
}

/** Appends a revision by hand: the objects given, a classic table, and a trailer that points back. */
export function appendRevision(pdf: Buffer, objects: Record<number, string>, trailerEntries = '/Root 1 0 R'): Buffer {
  const prev = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.subarray(-64).toString('latin1'))?.[1])
  let text = ''
  let table = ''
  for (const [number, body] of Object.entries(objects)) {
    table += `${number} 1\n${String(pdf.length + text.length).padStart(10, '0')} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const startxref = pdf.length + text.length
  const size = Math.max(500, highest(Object.keys(objects).map(Number)) + 1)
  const tail = `xref\n${table}trailer\n<< /Size ${size} /Prev ${prev} ${trailerEntries} >>\nstartxref\n${startxref}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(text + tail, 'latin1')])
}

/** A widget and field in one, named and empty. */
export const emptySignatureField = (name: string, rect = '[100 100 300 160]'): string =>
  `<< /FT /Sig /T (${name}) /Type /Annot /Subtype /Widget /Rect ${rect} /F 4 /P 20 0 R >>`
