import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { openBlobStore } from './open-blob-store.ts'

describe('opening the configured storage', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storage-'))
  })
  after(() => rm(folder, { recursive: true }))

  test('a folder that is not there yet is made, and keeps what is stored for the next start', async () => {
    const options = { scratchFolder: join(folder, 'scratch') }
    const address = join(folder, 'deep', 'down', 'blobs')
    const tenantId = newId()
    const first = await openBlobStore(address, options)
    const { sha256 } = await first.put(tenantId, Buffer.from('kept'))
    await first.close()
    const second = await openBlobStore(address, options)
    await second.verify(tenantId, sha256)
    await second.close()
  })

  test('a bucket opens without asking it anything, so that a start does not depend on it', async () => {
    const store = await openBlobStore('s3://documents?endpoint=http://127.0.0.1:9&region=x', {
      scratchFolder: join(folder, 'scratch'),
    })
    const writer = await store.begin()
    await writer.abort()
    await store.close()
  })

  test('an address that makes no sense is refused', async () => {
    await assert.rejects(openBlobStore('ftp://x', { scratchFolder: folder }), /only a folder or s3/)
  })
})
