import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'

const MIB = 1024 * 1024
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('uploading a document', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({ COUNTERSIGN_MAX_BODY_MB: '60' })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  function post(raw: Buffer | ReadableStream<Uint8Array>, headers: Record<string, string> = {}, query = '') {
    return acme.call('POST', `/storage/document${query}`, undefined, { raw, headers })
  }

  function form(content: string, { fileName = 'a.txt', type = 'text/plain', boundary = 'edge' } = {}) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n`
    return post(Buffer.from(`${head}${content}\r\n--${boundary}--\r\n`), {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    })
  }

  async function rowOf(uri: string) {
    const [row] = await service.database.asOwner('select * from stored_document where id = $1', [uri])
    return row!
  }

  function staged(): string[] {
    return readdirSync(join(service.blobFolder, 'staging'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  }

  test('as the body itself answers with its uri, size and hash, and keeps it for a week', async () => {
    const content = Buffer.from('a,b\n1,2\n')
    const { status, json } = await post(content, { 'content-type': 'text/csv; charset=utf-8' }, '?FileName=table.csv')
    assert.equal(status, 200)
    assert.deepEqual(json, { uri: json.uri, size: 8, sha256: sha256(content) })
    const row = await rowOf(json.uri)
    assert.equal(row['content_type'], 'text/csv; charset=utf-8')
    assert.equal(row['file_name'], 'table.csv')
    assert.equal(row['department_id'], acme.rootDepartmentId)
    assert.equal(row['creator_id'], acme.serviceUserId)
    assert.equal(Number(row['purge_at']) - Number(row['created_at']), 7 * 24 * 60 * 60 * 1000)
  })

  test('as the one file of a form takes its name and type from there', async () => {
    const { status, json } = await form('hello', { fileName: 'tervehdys ä.txt' })
    assert.equal(status, 200)
    assert.equal(json.size, 5)
    assert.equal(json.sha256, sha256(Buffer.from('hello')))
    const row = await rowOf(json.uri)
    assert.equal(row['file_name'], 'tervehdys ä.txt')
    assert.equal(row['content_type'], 'text/plain')
  })

  test('that is a PDF is known by its bytes, whatever it is called', async () => {
    for (const reply of [
      await post(Buffer.from('%PDF-1.7 …'), { 'content-type': 'text/html' }),
      await post(Buffer.concat([Buffer.alloc(1000, 10), Buffer.from('%PDF-2.0')])),
      await form('%PDF-1.4', { type: 'image/png' }),
    ]) {
      const row = await rowOf(reply.json.uri)
      assert.equal(row['content_type'], 'application/pdf')
    }
  })

  test('without a type or a name gets plain ones', async () => {
    const { json } = await post(Buffer.from([1, 2, 3]))
    const row = await rowOf(json.uri)
    assert.equal(row['content_type'], 'application/octet-stream')
    assert.equal(row['file_name'], 'document')
  })

  test('of 25 MiB is taken, one byte more is refused, and nothing of it stays', async () => {
    const largest = randomBytes(25 * MIB)
    const { status, json } = await post(largest)
    assert.equal(status, 200)
    assert.equal(json.size, 25 * MIB)
    assert.equal(json.sha256, sha256(largest))
    const download = await fetch(`${service.url}/storage/document/${json.uri}`, {
      headers: { 'ocp-apim-subscription-key': acme.key },
    })
    assert.equal(sha256(Buffer.from(await download.arrayBuffer())), json.sha256)

    const before = (await service.database.asOwner('select id from stored_document')).length
    const tooLarge = Buffer.concat([largest, Buffer.from([0])])
    for (const body of [tooLarge, new Blob([tooLarge]).stream()]) {
      const refused = await post(body)
      assert.equal(refused.status, 413)
      assert.equal(refused.json.code, 1019)
    }
    assert.equal((await service.database.asOwner('select id from stored_document')).length, before)
    assert.deepEqual(staged(), [])
  })

  test('is refused with the reason where it is no proper document', async () => {
    const cases: [reply: Awaited<ReturnType<typeof post>>, status: number, message: RegExp][] = [
      [await post(Buffer.alloc(0)), 400, /^body: is required/],
      [await form(''), 400, /^body: must not be empty/],
      [await post(Buffer.from('x'), {}, '?fileName=..%2Fx'), 400, /^fileName: must be a file name/],
      [await post(Buffer.from('x'), {}, `?fileName=${'x'.repeat(256)}`), 400, /^fileName: must have at most 255/],
      [await form('x', { fileName: '../../x' }), 400, /^fileName: must be a file name/],
      [
        await post(Buffer.from('x'), { 'content-type': 'multipart/form-data' }),
        400,
        /multipart\/form-data with one file/,
      ],
      [await form('x\r\n--edge\r\n\r\nsecond'), 400, /something follows the file/],
      [await post(Buffer.from('x'), { 'content-type': 'pdf' }), 400, /not well formed/],
      [await post(Buffer.from('x'), { 'content-type': `text/plain; x=${'y'.repeat(300)}` }), 415, /^Content-Type/],
      [await post(Buffer.from('x'), { 'content-encoding': 'gzip' }), 415, /^Content-Type/],
    ]
    for (const [reply, status, message] of cases) {
      assert.equal(reply.status, status, reply.text)
      assert.match(reply.json.message, message)
      assert.equal(reply.json.classification, 'InvalidArgument')
    }
    assert.deepEqual(staged(), [])
  })

  test('that breaks off leaves nothing staged and no row', async () => {
    const before = (await service.database.asOwner('select id from stored_document')).length
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST /storage/document HTTP/1.1\r\nhost: x\r\nocp-apim-subscription-key: ${acme.key}\r\ncontent-length: 1000000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(600_000, 1))
    await until('the upload to be staged', async () => staged().length === 1)
    socket.destroy()
    await until('nothing of it to be left', async () => staged().length === 0)
    assert.equal((await service.database.asOwner('select id from stored_document')).length, before)
  })

  test('with an Idempotency-Key is done once; the key with other bytes is refused', async () => {
    const headers = { 'idempotency-key': 'the same upload' }
    const first = await post(Buffer.from('once'), headers)
    const again = await post(Buffer.from('once'), headers)
    assert.equal(again.status, 200)
    assert.deepEqual(again.json, first.json)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const reused = await post(Buffer.from('twice'), headers)
    assert.equal(reused.status, 400)
    assert.equal(reused.json.classification, 'UniqueConstraint')
  })

  test('twenty times at once with the same content makes twenty documents of one blob', async () => {
    const content = randomBytes(50_000)
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(content)))
    assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]))
    assert.equal(new Set(replies.map((reply) => reply.json.uri)).size, 20)
    const last = await acme.call('GET', `/storage/document/${replies[19]!.json.uri}?base64=true`)
    assert.equal(last.text, content.toString('base64'))
  })

  test('needs a key', async () => {
    const { status } = await service.call('POST', '/storage/document', undefined, { raw: Buffer.from('x') })
    assert.equal(status, 401)
  })
})
