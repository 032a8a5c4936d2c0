import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { findReachableDocument, purgeUploads, useDocument } from './index.ts'

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
    return join(service.blobFolder, acme.tenantId, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
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
