import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { leastOf } from '../../test/least-of.ts'
import { openPdf } from './reader.ts'
import { PdfRefused, type RefusalReason } from './refused.ts'
import { listRevisions } from './revisions.ts'
import { openFileSource, rangedSource } from './source.ts'
import { appendRevision, EXTRA_OBJECT, makePdf, stream, type DocumentShape } from './testing/documents.ts'
import { asInteger, entry, rawBytes, textOf } from './value.ts'

const refusedAs = (reason: RefusalReason) => (error: unknown) =>
  error instanceof PdfRefused && error.reason === reason && error.message.length > 10

const SHAPES: Record<string, DocumentShape> = {
  'a classic table': {},
  'a classic table with CR LF': { eol: '\r\n' },
  'PDF 1.3': { version: '1.3' },
  'PDF 2.0': { version: '2.0' },
  'a cross-reference stream': { xref: 'stream', version: '1.5' },
  'object streams': { xref: 'stream', objectStream: true },
}

describe('reading a document', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${name}: catalog, pages and information are found`, async () => {
      const reader = await openPdf(makePdf({ ...shape, pages: 3 }))
      const pages = await reader.findDict(await reader.catalog(), 'Pages')
      assert.equal(pages && asInteger(entry(pages, 'Count')), 3)
      const info = await reader.findDict(reader.trailer, 'Info')
      const title = info && entry(info, 'Title')
      assert.equal(title?.kind === 'string' && textOf(title), 'A test')
      assert.equal(await reader.version(), shape.version ?? '1.7')
    })
  }

  test('a value is known together with the very bytes that it was read from', async () => {
    const pdf = makePdf({
      extraObjects: ['<< /A (x\\(\\051y) /B <48 656C6c 6F7> /C [1 -2.5 +.5 true null /N#41me 3 0 R] >>'],
    })
    const reader = await openPdf(pdf)
    const object = await reader.findObject(EXTRA_OBJECT)
    assert(object?.value.kind === 'dict')
    const [a, b, c] = ['A', 'B', 'C'].map((key) => entry(object.value as never, key))
    assert(a?.kind === 'string' && b?.kind === 'string' && c?.kind === 'array')
    assert.equal(a.bytes.toString(), 'x()y')
    assert.equal(b.bytes.toString(), 'Hellop')
    assert.equal(rawBytes(b).toString(), '<48 656C6c 6F7>')
    assert.equal(pdf.subarray(b.start, b.end).toString(), '<48 656C6c 6F7>')
    assert.deepEqual(
      c.items.map((item) => ('value' in item ? item.value : item.kind)),
      [1, -2.5, 0.5, true, 'null', 'NAme', 'ref'],
    )
  })

  test('the newest revision wins, and each older one can still be read', async () => {
    const first = makePdf()
    const second = appendRevision(first, { 3: '<< /Title (Changed) >>' }, '/Root 1 0 R /Info 3 0 R')
    const reader = await openPdf(second)
    const revisions = await listRevisions(reader)
    assert.deepEqual(
      revisions.map(({ start, end }) => [start, end]),
      [
        [0, first.length],
        [first.length, second.length],
      ],
    )
    const titles = await Promise.all(
      revisions.map(async ({ sectionIndex }) => {
        const old = reader.atSection(sectionIndex)
        const info = await old.findDict(old.trailer, 'Info')
        const title = info && entry(info, 'Title')
        return title?.kind === 'string' && textOf(title)
      }),
    )
    assert.deepEqual(titles, ['A test', 'Changed'])
    assert.equal(reader.nextObjectNumber, 500)
  })

  test('a reference to a free object or to another generation means null', async () => {
    const reader = await openPdf(makePdf({ extraObjects: ['[77 0 R 3 5 R]'] }))
    const array = (await reader.findObject(EXTRA_OBJECT))?.value
    assert(array?.kind === 'array')
    assert.deepEqual(await Promise.all(array.items.map((item) => reader.resolve(item))), [undefined, undefined])
  })
})

describe('reading a large file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pades-reader-'))
  after(() => rmSync(folder, { recursive: true }))

  test('only a few KB of it are read', async () => {
    const pdf = makePdf({ padding: 8_000_000, xref: 'stream' })
    let bytesRead = 0
    const source = rangedSource(pdf.length, async (offset, length) => {
      bytesRead += length
      return pdf.subarray(offset, offset + length)
    })
    const reader = await openPdf(source)
    await reader.catalog()
    assert(bytesRead <= 16_384, `${bytesRead} bytes were read`)
  })

  test('a file on disk reads as it was when it was opened', async () => {
    const path = join(folder, 'document.pdf')
    writeFileSync(path, makePdf())
    const source = await openFileSource(path)
    try {
      assert.equal((await (await openPdf(source)).catalog()).kind, 'dict')
      let length = 0
      for await (const chunk of source.chunks(0, source.size)) length += chunk.length
      assert.equal(length, source.size)
    } finally {
      await source.close()
    }
  })

  test(
    'linearised by qpdf: one revision with two sections',
    { skip: !hasQpdf() && 'qpdf is not installed' },
    async () => {
      const [from, to] = [join(folder, 'plain.pdf'), join(folder, 'linear.pdf')]
      writeFileSync(from, makePdf({ pages: 4 }))
      execFileSync('qpdf', ['--linearize', from, to])
      const source = await openFileSource(to)
      const reader = await openPdf(source)
      const revisions = await listRevisions(reader)
      assert.equal(revisions.length, 1)
      assert.equal(revisions[0]?.sections.length, 2)
      assert.equal(revisions[0]?.end, source.size)
      assert.equal((await reader.findDict(await reader.catalog(), 'Pages'))?.kind, 'dict')
      await source.close()
    },
  )
})

function hasQpdf(): boolean {
  try {
    execFileSync('qpdf', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const edited = (shape: DocumentShape, from: string | RegExp, to: string) =>
  Buffer.from(makePdf(shape).toString('latin1').replace(from, to), 'latin1')

describe('refusing a document', () => {
  const cases: [string, RefusalReason, Buffer][] = [
    ['an empty file', 'not-a-pdf', Buffer.alloc(0)],
    ['a file of another kind', 'not-a-pdf', Buffer.from('PK\x03\x04 something else entirely')],
    ['bytes before the first line', 'damaged', Buffer.concat([Buffer.from('\n'), makePdf()])],
    ['a missing end', 'truncated', makePdf({ padding: 9000 }).subarray(0, 4000)],
    ['rubbish after the end', 'damaged', Buffer.concat([makePdf(), Buffer.from('<html>')])],
    ['an encrypted document', 'encrypted', makePdf({ trailerEntries: '/Encrypt 60 0 R' })],
    ['a hybrid document', 'hybrid', makePdf({ trailerEntries: '/XRefStm 15' })],
    ['sections in a circle', 'damaged', loopingPdf()],
    ['a startxref beyond the end', 'damaged', edited({}, /startxref\n\d+/, 'startxref\n99999999')],
    ['table entries of 19 bytes', 'damaged', edited({}, / n \n/g, ' n\n')],
    ['an object that is not where the table says', 'damaged', edited({}, '1 0 obj', '8 0 obj')],
    ['a key named twice', 'damaged', makePdf({ catalogEntries: '/Lang (en) /Lang (de)' })],
    ['a catalog without end', 'damaged', edited({}, '>>\nendobj\n2 0', '  \nendobj\n2 0')],
    ['a catalog of unmeasured depth', 'too-complex', makePdf({ catalogEntries: `/X ${'['.repeat(5000)}` })],
    ['an absurd number of objects', 'too-complex', edited({}, /\/Size \d+/, '/Size 999999999')],
    ['a cross-reference that swells', 'too-complex', bombPdf()],
  ]
  for (const [name, reason, pdf] of cases) {
    test(`${name}: ${reason}`, async () => {
      const computed = async () => {
        const started = process.threadCpuUsage()
        await assert.rejects(async () => (await openPdf(pdf)).catalog(), refusedAs(reason))
        return process.threadCpuUsage(started).user
      }
      assert((await leastOf(computed, { below: 1_000_000 })) < 1_000_000)
    })
  }

  test('reads offsets of eight bytes, and refuses those that no file reaches', async () => {
    const reader = await openPdf(wideOffsetsPdf())
    assert.equal((await reader.findObject(2))?.value.kind, 'dict')
    await assert.rejects(async () => (await openPdf(wideOffsetsPdf(1))).findObject(1), PdfRefused)
  })

  test('whatever is done to the bytes, the answer is a document or a typed refusal', async () => {
    const bases = [makePdf({ pages: 2 }), makePdf({ xref: 'stream', objectStream: true })]
    const mutation = fc.record({
      base: fc.nat(1),
      at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
      cut: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(mutation, async ({ base, at, bytes, cut }) => {
        const pdf = Buffer.from(bases[base] as Buffer)
        const offset = Math.floor(at * pdf.length)
        pdf.set(bytes.subarray(0, pdf.length - offset), offset)
        try {
          const reader = await openPdf(cut ? pdf.subarray(0, offset) : pdf)
          await reader.catalog()
          for await (const { number } of reader.listObjects()) await reader.findObject(number)
          await listRevisions(reader)
        } catch (error) {
          if (!(error instanceof PdfRefused)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** A cross-reference stream whose offsets take eight bytes, as some writers make them. */
function wideOffsetsPdf(firstByte = 0): Buffer {
  const parts = [
    '%PDF-1.7\n',
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n',
  ]
  const starts = [0, parts[0]!.length, parts[0]!.length + parts[1]!.length, parts.join('').length]
  const rows = starts.map((offset, number) => {
    const row = Buffer.alloc(11)
    row[0] = number === 0 ? 0 : 1
    row.writeBigUInt64BE(BigInt(offset), 1)
    if (number === 1) row[1] = firstByte
    return row
  })
  const section = stream('/Type /XRef /W [1 8 2] /Size 4 /Root 1 0 R', Buffer.concat(rows))
  const tail = Buffer.from(`\nendobj\nstartxref\n${starts[3]}\n%%EOF\n`)
  return Buffer.concat([Buffer.from(parts.join('') + '3 0 obj\n'), section, tail])
}

function loopingPdf(): Buffer {
  const pdf = makePdf()
  const startxref = /startxref\n(\d+)/.exec(pdf.toString('latin1'))?.[1]
  return edited({}, '/Root 1 0 R', `/Prev ${startxref} /Root 1 0 R`)
}

function bombPdf(): Buffer {
  const data = deflateSync(Buffer.alloc(300 * 1024 * 1024))
  const body = stream('/Type /XRef /W [1 4 2] /Size 9 /Root 1 0 R /Filter /FlateDecode', data)
  const head = Buffer.from('%PDF-1.7\n1 0 obj\n')
  return Buffer.concat([head, body, Buffer.from('\nendobj\nstartxref\n9\n%%EOF\n')])
}
