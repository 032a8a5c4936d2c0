import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseCertificate } from '#pki/certificate.ts'
import { parseCrl } from '#pki/crl.ts'
import { parseOcspResponse } from '#pki/ocsp.ts'
import { makePlatform } from '#main/platform.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { ensureInstallation, ensureTenantAuthority, findSealSigner, refreshPublished, renewSeals } from './index.ts'
import { listTrustAnchors } from './trust-anchors.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const YEAR_MS = 365 * DAY_MS

describe('certificates as time goes by', () => {
  let service: TestService
  let acme: TestTenant
  let platform: Platform

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    platform = service.startWorker({ handlers: () => [] }).platform
    const now = service.clock.now()
    await ensureTenantAuthority(platform, { tenantId: acme.tenantId, now })
  })

  after(() => service.stop())

  const later = (ms: number) => new Date(service.clock.now().getTime() + ms)
  const findSeal = (now: Date, of = platform) =>
    findSealSigner(of, { tenantId: acme.tenantId, departmentId: acme.rootDepartmentId, now })

  /** The same worker, after a restart with another public address. */
  function restarted(publicUrl: string): Platform {
    const { config, blobs, log, clock } = platform
    const secretKey = 'a secret key that is used in tests alone'
    const db = service.database.open('countersign_worker')
    return makePlatform({ config: { ...config, publicUrl }, secretKey, db, blobs, log, clock })
  }

  test('lists and answers are signed anew before they end, with rising numbers', async () => {
    const published = () =>
      service.database.asOwner('select crl, crl_number as number, crl_next_update as next from published_authority')
    const before = await published()
    await refreshPublished(platform, later(DAY_MS))
    assert.deepEqual(await published(), before, 'nothing is due after a day')

    await refreshPublished(platform, later(5 * DAY_MS))
    const after = await published()
    assert.equal(after.length, 2, 'the root and the authority of the tenant')
    for (const { crl, number, next } of after) {
      assert.equal(Number(number), 2)
      assert.deepEqual(
        parseCrl(crl as Buffer).nextUpdate?.getTime(),
        Math.floor((next as Date).getTime() / 1000) * 1000,
      )
      assert.ok((next as Date) > later(10 * DAY_MS))
    }
    const statuses = await service.database.asOwner('select response, next_update as next from published_status')
    assert.equal(statuses.length, 3, 'timestamp signer, authority and seal')
    for (const { response, next } of statuses) {
      assert.ok((next as Date) > later(7 * DAY_MS))
      const { responses } = parseOcspResponse(response as Buffer)
      assert.deepEqual(
        responses.map(({ status, id }) => [status, id.hash]),
        [
          ['good', 'sha1'],
          ['good', 'sha256'],
        ],
      )
    }
  })

  test('lists and answers of a tenant whose key is lost hold up nobody else’s', async () => {
    const { tenantId } = await service.createTenant('Broken')
    await ensureTenantAuthority(platform, { tenantId, now: service.clock.now() })
    await service.database.asOwner(`update certificate_key set sealed = '\\x00' where tenant_id = $1`, [tenantId])
    const dueAt = later(20 * DAY_MS)
    const ended = () =>
      service.database.asOwner('select tenant_id from published_authority where crl_next_update <= $1', [dueAt])
    await service.database.asOwner(`update published_authority set crl_next_update = $1 where tenant_id = $2`, [
      service.clock.now(),
      tenantId,
    ])
    await assert.rejects(refreshPublished(restarted('https://sign.example'), dueAt), /lists and answers, for .* first/)
    assert.deepEqual(
      (await ended()).map((row) => row['tenant_id']),
      [tenantId],
    )
    await service.database.asOwner('delete from published_authority where tenant_id = $1', [tenantId])
  })

  test('a responder that ends is replaced; root and authority stay', async () => {
    const now = service.clock.now()
    const next = later(YEAR_MS)
    const [was, is] = [await ensureInstallation(platform, now), await ensureInstallation(platform, next)]
    assert.deepEqual(is.root.certificate, was.root.certificate)
    assert.notDeepEqual(is.responder.certificate, was.responder.certificate)
    const given = { tenantId: acme.tenantId }
    const before = await ensureTenantAuthority(restarted('https://a.example.com'), { ...given, now })
    const after = await ensureTenantAuthority(restarted('https://a.example.com'), { ...given, now: next })
    assert.deepEqual(after.issuing.certificate, before.issuing.certificate)
    assert.notDeepEqual(after.responder.certificate, before.responder.certificate)
  })

  test('a timestamp signer, an authority and the root are followed by others two months before they end', async () => {
    const now = service.clock.now()
    const given = { tenantId: acme.tenantId }
    const monthBefore = (certificate: Buffer) =>
      new Date(parseCertificate(certificate).notAfter.getTime() - 30 * DAY_MS)
    const was = await ensureInstallation(platform, now)
    const stamped = await ensureInstallation(platform, monthBefore(was.timestamp.certificate))
    assert.notDeepEqual(stamped.timestamp.certificate, was.timestamp.certificate)
    assert.deepEqual(stamped.root.certificate, was.root.certificate)
    const authority = await ensureTenantAuthority(platform, { ...given, now })
    const end = monthBefore(authority.issuing.certificate)
    assert.notDeepEqual(
      (await ensureTenantAuthority(platform, { ...given, now: end })).issuing.certificate,
      authority.issuing.certificate,
    )
    const rooted = await ensureInstallation(platform, monthBefore(was.root.certificate))
    assert.notDeepEqual(rooted.root.certificate, was.root.certificate)
    const anchors = (await listTrustAnchors(platform)).map(({ certificate }) => certificate.toString('hex'))
    for (const { root } of [was, rooted]) assert.ok(anchors.includes(root.certificate.toString('hex')))
  })

  test('a seal that ends soon is replaced by itself, and one that has ended is not used', async () => {
    const soon = later(3 * YEAR_MS - 30 * DAY_MS)
    const was = await findSeal(soon)
    await assert.rejects(findSeal(later(3 * YEAR_MS + 30 * DAY_MS)), /has a seal certificate that is valid now/)
    await renewSeals(platform, { tenantId: acme.tenantId, now: soon })
    const is = await findSeal(soon)
    assert.notDeepEqual(is.certificate, was.certificate)
    await renewSeals(platform, { tenantId: acme.tenantId, now: soon })
    assert.deepEqual((await findSeal(soon)).certificate, is.certificate, 'once is enough')
  })

  test('another public address: new certificates name it', async () => {
    const moved = restarted('https://new.example.com')
    const now = service.clock.now()
    await renewSeals(moved, { tenantId: acme.tenantId, now })
    const { certificate, chain } = await findSeal(later(1000), moved)
    for (const der of [certificate, chain[0]!]) {
      assert.match(parseCertificate(der).crlAddresses[0] ?? '', /^https:\/\/new\.example\.com\/pki\//)
    }
    const { timestamp } = await ensureInstallation(moved, now)
    assert.match(parseCertificate(timestamp.certificate).ocspAddresses[0] ?? '', /^https:\/\/new\.example\.com\//)
  })
})
