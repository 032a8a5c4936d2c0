import assert from 'node:assert/strict'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { findReachableDocument, purgeOrphanedContent, purgeUploads, useDocument } from './index.ts'
import { holdContentRemoval } from './storage-statements.ts'
import { until } from '../../../test/until.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('purging uploads that nothing used', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function upload(content: string, tenant = acme): Promise<{ uri: string; sha256: string }> {
    const { status, json } = await tenant.call('POST', '/storage/document', undefined, { raw: content })
    assert.equal(status, 200)
    return json
  }

  /** As if it had been uploaded eight days ago. */
  async function age({ uri, sha256 }: { uri: string; sha256: string }): Promise<void> {
    await service.database.asOwner(`update stored_document set purge_at = now() - interval '1 day' where id = $1`, [
      uri,
    ])
    const eightDaysAgo = new Date(Date.now() - 8 * DAY_MS)
    utimesSync(blobPath(sha256), eightDaysAgo, eightDaysAgo)
  }

  function blobPath(sha256: string): string {
    return join(service.blobFolder, acme.tenantId, sha256.slice(0, 2), sha256)
  }

  const isStored = async (sha256: string) => (await service.platform.blobs.stat(acme.tenantId, sha256)) !== undefined
  const statusOf = async (uri: string) => (await acme.call('GET', `/storage/document/${uri}`)).status
  const purge = () => purgeUploads(service.platform, { tenantId: acme.tenantId, now: new Date() })

  test('takes the row and the bytes of those whose week is over, and no others', async () => {
    const old = await upload('old')
    const fresh = await upload('fresh')
    await age(old)
    assert.equal(await purge(), 1)
    assert.equal(await statusOf(old.uri), 204)
    assert.equal(await isStored(old.sha256), false)
    assert.equal(await statusOf(fresh.uri), 200)
    assert.equal(await purge(), 0)
  })

  test('leaves what something uses', async () => {
    const used = await upload('used')
    await age(used)
    const { tenantId } = acme
    await service.platform.db.transaction(tenantId, (tx) => useDocument(tx, { tenantId, documentId: used.uri }))
    assert.equal(await purge(), 0)
    assert.equal(await statusOf(used.uri), 200)
  })

  test('leaves what is just being taken into use', async () => {
    const taken = await upload('taken')
    await age(taken)
    const { tenantId } = acme
    const caller = { tenantId, role: 'key', isTenantWide: true, departmentId: acme.rootDepartmentId } as const
    const rest = { userId: acme.serviceUserId, keyId: undefined, token: undefined, isInactive: false }
    await service.platform.db.transaction(tenantId, async (tx) => {
      const found = await findReachableDocument(tx, { caller: { ...caller, ...rest }, uri: taken.uri })
      assert.equal(found?.fileName, 'document')
      assert.equal(await purge(), 0)
      await useDocument(tx, { tenantId, documentId: taken.uri })
    })
    assert.equal(await purge(), 0)
    assert.equal(await statusOf(taken.uri), 200)
  })

  test('leaves the bytes where another document has the same', async () => {
    const first = await upload('shared')
    const second = await upload('shared')
    await age(first)
    assert.equal(await purge(), 1)
    assert.equal(await statusOf(first.uri), 204)
    assert.equal(await statusOf(second.uri), 200)
  })

  test('leaves bytes that were stored again and whose row is still to be written', async () => {
    const old = await upload('again')
    await age(old)
    await service.platform.blobs.put(acme.tenantId, Buffer.from('again'))
    assert.equal(await purge(), 1)
    assert.equal(await isStored(old.sha256), true)
  })

  test('racing with new uploads of the same content never leaves one of them without its bytes', async () => {
    for (let round = 0; round < 15; round++) {
      const content = `race ${round}`
      await age(await upload(content))
      const [, reply] = await Promise.all([
        purge(),
        acme.call('POST', '/storage/document', undefined, { raw: content }),
      ])
      if (reply.status === 200) assert.equal(await statusOf(reply.json.uri), 200)
      else assert.equal(reply.json.code, 9014)
    }
  })

  test('makes an upload of the same content wait, and refuse where its bytes went after all', async () => {
    const { tenantId } = acme
    const old = await upload('both at once')
    await age(old)
    const sha256 = Buffer.from(old.sha256, 'hex')
    const reply = await service.platform.db.transaction(tenantId, async (tx) => {
      await holdContentRemoval.run(tx, { tenantId, sha256 })
      const waiting = acme.call('POST', '/storage/document', undefined, { raw: 'both at once' })
      await until('the bytes to come', async () => statSync(blobPath(old.sha256)).mtimeMs >= Date.now() - DAY_MS)
      assert.equal(await Promise.race([waiting, wait(100, 'still waiting')]), 'still waiting')
      // What a purge does that looked at the bytes before they came again.
      await service.platform.blobs.remove(tenantId, old.sha256)
      return { waiting }
    })
    const { status, json } = await reply.waiting
    assert.equal(status, 503)
    assert.equal(json.code, 9014)
    const rows = await service.database.asOwner('select id from stored_document where sha256 = $1', [sha256])
    assert.deepEqual(rows, [{ id: old.uri }])
  })

  test('also finds bytes that belong to no document, once they are a day old', async () => {
    const { tenantId } = acme
    const kept = await upload('kept for long')
    const orphan = await service.platform.blobs.put(tenantId, Buffer.from('orphan'))
    const young = await service.platform.blobs.put(tenantId, Buffer.from('young orphan'))
    const eightDaysAgo = new Date(Date.now() - 8 * DAY_MS)
    for (const { sha256 } of [kept, orphan]) utimesSync(blobPath(sha256), eightDaysAgo, eightDaysAgo)
    const earlier = await purgeOrphanedContent(service.platform, { tenantId, now: new Date() })
    assert.ok(earlier >= 1)
    assert.equal(await isStored(orphan.sha256), false)
    assert.equal(await isStored(young.sha256), true)
    assert.equal(await statusOf(kept.uri), 200)
    assert.equal(await purgeOrphanedContent(service.platform, { tenantId, now: new Date() }), 0)
  })

  test('does not touch another tenant, though the content is the same', async () => {
    const ours = await upload('everybody has this')
    const theirs = await upload('everybody has this', other)
    await age(ours)
    await service.database.asOwner(`update stored_document set purge_at = now() where id = $1`, [theirs.uri])
    await purge()
    const { status } = await other.call('GET', `/storage/document/${theirs.uri}`)
    assert.equal(status, 200)
  })
})
