import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, describe, test } from 'node:test'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { type Fault, type S3Server, startS3Server } from '../../../test/fakes/s3-server.ts'
import { blobKey } from './blob-key.ts'
import type { BlobStore } from './blob-store.ts'
import { openS3Blobs } from './s3-blobs.ts'
import { writeBlob } from './written-apart.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const withCode = (code: number) => (error: unknown) => error instanceof AppError && error.code === code

describe('blobs in a bucket', () => {
  const tenantId = newId()
  let s3: S3Server
  let store: BlobStore
  let scratchFolder: string

  type Overrides = {
    secretAccessKey?: string
    bucket?: string
    deadlineMs?: number
    timeoutMs?: number
    deleteWithinMs?: number
  }
  const open = (overrides: Overrides = {}): Promise<BlobStore> =>
    openS3Blobs({
      bucket: overrides.bucket ?? s3.bucket,
      endpoint: s3.endpoint,
      region: 'eu-north-1',
      scratchFolder,
      credentials: { ...s3.credentials, secretAccessKey: overrides.secretAccessKey ?? s3.credentials.secretAccessKey },
      retry: { attempts: 4, baseDelayMs: 1, maxDelayMs: 5, deadlineMs: overrides.deadlineMs ?? 120_000 },
      timeoutMs: overrides.timeoutMs ?? 60_000,
      deleteWithinMs: overrides.deleteWithinMs ?? 1_000,
    })

  before(async () => {
    scratchFolder = await mkdtemp(join(tmpdir(), 's3-blobs-'))
    s3 = await startS3Server()
    store = await open()
  })
  after(async () => {
    await store.close()
    await s3.close()
    await rm(scratchFolder, { recursive: true })
  })
  afterEach(async () => {
    s3.fault = () => undefined
    s3.requests.length = 0
    assert.deepEqual(await readdir(scratchFolder), [])
  })

  /** The fault happens to the first `times` requests of this method. */
  function inject(method: string, fault: Fault, times = 1): void {
    let left = times
    s3.fault = (request) => {
      if (request.method !== method || left === 0) return undefined
      left -= 1
      return fault
    }
  }
  const objectOf = (hash: string) => s3.objects.get(blobKey(tenantId, hash))
  const readAll = async (hash: string): Promise<Buffer> => buffer((await store.openRead(tenantId, hash)).stream)

  test('what is stored is read back the same, from nothing to several chunks', async () => {
    for (const size of [0, 1, 70_000, 3_000_000]) {
      const bytes = randomBytes(size)
      const { sha256: hash } = await store.put(tenantId, bytes)
      assert.equal(hash, sha256(bytes))
      assert.deepEqual(await readAll(hash), bytes)
      const state = createHash('sha256')
      assert.deepEqual(await store.read(tenantId, hash, { hash: state }), bytes)
      assert.equal(state.digest('hex'), hash)
      assert.equal((await store.stat(tenantId, hash))?.sizeBytes, size)
      await store.verify(tenantId, hash)
      assert.ok(objectOf(hash)?.checksumSha256)
    }
  })

  test('what another thread has written is uploaded, and nothing stays here', async () => {
    const bytes = randomBytes(70_000)
    const blob = store.adopt(writeBlob(store.place(), bytes))
    await store.commit(tenantId, blob)
    assert.deepEqual(await store.read(tenantId, blob.sha256, { sizeBytes: bytes.length }), bytes)
    await store.adopt(writeBlob(store.place(), bytes)).discard()
  })

  test('a range is read alone', async () => {
    const bytes = randomBytes(300_000)
    const { sha256: hash } = await store.put(tenantId, bytes)
    const { stream, sizeBytes } = await store.openRead(tenantId, hash, { start: 1000, end: 200_000 })
    assert.equal(sizeBytes, bytes.length)
    assert.deepEqual(await buffer(stream), bytes.subarray(1000, 200_001))
    await assert.rejects(store.openRead(tenantId, hash, { start: 0, end: 300_000 }))
  })

  test('content that is there already is not uploaded twice', async () => {
    const bytes = randomBytes(1000)
    await store.put(tenantId, bytes)
    s3.requests.length = 0
    await store.put(tenantId, bytes)
    assert.deepEqual(
      s3.requests.map((request) => request.split(' ')[0]),
      ['PUT', 'HEAD'],
    )
  })

  test('old content is written again, so that no collector takes it for unused', async () => {
    const { sha256: hash } = await store.put(tenantId, Buffer.from('old'))
    const object = objectOf(hash)
    assert.ok(object)
    object.modifiedAt = new Date(Date.now() - 2 * 3_600_000)
    await store.put(tenantId, Buffer.from('old'))
    const again = await store.stat(tenantId, hash)
    assert.ok(again && Date.now() - again.modifiedAt.getTime() < 60_000)
    assert.equal(await store.remove(tenantId, hash, { onlyIfOlderThan: new Date(Date.now() - 3_600_000) }), false)
    assert.equal(await store.remove(tenantId, hash), true)
    assert.equal(await store.stat(tenantId, hash), undefined)
  })

  test('a removal that is not answered is given up soon, and waited for as long again', async () => {
    const hasty = await open({ deleteWithinMs: 400, timeoutMs: 3_000 })
    const { sha256: hash } = await store.put(tenantId, Buffer.from('unanswered'))
    s3.requests.length = 0
    inject('DELETE', 'hang', 9)
    const startedAt = performance.now()
    await assert.rejects(hasty.remove(tenantId, hash), withCode(9014))
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs > 750 && tookMs < 6_000, `it took ${tookMs} ms`)
    assert.equal(s3.requests.filter((request) => request.startsWith('DELETE')).length, 1)
    await hasty.close()
  })

  test('a removal whose answer gets lost is tried again, and waited for', async () => {
    const hasty = await open({ deleteWithinMs: 400 })
    const { sha256: hash } = await store.put(tenantId, Buffer.from('answer lost'))
    inject('DELETE', 'lost answer')
    const startedAt = performance.now()
    assert.equal(await hasty.remove(tenantId, hash), true)
    assert.ok(performance.now() - startedAt > 350)
    assert.equal(objectOf(hash), undefined)
    await hasty.close()
  })

  test('another object under the same key is replaced by the right one', async () => {
    const bytes = Buffer.from('right')
    const wrong = { bytes: Buffer.from('wrong'), modifiedAt: new Date(), checksumSha256: undefined }
    s3.objects.set(blobKey(tenantId, sha256(bytes)), wrong)
    await store.put(tenantId, bytes)
    assert.deepEqual(await readAll(sha256(bytes)), bytes)
  })

  test('twenty uploads of the same content at once all succeed', async () => {
    const bytes = randomBytes(50_000)
    await Promise.all(Array.from({ length: 20 }, () => store.put(tenantId, bytes)))
    await store.verify(tenantId, sha256(bytes))
  })

  for (const fault of ['slow down', 'lost answer', 'flip upload', { latencyMs: 50 }] as const) {
    test(`an upload gets over: ${JSON.stringify(fault)}`, async () => {
      const bytes = randomBytes(100_000)
      inject('PUT', fault, 2)
      await store.put(tenantId, bytes)
      assert.deepEqual(objectOf(sha256(bytes))?.bytes, bytes)
    })
  }

  for (const fault of ['slow down', 'lost answer', 'cut', { latencyMs: 50 }] as const) {
    test(`a download gets over: ${JSON.stringify(fault)}`, async () => {
      const bytes = randomBytes(400_000)
      await store.put(tenantId, bytes)
      inject('GET', fault, 2)
      assert.deepEqual(await readAll(sha256(bytes)), bytes)
    })
  }

  test('an upload and a download get over a server that hangs', async () => {
    const impatient = await open({ timeoutMs: 1_000 })
    const bytes = randomBytes(400_000)
    inject('PUT', 'hang')
    await impatient.put(tenantId, bytes)
    assert.deepEqual(objectOf(sha256(bytes))?.bytes, bytes)
    inject('GET', 'hang')
    assert.deepEqual(await buffer((await impatient.openRead(tenantId, sha256(bytes))).stream), bytes)
    await impatient.close()
  })

  test('a short answer is continued where it ended', async () => {
    const bytes = randomBytes(400_000)
    await store.put(tenantId, bytes)
    inject('GET', 'short', 2)
    assert.deepEqual(await readAll(sha256(bytes)), bytes)
  })

  test('a flipped bit is noticed and never served as a whole document', async () => {
    const bytes = randomBytes(400_000)
    await store.put(tenantId, bytes)
    inject('GET', 'flip')
    await assert.rejects(readAll(sha256(bytes)), withCode(9013))
    const object = objectOf(sha256(bytes))
    assert.ok(object)
    object.bytes = Buffer.from(bytes.subarray(1))
    await assert.rejects(store.verify(tenantId, sha256(bytes)), withCode(9013))
  })

  test('a server that ignores the range is not believed', async () => {
    const bytes = randomBytes(1000)
    await store.put(tenantId, bytes)
    inject('GET', 'whole', 10)
    const { stream } = await store.openRead(tenantId, sha256(bytes), { start: 10, end: 20 })
    await assert.rejects(buffer(stream), withCode(9014))
  })

  test('a server that stays down is given up after a bounded number of tries, with a time to come back', async () => {
    inject('PUT', 'slow down', 100)
    await assert.rejects(
      store.put(tenantId, randomBytes(10)),
      (error) => withCode(9014)(error) && (error as AppError).retryAfterS !== undefined,
    )
    assert.equal(s3.requests.length, 4)
    await assert.rejects(store.checkWritable(), withCode(9014))
  })

  test('no try begins after the deadline', async () => {
    const hurried = await open({ deadlineMs: 50, timeoutMs: 400 })
    s3.requests.length = 0
    inject('PUT', 'hang')
    await assert.rejects(hurried.put(tenantId, randomBytes(10)), withCode(9014))
    assert.equal(s3.requests.length, 1)
    await hurried.close()
  })

  test('three in ten requests fail: every blob is stored and read all the same', async () => {
    let count = 0
    s3.fault = () => {
      count += 1
      return count % 10 < 3 ? 'slow down' : undefined
    }
    for (let round = 0; round < 30; round += 1) {
      const bytes = randomBytes(2000)
      await store.put(tenantId, bytes)
      assert.deepEqual(await readAll(sha256(bytes)), bytes)
    }
  })

  test('a wrong secret or bucket fails at once, and is not tried again', async () => {
    for (const overrides of [{ secretAccessKey: 'wrong' }, { bucket: 'elsewhere' }]) {
      const stranger = await open(overrides)
      s3.requests.length = 0
      await assert.rejects(stranger.checkWritable(), withCode(9014))
      assert.equal(s3.requests.length, 1)
      await stranger.close()
    }
    await store.checkWritable()
  })

  test('a listing goes through all its pages and stays within its tenant', async () => {
    const lister = newId()
    const hashes = await Promise.all(
      Array.from({ length: 7 }, async (_, at) => (await store.put(lister, Buffer.from(`${at}`))).sha256),
    )
    s3.pageSize = 3
    const listed = await Array.fromAsync(store.list(lister))
    s3.pageSize = 1000
    assert.deepEqual(listed.map((blob) => blob.sha256).sort(), hashes.sort())
    assert.deepEqual(await Array.fromAsync(store.list(newId())), [])
  })

  test('what is not there is missing', async () => {
    const hash = sha256(Buffer.from('nowhere'))
    assert.equal(await store.stat(tenantId, hash), undefined)
    assert.equal(await store.remove(tenantId, hash), false)
    await assert.rejects(store.openRead(tenantId, hash), withCode(9012))
  })

  test('a discarded upload never reaches the bucket', async () => {
    const writer = await store.begin()
    await writer.write(randomBytes(10))
    const staged = await writer.finish()
    await staged.discard()
    assert.deepEqual(s3.requests, [])
  })

  test('an upload whose file is taken away under it fails, and the process goes on', async () => {
    const blob = store.adopt(writeBlob(store.place(), randomBytes(70_000)))
    for (const name of await readdir(scratchFolder)) await rm(join(scratchFolder, name))
    await assert.rejects(store.commit(tenantId, blob), AppError)
    assert.equal(objectOf(blob.sha256), undefined)
  })

  test('the fake server reads the chunked uploads that the client makes by default', async () => {
    const client = new S3Client({
      region: 'eu-north-1',
      endpoint: s3.endpoint,
      forcePathStyle: true,
      credentials: s3.credentials,
    })
    const bytes = randomBytes(200_000)
    const Body = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)])
    await client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: 'chunked', Body, ContentLength: bytes.length }))
    assert.deepEqual(s3.objects.get('chunked')?.bytes, bytes)
    client.destroy()
  })
})
