import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type ClientRequest, createServer, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readStaged } from '#platform/blobs/testing/read-staged.ts'
import { AppError } from '#platform/errors.ts'
import { type BodyLimits, DEFAULT_BODY_LIMITS, scanJsonBody } from './json-scanner.ts'

const refusal =
  (code: number, message: RegExp | string = '') =>
  (error: unknown): boolean =>
    error instanceof AppError &&
    error.code === code &&
    (typeof message === 'string' ? error.message.includes(message) : message.test(error.message))

/** The body as a stream, cut at the given places. */
function cutAt(body: Buffer, places: readonly number[]): Readable {
  const ends = [...new Set(places.map((place) => place % (body.length + 1)))].sort((a, b) => a - b)
  const chunks = [...ends, body.length].map((end, at) => body.subarray(at === 0 ? 0 : ends[at - 1], end))
  return Readable.from(
    chunks.filter((chunk) => chunk.length > 0),
    { objectMode: false },
  )
}

const whole = (body: string | Buffer): Readable => cutAt(Buffer.from(body), [])

const twoDocuments = (text: string): string => `{"documents":[{"contentBase64":"QQ=="},{"contentBase64":"${text}"}]}`
const limited = (limits: Partial<BodyLimits>): BodyLimits => ({ ...DEFAULT_BODY_LIMITS, ...limits })

