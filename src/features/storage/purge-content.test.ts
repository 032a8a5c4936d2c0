import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blobKey } from '#platform/blobs/blob-key.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import { openS3Blobs } from '#platform/blobs/s3-blobs.ts'
import { startS3Server, type S3Server } from '../../../test/fakes/s3-server.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { until } from '../../../test/until.ts'
import { removeUnusedContent } from './purge-content.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('removing content from a bucket', () => {
  let service: TestService
  let acme: TestTenant
  let s3: S3Server
  let blobs: BlobStore

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    s3 = await startS3Server()
    const { bucket, endpoint, credentials } = s3
    const scratchFolder = join(service.blobFolder, '..', 'scratch')
    blobs = await openS3Blobs({ bucket, endpoint, credentials, region: 'eu-north-1', scratchFolder })
  })
  after(async () => {
    await blobs.close()
    await s3.close()
    await service.stop()
  })

  /** Content of two days ago that no document has. */
  async function storeOld(text: string): Promise<{ sha256: string; key: string }> {
    const { sha256 } = await blobs.put(acme.tenantId, Buffer.from(text))
    const key = blobKey(acme.tenantId, sha256)
    s3.objects.get(key)!.modifiedAt = new Date(Date.now() - 2 * DAY_MS)
    return { sha256, key }
  }
  const remove = (sha256: string) =>
    removeUnusedContent({ db: service.platform.db, blobs }, { tenantId: acme.tenantId, sha256, now: new Date() })

  /** As the server does with a transaction that says nothing for too long. */
  const endHolders = () =>
    service.database.asOwner(
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )

  test('takes what no document has', async () => {
    const { sha256, key } = await storeOld('nobody’s')
    assert.equal(await remove(sha256), true)
    assert.equal(s3.objects.has(key), false)
  })

  test('takes nothing once its lock is gone, be the store as slow as it may', async () => {
    const { sha256, key } = await storeOld('stored again meanwhile')
    s3.requests.length = 0
    s3.fault = ({ method }) => (method === 'HEAD' ? { latencyMs: 1_000 } : undefined)
    const removed = remove(sha256).catch((error: Error) => error)
    await until('the store to be asked', async () => s3.requests.length > 0)
    assert.equal((await endHolders()).length, 1)
    assert.ok((await removed) instanceof Error)
    assert.deepEqual(s3.requests, [`HEAD ${key}`])
    assert.ok(s3.objects.has(key))
  })
})
