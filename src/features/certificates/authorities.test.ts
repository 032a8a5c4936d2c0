import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addArchiveTimestamp, signPdf } from '#pades/sign.ts'
import { appendedSource, bufferSource } from '#pades/source.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import { isIssuedBy, parseCertificate } from '#pki/certificate.ts'
import { findCommonName } from '#pki/names.ts'
import { parseTimestampToken } from '#pki/timestamp.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import type { TestWorker } from '../../../test/worker.ts'
import {
  collectValidationData,
  ensureInstallation,
  ensureTenantAuthority,
  findSealSigner,
  issueSignatorySigner,
  timestamper,
  trustAnchors,
} from './index.ts'

describe('certificates of the installation and its tenants', () => {
  let service: TestService
  let worker: TestWorker
  let platform: Platform
  let acme: TestTenant

  before(async () => {
    service = await startService()
    worker = service.startWorker({ handlers: () => [] })
    platform = worker.platform
    acme = await service.createTenant('Acme')
  })

  after(() => service.stop())

  test('are listed with their ends, and their certificates can be fetched by anybody', async () => {
    await ensureTenantAuthority(platform, { tenantId: acme.tenantId, now: service.clock.now() })
    const { status, json } = await acme.call('GET', '/sealing/authority')
    assert.equal(status, 200)
    const [issuing] = json.issuing
    assert.match(issuing.subject, /Acme/)
    assert.equal(issuing.issuer, json.root[0].subject)
    assert.equal(json.timestamp.origin, 'own')
    for (const { notAfter, keyId } of [issuing, json.root[0]]) {
      assert.ok(new Date(notAfter) > service.clock.now())
      assert.equal((await service.call('GET', `/pki/${keyId}/authority.cer`)).status, 200)
    }
    const other = await service.createTenant('Other')
    assert.deepEqual((await other.call('GET', '/sealing/authority')).json.issuing, [])
  })

  const count = async (table: string) =>
    Number((await service.database.asOwner(`select count(*) as total from ${table}`))[0]!['total'])

  test('five workers that start at once make one root, one timestamp signer and one responder', async () => {
    const platforms = Array.from({ length: 5 }, () => service.startWorker({ handlers: () => [] }).platform)
    const now = service.clock.now()
    const made = await Promise.all(platforms.map((one) => ensureInstallation(one, now)))
    assert.equal(await count('installation_certificate'), 3)
    assert.equal(await count('installation_key'), 3)
    assert.equal(new Set(made.map(({ root }) => root.certificate.toString('hex'))).size, 1)
  })

  test('a tenant’s authority is made once, with its responder and a seal for the root department', async () => {
    const now = service.clock.now()
    const platforms = Array.from({ length: 5 }, () => service.startWorker({ handlers: () => [] }).platform)
    await Promise.all(platforms.map((one) => ensureTenantAuthority(one, { tenantId: acme.tenantId, now })))
    const kinds = await service.database.asOwner(
      'select kind, state from certificate where tenant_id = $1 order by kind',
      [acme.tenantId],
    )
    assert.deepEqual(kinds, [
      { kind: 'issuing', state: 'Active' },
      { kind: 'responder', state: 'Active' },
      { kind: 'seal', state: 'Active' },
    ])
    const { root } = await ensureInstallation(platform, now)
    const { issuing } = await ensureTenantAuthority(platform, { tenantId: acme.tenantId, now })
    assert.ok(isIssuedBy(parseCertificate(issuing.certificate), parseCertificate(root.certificate)))
  })

  test('two people sign and the department seals: the file is valid and reaches B-LTA', async () => {
    const { tenantId, rootDepartmentId: departmentId } = acme
    const tsa = timestamper(platform)
    const signers = []
    for (const name of ['Anna Müller', 'Bo Ek']) {
      const requestId = '00000000-0000-4000-8000-000000000001'
      const now = service.clock.now()
      signers.push(await issueSignatorySigner(platform, { tenantId, requestId, name, authentication: 'None.', now }))
    }
    signers.push(await findSealSigner(platform, { tenantId, departmentId, now: service.clock.now() }))
    let source = bufferSource(makePdf())
    for (const [index, signer] of signers.entries()) {
      const time = service.clock.now()
      const field = { name: `Field ${index}` }
      const [appended] = await signPdf(source, { signer, level: 'B-T', tsa, time, field })
      source = appendedSource(source, appended!)
    }
    const now = service.clock.now()
    const certificates = signers.map(({ certificate }) => certificate)
    const validationData = await collectValidationData(platform, { tenantId, certificates, since: now, now })
    const archive = await addArchiveTimestamp(source, { tsa, validationData })
    const whole = appendedSource(source, archive)

    const report = await validatePdf(await whole.read(0, whole.size), {
      trustAnchors: await trustAnchors(platform),
      time: new Date(service.clock.now().getTime() + 1000),
    })
    assert.equal(report.verdict, 'valid', JSON.stringify(report, undefined, 2))
    assert.deepEqual(
      report.signatures.map(({ level, subject }) => [
        level,
        subject?.includes('Acme') || subject?.includes('Anna') || subject?.includes('Bo'),
      ]),
      [
        ['B-LTA', true],
        ['B-LTA', true],
        ['B-LTA', true],
      ],
    )
  })

  test('answers wait until our clock has passed the timestamp, but not for a clock that is far ahead', async () => {
    const { tenantId, rootDepartmentId: departmentId } = acme
    const now = service.clock.now()
    const { certificate } = await findSealSigner(platform, { tenantId, departmentId, now })
    const ask = (aheadMs: number) =>
      collectValidationData(platform, {
        tenantId,
        certificates: [certificate],
        since: new Date(now.getTime() + aheadMs),
        now,
      })
    const startedAt = performance.now()
    const { ocsps } = await ask(1_500)
    assert.ok(performance.now() - startedAt > 400 && ocsps.length > 0)
    await assert.rejects(ask(8_000), /s ahead of our clock/)
  })

  test('a timestamp of our own authority says when, by a certificate of the installation', async () => {
    const before = service.clock.now()
    const token = await timestamper(platform)({ hash: 'sha256', digest: Buffer.alloc(32, 7) })
    const { info } = parseTimestampToken(token)
    assert.ok(info.time.getTime() >= before.getTime() - 2000 && info.time <= service.clock.now())
    const { timestamp } = await ensureInstallation(platform, service.clock.now())
    assert.equal(findCommonName(parseCertificate(timestamp.certificate).subject), 'Countersign timestamps')
  })

  test('the server can’t read a private key', async () => {
    for (const table of ['certificate_key', 'installation_key']) {
      const read = service.platform.db.transaction(acme.tenantId, (tx) =>
        tx.query(`read ${table}`, `select sealed from ${table}`, []),
      )
      await assert.rejects(read, { code: '42501' })
    }
  })

  test('a private key that is put into another row can’t be opened', async () => {
    const other = await service.createTenant('Other')
    const now = service.clock.now()
    await ensureTenantAuthority(platform, { tenantId: other.tenantId, now })
    await service.database.asOwner(
      `update certificate_key set sealed = (select sealed from certificate_key where tenant_id = $1 limit 1) where tenant_id = $2`,
      [acme.tenantId, other.tenantId],
    )
    const fresh = service.startWorker({ handlers: () => [] }).platform
    await assert.rejects(ensureTenantAuthority(fresh, { tenantId: other.tenantId, now }), /unable to authenticate/i)
  })
})
