import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readStaged } from '#platform/blobs/testing/read-staged.ts'
import { AppError } from '#platform/errors.ts'
import { parseBoundary, stageMultipartFile } from './multipart.ts'
import { stageStream } from './stage-stream.ts'

const withCode = (code: number) => (error: unknown) => error instanceof AppError && error.code === code
const FORM = 'multipart/form-data; boundary=XyZ'
const HEADERS = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf'
const MAX_BYTES = 1_000_000

function cutEvery(body: Buffer, size: number): Readable {
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  )
  return Readable.from(chunks, { objectMode: false })
}

const formOf = (headers: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--XyZ\r\n${headers}\r\n\r\n`), content, Buffer.from('\r\n--XyZ--\r\n')])

describe('uploads of one document', () => {
  let folder: string
  let store: BlobStore
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'uploads-'))
    store = await openLocalBlobs(folder)
  })
  after(() => rm(folder, { recursive: true }))
  const staged = (): Promise<string[]> => readdir(join(folder, 'staging'))

  async function upload(body: Buffer, { contentType = FORM, chunkBytes = 65_536, maxBytes = MAX_BYTES } = {}) {
    const writer = await store.begin()
    const file = await stageMultipartFile(cutEvery(body, chunkBytes), writer, { contentType, maxBytes })
    const content = await readStaged(file.staged)
    await file.staged.discard()
    return { fileName: file.fileName, contentType: file.contentType, content }
  }

  test('a raw body is staged as it is, up to the limit and no further', async () => {
    const bytes = randomBytes(300_000)
    const blob = await stageStream(cutEvery(bytes, 70_000), await store.begin(), { maxBytes: bytes.length })
    assert.deepEqual(await readStaged(blob), bytes)
    await blob.discard()
    const tooLarge = stageStream(cutEvery(bytes, 70_000), await store.begin(), { maxBytes: bytes.length - 1 })
    await assert.rejects(tooLarge, withCode(1019))
    assert.deepEqual(await staged(), [])
  })

  test('a raw body or a form whose client goes away leaves nothing', async () => {
    const [raw, form] = [new PassThrough(), new PassThrough()]
    const [rawWriter, formWriter] = [await store.begin(), await store.begin()]
    raw.write(randomBytes(500_000))
    form.write(formOf(HEADERS, randomBytes(500_000)).subarray(0, 400_000))
    setImmediate(() => raw.destroy(new Error('aborted')))
    setImmediate(() => form.destroy(new Error('aborted')))
    const options = { contentType: FORM, maxBytes: MAX_BYTES }
    const uploads = [stageStream(raw, rawWriter, options), stageMultipartFile(form, formWriter, options)]
    for (const each of await Promise.allSettled(uploads)) {
      assert.ok(each.status === 'rejected' && withCode(1022)(each.reason))
    }
    assert.deepEqual(await staged(), [])
  })

  test('a form as fetch sends it, with a name that needs escaping, arrives whole', async () => {
    const bytes = randomBytes(200_000)
    for (const name of ['contract.pdf', 'Vertrag "ä" 合同.pdf', "it's 100%.pdf"]) {
      const form = new FormData()
      form.append('file', new Blob([bytes], { type: 'application/pdf' }), name)
      const response = new Response(form)
      const contentType = response.headers.get('content-type') ?? ''
      const file = await upload(Buffer.from(await response.arrayBuffer()), { contentType })
      assert.deepEqual(file, { fileName: name, contentType: 'application/pdf', content: bytes })
    }
  })

  test('any content, also one full of half boundaries, arrives whole however it is cut', async () => {
    const pieces = fc.array(
      fc.constantFrom('\r\n--XyZ'.slice(0, 6), '\r\n--Xy\r', '\r\n', '-', 'a', '--XyZ', '\n--XyZ--'),
    )
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 30 }), async (parts, chunkBytes) => {
        const content = Buffer.from(parts.join('').replaceAll('\r\n--XyZ', '?'))
        assert.deepEqual((await upload(formOf(HEADERS, content), { chunkBytes })).content, content)
      }),
      { numRuns: 150 },
    )
    assert.deepEqual(await staged(), [])
  })

  test('the name may come in the extended notation, and the type may be absent', async () => {
    const headers = `Content-Disposition: form-data; name=file; filename="x"; filename*=utf-8''na%C3%AFve.pdf`
    const file = await upload(formOf(headers, Buffer.from('x')))
    assert.deepEqual([file.fileName, file.contentType], ['naïve.pdf', undefined])
  })

  test('the last byte within the limit is accepted and one more is refused', async () => {
    await upload(formOf(HEADERS, randomBytes(1000)), { maxBytes: 1000 })
    await assert.rejects(upload(formOf(HEADERS, randomBytes(1001)), { maxBytes: 1000 }), withCode(1019))
    assert.deepEqual(await staged(), [])
  })

  const x = Buffer.from('x')
  const file = formOf(HEADERS, x)
  for (const [what, body] of [
    ['empty', Buffer.alloc(0)],
    ['without its end', file.subarray(0, -8)],
    ['cut in its headers', file.subarray(0, 30)],
    ['with another boundary', Buffer.from(file.toString().replaceAll('XyZ', 'XyA'))],
    ['with a preamble', Buffer.concat([Buffer.from('hello\r\n'), file])],
    ['with an epilogue', Buffer.concat([file, x])],
    ['with a second part', Buffer.concat([file.subarray(0, -4), Buffer.from('\r\n'), file.subarray(7)])],
    ['with a thousand parts', Buffer.concat([...Array<Buffer>(1000).fill(file.subarray(0, -9)), file])],
    ['with a field that is no file', formOf('Content-Disposition: form-data; name="a"', x)],
    ['with an empty name', formOf('Content-Disposition: form-data; name="a"; filename=""', x)],
    ['with no headers', formOf('', x)],
    ['with an attachment', formOf('Content-Disposition: attachment; filename="a"', x)],
    ['with two names', formOf('Content-Disposition: form-data; filename="a"; filename="b"', x)],
    ['with two dispositions', formOf(`${HEADERS}\r\n${HEADERS}`, x)],
    ['with a NUL in the name', formOf(HEADERS.replace('a.pdf', 'a\0.pdf'), x)],
    ['with an encoded NUL in the name', formOf(`Content-Disposition: form-data; filename*=utf-8''a%00`, x)],
    ['with a badly encoded name', formOf(`Content-Disposition: form-data; filename*=utf-8''a%ff`, x)],
    ['with a name in another encoding', formOf(`Content-Disposition: form-data; filename*=latin1''a%e9`, x)],
    ['with headers that are not UTF-8', Buffer.from(`--XyZ\r\n${HEADERS.replace('a.pdf', '\xff')}\r\n\r\n`, 'latin1')],
    ['with a folded header', formOf(HEADERS.replace('; name', ';\r\n name'), x)],
    ['with a transfer encoding', formOf(`${HEADERS}\r\nContent-Transfer-Encoding: base64`, x)],
    ['with headers of a megabyte', formOf(`${HEADERS}\r\nX: ${'x'.repeat(1_000_000)}`, x)],
    ['with endless headers', Buffer.from(`--XyZ\r\n${'X: y\r\n'.repeat(100_000)}`)],
    [
      'with seventeen headers',
      formOf([HEADERS, ...Array.from({ length: 15 }, (_, at) => `X${at}: y`)].join('\r\n'), x),
    ],
  ] as const) {
    test(`a form ${what} is refused and leaves nothing, in one piece or in many`, async () => {
      await assert.rejects(upload(body), withCode(1023))
      if (body.length < 10_000) await assert.rejects(upload(body, { chunkBytes: 1 }), withCode(1023))
      assert.deepEqual(await staged(), [])
    })
  }

  test('a boundary must be there once and be a proper one', async () => {
    assert.equal(parseBoundary('Multipart/Form-Data; charset=utf-8; boundary="a b"'), 'a b')
    for (const contentType of [
      'multipart/form-data',
      'multipart/mixed; boundary=a',
      'application/json; boundary=a',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      'multipart/form-data; boundary="a "',
      'multipart/form-data; boundary="a\r\nb"',
      'multipart/form-data; boundary=a; boundary=b',
      `multipart/form-data; boundary=${'a'.repeat(71)}`,
    ]) {
      assert.throws(() => parseBoundary(contentType), withCode(1023), contentType)
    }
    await assert.rejects(upload(file, { contentType: 'multipart/form-data' }), withCode(1023))
    assert.deepEqual(await staged(), [])
  })
})
