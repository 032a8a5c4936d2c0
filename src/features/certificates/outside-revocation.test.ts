import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { makeRoot, makeSealCertificate } from '#pki/authority.ts'
import { generateKey, memoryKey, memorySigner } from '#pki/raw-signer.ts'
import { documentsOf, fetchFile, judge, openWith, waitFor } from '#features/sealing/testing/sealer.ts'
import { certificatePem } from '../../../test/fakes/openssl.ts'
import { startRevocationServer, type RevocationServer } from '../../../test/fakes/revocation-server.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'

describe('a seal certificate of somebody else’s authority', () => {
  let service: TestService
  let worker: TestWorker
  let acme: TestTenant
  let server: RevocationServer

  before(async () => {
    server = await startRevocationServer(() => service.clock.now())
    service = await startService({ COUNTERSIGN_REVOCATION_ORIGINS: server.origin })
    worker = service.startWorker()
    acme = await service.createTenant('Acme')
    await importSeal(service, acme)
  })
  beforeEach(() => {
    server.status = 'good'
    server.open = new Set(['ocsp', 'crl'])
    server.asked = []
  })
  after(async () => {
    await service.stop()
    await server.close()
  })

  async function importSeal({ clock }: TestService, tenant: TestTenant): Promise<void> {
    const now = clock.now()
    const root = await generateKey('ES256')
    const rootKey = memoryKey(root.privateKey, 'ES256')
    const rootCertificate = await makeRoot({ publicKey: root.publicKey, key: rootKey, name: 'Foreign root', now })
    const issuer = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', ...root })
    const { publicKey, privateKey } = await generateKey('ES256')
    const subject = { publicKey, name: 'Foreign seal', organization: 'Foreign', now, baseUrl: server.origin }
    const certificate = await makeSealCertificate(issuer, subject)
    server.answerFor(issuer, certificate)
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const pem = key + certificatePem(certificate) + certificatePem(rootCertificate)
    const { json, status, text } = await tenant.call('POST', '/sealing/certificate', { pem })
    assert.equal(status, 202, text)
    await until('the certificate', async () => {
      const { json: list } = await tenant.call('GET', '/sealing/certificate')
      const { state, stateReason } = list.items.find((item: { id: string }) => item.id === json.id)
      assert.notEqual(state, 'Failed', stateReason)
      return state === 'Active'
    })
  }

  const attemptOf = async (requestId: string) => {
    const rows = await service.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [
      requestId,
    ])
    return rows[0]?.['attempt']
  }

  async function requireSealed(requestId: string): Promise<void> {
    await waitFor(acme.call, requestId, 'Processed')
    const [document] = await documentsOf(acme.call, requestId)
    const report = await judge(service, await fetchFile(acme.call, document!.documentURI), acme.tenantId)
    assert.equal(report.verdict, 'valid')
    assert.deepEqual(
      report.signatures.map(({ level, indication }) => [level, indication]),
      [['B-LTA', 'TOTAL-PASSED']],
    )
  }

  test('its responder is asked, and the seal reaches B-LTA', async () => {
    await requireSealed(await openWith(acme.call, [makePdf('good')]))
    assert.deepEqual(server.asked, ['ocsp'])
  })

  test('where the responder is out of order, its list will do', async () => {
    server.open = new Set(['crl'])
    await requireSealed(await openWith(acme.call, [makePdf('list')]))
    assert.deepEqual(server.asked, ['ocsp', 'crl'])
  })

  test('where nobody answers nothing is lowered or lost: tried again, and sealed once somebody does', async () => {
    server.open = new Set()
    const requestId = await openWith(acme.call, [makePdf('unreachable')])
    await until('the try to be counted', async () => (await attemptOf(requestId)) === 1)
    const { json } = await acme.call('GET', `/sealing/sealingrequest/${requestId}`)
    assert.equal(json.status, 'Processing')
    const [document] = await documentsOf(acme.call, requestId)
    assert.equal(document!.documentURI, document!.sourceDocumentURI, 'nothing is published')
    server.open = new Set(['ocsp'])
    service.clock.advance(60_000)
    worker.worker.wake()
    await requireSealed(requestId)
  })

  test('once it is revoked nothing is sealed with it any more, and the request says why', async () => {
    server.status = 'revoked'
    const requestId = await openWith(acme.call, [makePdf('revoked')])
    const { statusReason } = await waitFor(acme.call, requestId, 'Error')
    assert.match(statusReason, /revoked/)
    const [document] = await documentsOf(acme.call, requestId)
    assert.equal(document!.documentURI, document!.sourceDocumentURI, 'nothing is published')
  })

  test('an address that the operator has not named and that is not public is never asked', async () => {
    const other = await startService()
    try {
      const otherWorker = other.startWorker()
      const tenant = await other.createTenant('Other')
      await importSeal(other, tenant)
      const requestId = await openWith(tenant.call, [makePdf('private')])
      await until('the try to be counted', async () => {
        const rows = await other.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [
          requestId,
        ])
        return rows[0]?.['attempt'] === 1
      })
      assert.deepEqual(server.asked, [])
      await otherWorker.stop()
    } finally {
      await other.stop()
    }
  })
})
