import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fstatSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import type { BlobStore } from './blob-store.ts'
import { openLocalBlobs } from './local-blobs.ts'
import { readStaged } from './testing/read-staged.ts'
import { writeBlob } from './written-apart.ts'

describe('a blob that another thread has written', () => {
  const tenantId = newId()
  let folder: string
  let store: BlobStore
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'written-apart-'))
    store = await openLocalBlobs(folder)
  })
  after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  const staged = () => readdir(join(folder, 'staging'))
  /** The file that a descriptor stands for; its number may be another file's a moment later. */
  const fileOf = (fd: number): number | undefined => {
    try {
      return fstatSync(fd).ino
    } catch {
      return undefined
    }
  }

  test('is taken over, committed and read back the same, whatever its size', async () => {
    for (const size of [0, 1, 100_000, 3_000_000]) {
      const bytes = randomBytes(size)
      const written = writeBlob(store.place(), bytes)
      const blob = store.adopt(written)
      assert.deepEqual([blob.sha256, blob.sizeBytes], [createHash('sha256').update(bytes).digest('hex'), size])
      assert.deepEqual(await readStaged(blob), bytes)
      await store.commit(tenantId, blob)
      assert.deepEqual(await store.read(tenantId, blob.sha256, { sizeBytes: size }), bytes)
      await assert.rejects(store.read(tenantId, blob.sha256, { sizeBytes: size + 1 }), AppError)
    }
    assert.deepEqual(await staged(), [])
  })

  test('is nobody else’s to read', async () => {
    const written = writeBlob(store.place(), Buffer.from('private'))
    assert.equal((await stat(written.path)).mode & 0o777, 0o600)
    await store.adopt(written).discard()
  })

  test('that is discarded leaves nothing, also when asked twice', async () => {
    const written = writeBlob(store.place(), randomBytes(1000))
    const file = fileOf(written.fd)
    const blob = store.adopt(written)
    await blob.discard()
    await blob.discard()
    assert.deepEqual(await staged(), [])
    assert.notEqual(fileOf(written.fd), file)
  })

  test('that can’t be synced does not get its name', async () => {
    const written = writeBlob(store.place(), randomBytes(1000))
    closeSync(written.fd)
    const blob = store.adopt(written)
    await assert.rejects(store.commit(tenantId, blob), (error) => error instanceof AppError && error.code === 9010)
    assert.equal(await store.stat(tenantId, blob.sha256), undefined)
    assert.deepEqual(await staged(), [])
  })

  test('never takes the place of another', async () => {
    const path = store.place()
    assert.notEqual(store.place(), path)
    await writeFile(path, 'somebody’s')
    assert.throws(() => writeBlob(path, Buffer.from('mine')), { code: 'EEXIST' })
    await rm(path)
  })

  test('that could be written in part only leaves nothing', async () => {
    const unwritable = { length: 5 } as Uint8Array
    assert.throws(() => writeBlob(store.place(), unwritable), { code: 'ERR_INVALID_ARG_TYPE' })
    assert.deepEqual(await staged(), [])
  })
})
