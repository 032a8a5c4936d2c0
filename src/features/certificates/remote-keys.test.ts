import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { recheckServices } from '#main/recheck-services.ts'
import { documentsOf, fetchFile, judge, open, openWith, waitFor } from '#features/sealing/testing/sealer.ts'
import { makeRoot, makeSealCertificate } from '#pki/authority.ts'
import { generateKey, memoryKey, memorySigner } from '#pki/raw-signer.ts'
import { newId } from '#platform/ids.ts'
import { ACCESS_TOKEN, startCscServer, type CscServer } from '../../../test/fakes/csc-server.ts'
import { startRevocationServer, type RevocationServer } from '../../../test/fakes/revocation-server.ts'
import { readHealth } from '../../../test/health.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, openLink, readRequest, untilStatus } from '../../../test/signing-flow.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'

const NAME = 'acme-seal'
const PIN = '8642'

describe('a seal whose key lies with a remote signing service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-csc-'))
  let service: TestService
  let worker: TestWorker
  let acme: TestTenant
  let revocation: RevocationServer
  let remote: CscServer

  before(async () => {
    revocation = await startRevocationServer(() => service.clock.now())
    remote = await startRemote()
    const tenantId = newId()
    service = await startService({
      COUNTERSIGN_REVOCATION_ORIGINS: revocation.origin,
      COUNTERSIGN_CSC_FILE: writeSettings(tenantId),
    })
    worker = service.startWorker()
    acme = await service.createTenant('Acme', tenantId)
  })
  beforeEach(() => {
    remote.isAway = false
    remote.calls.length = 0
  })
  after(async () => {
    await service.stop()
    await remote.stop()
    await revocation.close()
    rmSync(folder, { recursive: true })
  })

  async function startRemote(): Promise<CscServer> {
    const now = new Date()
    const root = await generateKey('ES256')
    const key = memoryKey(root.privateKey, 'ES256')
    const rootCertificate = await makeRoot({ publicKey: root.publicKey, key, name: 'Remote root', now })
    const issuer = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', ...root })
    const { publicKey, privateKey } = await generateKey('ES256')
    const subject = { publicKey, name: 'Remote seal', organization: 'Acme', now, baseUrl: revocation.origin }
    const certificate = await makeSealCertificate(issuer, subject)
    revocation.answerFor(issuer, certificate)
    return startCscServer({ certificates: [certificate, rootCertificate], privateKey, pin: PIN, form: 'der' })
  }

  function writeSettings(tenantId: string): string {
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 })
    write('token', ACCESS_TOKEN)
    write('pin', PIN)
    const key = { name: NAME, tenantId, url: remote.url, credentialId: 'seal-1', algorithm: 'ES256' }
    const files = { accessTokenFile: 'token', secretFiles: { PIN: 'pin' } }
    write('keys.json', JSON.stringify([{ ...key, ...files }]))
    return join(folder, 'keys.json')
  }

  const writePin = (pin: string) => writeFileSync(join(folder, 'pin'), pin)
  const troubles = async () => Object.keys((await readHealth(service.platform)).body.checks)
  const untilTried = (requestId: string) =>
    until('the try to be counted', async () => {
      const sql = `select attempt from job where payload ->> 'requestId' = $1 and attempt > 0`
      return (await service.database.asOwner(sql, [requestId])).length === 1
    })
  const later = () => {
    service.clock.advance(60_000)
    worker.worker.wake()
  }

  async function requireSealedRemotely(uri: string, signatures: number): Promise<void> {
    const report = await judge(service, await fetchFile(acme.call, uri), acme.tenantId)
    assert.equal(report.verdict, 'valid', JSON.stringify(report.findings))
    assert.equal(report.signatures.length, signatures)
    assert.deepEqual([report.signatures.at(-1)!.subject, report.signatures.at(-1)!.level], ['Remote seal', 'B-LTA'])
  }

  test('is made while the service is away as soon as it is back, and then seals', async () => {
    remote.isAway = true
    const { status, json, text } = await acme.call('POST', '/sealing/certificate', { remoteKey: NAME })
    assert.deepEqual([status, json.state, json.origin], [202, 'Pending', 'remote'], text)
    await until('the trouble', async () => (await troubles()).includes(`remote signer ${NAME}`))
    remote.isAway = false
    later()
    await until('the certificate', async () => {
      const { json: list } = await acme.call('GET', '/sealing/certificate')
      const { state, stateReason } = list.items.find(({ id }: { id: string }) => id === json.id)
      assert.notEqual(state, 'Failed', stateReason)
      return state === 'Active'
    })
    const id = await openWith(acme.call, [makePdf('Remote')])
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    await requireSealedRemotely(document!.documentURI, 1)
    assert.ok(remote.calls.some(({ method }) => method === 'signatures/signHash'))
  })

  test('while the service is away nothing is lost or lowered: degraded, tried again, then sealed', async () => {
    remote.isAway = true
    const id = await openWith(acme.call, [makePdf('Waiting')])
    await untilTried(id)
    assert.equal((await acme.call('GET', `/sealing/sealingrequest/${id}`)).json.status, 'Processing')
    const { status, body } = await readHealth(service.platform)
    assert.deepEqual([status, body.status, body.checks[`remote signer ${NAME}`]], [200, 'degraded', 'degraded'])
    const [waiting] = await documentsOf(acme.call, id)
    assert.equal(waiting!.documentURI, waiting!.sourceDocumentURI, 'nothing is published')
    remote.isAway = false
    later()
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    await requireSealedRemotely(document!.documentURI, 1)
    assert.ok(!(await troubles()).includes(`remote signer ${NAME}`))
  })

  test('a signed request waits for the service, and is closed once it is back', async () => {
    const { requestId, signatoryIds } = await invite(acme)
    const browser = await openLink(service, acme, requestId, signatoryIds[0]!)
    remote.isAway = true
    assert.equal((await browser.sign()).status, 202)
    await untilStatus(acme, requestId, 'Processing')
    await untilTried(requestId)
    assert.equal((await readRequest(acme, requestId)).json.status, 'Processing')
    remote.isAway = false
    await recheckServices(worker.platform)
    assert.ok(!(await troubles()).includes(`remote signer ${NAME}`), 'it is asked before somebody needs it')
    later()
    const closed = await untilStatus(acme, requestId, 'Closed')
    await requireSealedRemotely(closed.documents[0].documentURI, 2)
  })

  test('a refusal is not repeated until the key is locked: Error with the reason, and Open tries again', async () => {
    writePin('0000')
    const id = await openWith(acme.call, [makePdf('Refused')])
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /refused credentials\/authorize: invalid_pin/)
    assert.equal(remote.calls.filter(({ method }) => method === 'credentials/authorize').length, 1)
    writePin(PIN)
    await open(acme.call, id)
    await waitFor(acme.call, id, 'Processed')
  })

  test('a key that was set up for somebody else, or for nobody, is none', async () => {
    const other = await service.createTenant('Other')
    for (const [call, remoteKey] of [
      [other.call, NAME],
      [acme.call, 'no-such-key'],
    ] as const) {
      const { status, json } = await call('POST', '/sealing/certificate', { remoteKey })
      assert.deepEqual([status, json.classification], [400, 'ReferenceConstraint'])
    }
    const both = await acme.call('POST', '/sealing/certificate', { remoteKey: NAME, generate: true })
    assert.deepEqual([both.status, both.json.code], [400, 1210])
  })
})
