import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { recheckServices } from '#main/recheck-services.ts'
import { documentsOf, fetchFile, judge, open, openWith, waitFor } from '#features/sealing/testing/sealer.ts'
import { newId } from '#platform/ids.ts'
import type { CscServer } from '../../../test/fakes/csc-server.ts'
import { REMOTE_SEAL, startRemoteSeal, type RemoteSeal } from '../../../test/fakes/remote-seal.ts'
import { readHealth } from '../../../test/health.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, openLink, readRequest, untilStatus } from '../../../test/signing-flow.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'

const NAME = REMOTE_SEAL
const PIN = '8642'

describe('a seal whose key lies with a remote signing service', () => {
  let service: TestService
  let worker: TestWorker
  let acme: TestTenant
  let seal: RemoteSeal
  let remote: CscServer

  before(async () => {
    const tenantId = newId()
    seal = await startRemoteSeal({ tenantId, pin: PIN, now: () => service?.clock.now() ?? new Date() })
    remote = seal.remote
    service = await startService(seal.environment)
    worker = service.startWorker()
    acme = await service.createTenant('Acme', tenantId)
  })
  beforeEach(() => {
    remote.isAway = false
    remote.calls.length = 0
  })
  after(async () => {
    await service.stop()
    await seal.stop()
  })

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
    seal.writePin('0000')
    const id = await openWith(acme.call, [makePdf('Refused')])
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /refused credentials\/authorize: invalid_pin/)
    assert.equal(remote.calls.filter(({ method }) => method === 'credentials/authorize').length, 1)
    seal.writePin(PIN)
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
