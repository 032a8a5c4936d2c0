// Documents that reach beyond what four bytes can count. None of them is ever in memory or on a disk: what stands between
// the first object and the others is zeros, which are made as they are asked for.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { openPdf } from './reader.ts'
import { signPdf } from './sign.ts'
import { appendedSource, rangedSource, type Source } from './source.ts'
import { makeTestAuthority, TEST_TIME, type TestAuthority } from './testing/authority.ts'
import { Update } from './update.ts'
import { asInteger, entry } from './value.ts'

const GAP_BYTES = 4.3e9
/** `npm run proof:attack` also signs them, which takes all of their bytes through a hash. */
const IS_SIGNED = process.env['COUNTERSIGN_LARGE_DOCUMENTS'] === 'signed'

type Kind = 'a table' | 'a cross-reference stream'

/** A document of one page, whose other objects stand behind a stream of gigabytes. */
function makeLarge(kind: Kind): Source {
  const head = Buffer.from(`%PDF-1.7\n90 0 obj\n<< /Length ${GAP_BYTES} >>\nstream\n`)
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE]
  const offsets: number[] = []
  let tail = '\nendstream\nendobj\n'
  const position = () => head.length + GAP_BYTES + tail.length
  for (const [index, body] of objects.entries()) {
    offsets.push(position())
    tail += `${index + 1} 0 obj\n${body}\nendobj\n`
  }
  const startxref = position()
  const section = kind === 'a table' ? writeTable(offsets) : writeStream([...offsets, startxref])
  const end = Buffer.concat([Buffer.from(tail), section, Buffer.from(`startxref\n${startxref}\n%%EOF\n`)])
  return sparse(head, end)
}

const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>'

function writeTable(offsets: number[]): Buffer {
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  return Buffer.from(
    `xref\n0 4\n0000000000 65535 f \n${lines.join('')}90 1\n0000000009 00000 n \ntrailer\n<< /Size 91 /Root 1 0 R >>\n`,
  )
}

function writeStream(offsets: number[]): Buffer {
  const rows = [0, ...offsets].map((offset) => {
    const row = Buffer.alloc(7)
    row[0] = offset === 0 ? 0 : 1
    row.writeUIntBE(offset, 1, 6)
    return row
  })
  const data = Buffer.concat(rows)
  const dict = `<< /Type /XRef /W [1 6 0] /Size ${rows.length} /Root 1 0 R /Length ${data.length} >>`
  return Buffer.concat([Buffer.from(`4 0 obj\n${dict}\nstream\n`), data, Buffer.from('\nendstream\nendobj\n')])
}

function sparse(head: Buffer, end: Buffer): Source {
  const size = head.length + GAP_BYTES + end.length
  const zeros = Buffer.alloc(1024 * 1024)
  return rangedSource(size, async (offset, length) => {
    if (offset >= head.length && offset + length <= size - end.length) return zeros.subarray(0, length)
    const bytes = Buffer.alloc(length)
    if (offset < head.length) head.copy(bytes, 0, offset)
    const behind = offset - (size - end.length)
    end.copy(bytes, Math.max(0, -behind), Math.max(0, behind))
    return bytes
  })
}

async function hashOf(source: Source, ranges: [start: number, end: number][]): Promise<string> {
  const hash = createHash('sha256')
  for (const [start, end] of ranges) for await (const chunk of source.chunks(start, end)) hash.update(chunk)
  return hash.digest('hex')
}

describe('a document of more than 4 GB', () => {
  let authority: TestAuthority
  before(async () => {
    authority = await makeTestAuthority()
  })

  for (const kind of ['a table', 'a cross-reference stream'] as const) {
    test(`with ${kind} is read, continued, and read again`, async () => {
      const source = makeLarge(kind)
      const reader = await openPdf(source)
      const pages = await reader.findDict(await reader.catalog(), 'Pages')
      assert.equal(pages && asInteger(entry(pages, 'Count')), 1)
      const update = new Update(reader)
      const added = update.add('<< /Added true >>')
      const { bytes, bodyOffsets } = update.build()
      assert.ok(bodyOffsets.get(added.number)! > 0xffff_ffff)
      const again = await openPdf(appendedSource(source, bytes))
      assert.equal((await again.findObject(added.number))?.value.kind, 'dict')
      assert.equal((await again.findObject(3))?.value.kind, 'dict', 'what was there before is found as well')
    })

    test(`with ${kind} is signed over all of its bytes`, { skip: !IS_SIGNED && 'takes a while' }, async () => {
      const source = makeLarge(kind)
      const { signer } = authority
      const options = { signer, level: 'B-B', time: TEST_TIME, field: { name: 'Signature' } } as const
      const appended = Buffer.concat(await signPdf(source, options))
      const signed = appendedSource(source, appended)
      const text = appended.toString('latin1')
      const [, ...range] = /\/ByteRange ?\[ ?(\d+) (\d+) (\d+) (\d+) ?\]/.exec(text)!
      const [start, length, from, rest] = range.map(Number) as [number, number, number, number]
      assert.deepEqual([start, from + rest], [0, signed.size])
      assert.equal(text.slice(length - source.size, from - source.size).match(/^<[0-9a-f]+>$/i)?.length, 1)
      const digest = await hashOf(signed, [
        [0, length],
        [from, from + rest],
      ])
      assert.ok(text.toLowerCase().includes(digest), 'the signature holds the hash of everything but itself')
    })
  }
})