describe('JSON bodies with documents', () => {
  let folder: string
  let store: BlobStore
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scanner-'))
    store = await openLocalBlobs(folder)
  })
  after(() => rm(folder, { recursive: true }))
  const staged = (): Promise<string[]> => readdir(join(folder, 'staging'))

  /** Reads a body and puts each document's own Base64 back in the place of its placeholder. */
  async function readBack(source: Readable): Promise<unknown> {
    const body = await scanJsonBody(source, store)
    const contents = new Map<string, string>()
    for (const [placeholder, document] of body.documents) {
      const bytes = await readStaged(document)
      assert.equal(document.sizeBytes, bytes.length)
      assert.equal(document.sha256, createHash('sha256').update(bytes).digest('hex'))
      contents.set(placeholder, bytes.toString('base64'))
    }
    await body.discard()
    return JSON.parse(JSON.stringify(body.value), (_, value: unknown) =>
      typeof value === 'string' ? (contents.get(value) ?? value) : value,
    )
  }

  test('any document, cut anywhere, is what JSON.parse makes of it', async () => {
    const key = fc.oneof(fc.constant('contentBase64'), fc.constant('documents'), fc.string({ unit: 'grapheme' }))
    const base64 = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('record')),
      leaf: fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.string()),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      record: fc
        .tuple(
          fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
          fc.option(fc.oneof(base64, fc.constant('contentBase64'))),
        )
        .map(([record, content]) => (content === null ? record : { ...record, contentBase64: content })),
    }))
    const space = fc.constantFrom(undefined, 1, '\t', '\r\n ')
    const slashes = fc.boolean()
    await fc.assert(
      fc.asyncProperty(tree, space, slashes, fc.array(fc.nat(), { maxLength: 8 }), async (value, indent, php, cuts) => {
        const text = JSON.stringify(value, undefined, indent)
        const body = Buffer.from(php ? text.replaceAll('/', '\\/') : text)
        let actual: unknown
        try {
          actual = await readBack(cutAt(body, cuts))
        } catch (error) {
          // A string under the key that is no Base64 is the one thing that JSON.parse takes and we refuse.
          assert.ok(refusal(1021)(error) || refusal(1016)(error), String(error))
          assert.match(text, /"contentBase64":\s*"|__proto__/)
          return
        }
        assert.deepEqual(actual, JSON.parse(text))
      }),
      { numRuns: 400 },
    )
    assert.deepEqual(await staged(), [])
  })

  test('every single cut of one body gives the same documents', async () => {
    const body = Buffer.from(
      '{"a":"\\"contentBase64\\":","documents":[{"contentBase64" : "QU\\/\\u0044\\r\\nREVG"},{"content\\u0042ase64":"_-8="}],"é":1}',
    )
    for (let at = 1; at < body.length; at += 1) {
      assert.deepEqual(await readBack(cutAt(body, [at])), {
        a: '"contentBase64":',
        documents: [{ contentBase64: 'QU/DREVG' }, { contentBase64: '/+8=' }],
        é: 1,
      })
    }
  })

  const path = 'documents[1].contentBase64'
  for (const [what, text] of [
    ['a strange character', 'QUJD*EVG'],
    ['a strange character at the end', 'QUJDRE*G'],
    ['a character beyond ASCII', 'QUJDéEVG'],
    ['a space', 'QUJD REVG'],
    ['no padding', 'QUJDRA'],
    ['half of the padding', 'QUJDRA='],
    ['too much padding', 'QUJDRA==='],
    ['padding where none belongs', 'QUJDREVG=='],
    ['padding in the middle', 'QQ==QUJDREVG'],
    ['padding alone', '===='],
    ['one character', 'Q'],
    ['a quotation mark', 'QUJD\\"REVG'],
    ['a backslash', 'QUJD\\\\REVG'],
    ['a tabulator', 'QUJD\\tREVG'],
    ['an escaped NUL', 'QUJD\\u0000REVG'],
    ['half an escape', 'QUJD\\u00'],
    ['a bad escape', 'QUJD\\u00zzREVG'],
    ['an escaped letter that is no Base64', 'QUJ\\u0141REVG'],
  ] as const) {
    test(`Base64 with ${what} is refused, naming the document, wherever it is cut`, async () => {
      const body = Buffer.from(twoDocuments(text))
      for (let at = body.length - text.length - 4; at < body.length; at += 1) {
        await assert.rejects(scanJsonBody(cutAt(body, [at]), store), refusal(1021, path))
      }
      assert.deepEqual(await staged(), [])
    })
  }

  test('an empty string is an empty document; null and other values stay what they are', async () => {
    const body = await scanJsonBody(
      whole('{"contentBase64":"","a":{"contentBase64":null},"b":{"contentBase64":[1]}}'),
      store,
    )
    assert.deepEqual(
      [...body.documents.values()].map((each) => each.sizeBytes),
      [0],
    )
    assert.deepEqual(body.value, {
      contentBase64: [...body.documents.keys()][0],
      a: { contentBase64: null },
      b: { contentBase64: [1] },
    })
    await body.discard()
    assert.deepEqual(await staged(), [])
  })

  test('a placeholder can not be guessed or reused from another request', async () => {
    const first = await scanJsonBody(whole('{"contentBase64":"QQ=="}'), store)
    const placeholder = [...first.documents.keys()][0] ?? ''
    const second = await scanJsonBody(whole(`{"a":"${placeholder}","contentBase64":"QQ=="}`), store)
    assert.equal(second.documents.has(placeholder), false)
    await first.discard()
    await second.discard()
  })

  for (const [what, body, code, message] of [
    ['cut inside a document', '{"documents":[{"contentBase64":"QUJD', 1011, 'ends inside documents[0].contentBase64'],
    ['cut behind a document', '{"documents":[{"contentBase64":"QUJD"}', 1011, ''],
    ['not JSON', '{"contentBase64":"QUJD",}', 1011, ''],
    ['a document as a key', '{"contentBase64":"QUJD":1}', 1011, ''],
    ['empty', '', 1011, ''],
    ['not UTF-8', Buffer.from('{"contentBase64":"QUJD","a":"\xff"}', 'latin1'), 1010, ''],
    ['a NUL elsewhere', '{"contentBase64":"QUJD","a":"\\u0000"}', 1012, 'a:'],
    ['half a surrogate pair', '{"contentBase64":"QUJD","a":"\\ud800"}', 1013, 'a:'],
    ['the document given twice', '{"contentBase64":"QUJD","contentBase64":"QUJD"}', 1015, 'contentBase64:'],
    ['the document given twice, once escaped', '{"contentBase64":"","content\\u0042ase64":""}', 1015, 'contentBase64:'],
    ['a prototype', '{"contentBase64":"QUJD","__proto__":{}}', 1016, '__proto__'],
    ['too deep', `${'['.repeat(33)}{"contentBase64":"QUJD"}`, 1014, '32'],
  ] as const) {
    test(`a body that is ${what} is refused and leaves nothing`, async () => {
      await assert.rejects(scanJsonBody(whole(body), store), refusal(code, message))
      assert.deepEqual(await staged(), [])
    })
  }

  test('the last byte within each limit is accepted and one more is refused', async () => {
    const two = twoDocuments(Buffer.alloc(300).toString('base64'))
    for (const [limits, tighter, code, message] of [
      [{ documentBytes: 300 }, { documentBytes: 299 }, 1019, `${path}: the document is larger than the 299 bytes`],
      [{ documents: 2 }, { documents: 1 }, 1020, 'more than 1 documents'],
      [{ bodyBytes: two.length }, { bodyBytes: two.length - 1 }, 1018, 'The body is larger'],
      [{ jsonBytes: 200 }, { jsonBytes: 50 }, 1018, 'without its documents'],
    ] as const) {
      const body = await scanJsonBody(whole(two), store, limited(limits))
      await body.discard()
      await assert.rejects(scanJsonBody(whole(two), store, limited(tighter)), refusal(code, message))
    }
    assert.deepEqual(await staged(), [])
  })

  test('a refusal leaves the stream alive, so that the answer still has its socket', async () => {
    const source = new PassThrough()
    source.write('{"contentBase64":"QUJD*EVGQUJD')
    await assert.rejects(scanJsonBody(source, store), refusal(1021))
    assert.equal(source.destroyed, false)
    source.destroy()
  })

  test('a client that goes away in the middle of a document leaves nothing', async () => {
    const source = new PassThrough()
    const scan = scanJsonBody(source, store)
    source.write(`{"contentBase64":"${randomBytes(600_000).toString('base64')}`)
    setImmediate(() => source.destroy(new Error('aborted')))
    await assert.rejects(scan, refusal(1022))
    assert.deepEqual(await staged(), [])
  })

  test('a stream that is gone before anybody reads it counts as cut', async () => {
    const source = new PassThrough()
    source.write('{}')
    source.destroy()
    await assert.rejects(scanJsonBody(source, store), refusal(1022))
  })

  test('over a real socket: a refusal reaches a client that is still sending, and an aborted call leaves nothing', async () => {
    const outcomes: unknown[] = []
    const server = createServer((request, response) => {
      scanJsonBody(request, store, limited({ documentBytes: 100_000 })).then(
        () => response.end('{}'),
        (error: unknown) => {
          outcomes.push(error)
          response.writeHead(413, { connection: 'close' }).end()
        },
      )
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const send = (): ClientRequest => {
      const call = httpRequest({ port: (server.address() as AddressInfo).port, method: 'POST' })
      call.on('error', () => undefined)
      call.write(`{"contentBase64":"${randomBytes(90_000).toString('base64')}`)
      return call
    }
    const refused = send()
    refused.write(randomBytes(90_000).toString('base64'))
    const [response] = (await once(refused, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 413)
    const aborted = send()
    await once(server, 'request')
    aborted.destroy()
    while (outcomes.length < 2) await new Promise(setImmediate)
    assert.ok(refusal(1019)(outcomes[0]) && refusal(1022)(outcomes[1]))
    assert.deepEqual(await staged(), [])
    refused.destroy()
    server.close()
    server.closeAllConnections()
  })

  test('storage that fails in the middle of a document fails the request and leaves nothing', async () => {
    const failing = {
      begin: async () => {
        const writer = await store.begin()
        writer.write = () => Promise.reject(new Error('disk'))
        return writer
      },
    }
    await assert.rejects(scanJsonBody(whole('{"contentBase64":"QUJDREVG"}'), failing), /disk/)
    assert.deepEqual(await staged(), [])
  })
})
