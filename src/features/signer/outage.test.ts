// A timestamp authority that does not answer: nothing is lost, and no level is lowered.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { jobHandlers } from '#main/jobs.ts'
import { makeTestAuthority } from '#pades/testing/authority.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import { MOST_CLAIMS } from '#platform/jobs/worker.ts'
import type { Platform } from '#platform/platform.ts'
import { certificatePem } from '../../../test/fakes/openssl.ts'
import { startTimestampServer, type TimestampServer } from '../../../test/fakes/timestamp-server.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, openLink, readRequest, untilStatus } from '../../../test/signing-flow.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'

describe('signing while the timestamp authority is away', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tsa-'))
  let service: TestService
  let worker: TestWorker
  let tenant: TestTenant
  let server: TimestampServer
  /** As if the operator had not named another authority yet. */
  let isOwnChosen = false

  before(async () => {
    const { tsaSigner } = await makeTestAuthority('ES256', new Date())
    const file = join(folder, 'authority.pem')
    writeFileSync(file, certificatePem(tsaSigner.certificate))
    server = await startTimestampServer(tsaSigner, () => service.clock.now())
    service = await startService({ COUNTERSIGN_TSA_URL: server.url, COUNTERSIGN_TSA_CA_FILE: file })
    worker = service.startWorker({ handlers: (platform) => jobHandlers(withChoice(platform)) })
    tenant = await service.createTenant()
  })
  after(async () => {
    await service.stop()
    await server.close()
    rmSync(folder, { recursive: true })
  })

  const withChoice = (platform: Platform): Platform => ({
    ...platform,
    get config() {
      return isOwnChosen ? { ...platform.config, timestamps: undefined } : platform.config
    },
  })

  const untilTried = (queue: string) =>
    until('the failure to be noted', async () => {
      const rows = await service.database.asOwner(`select attempt from job where queue = $1 and attempt > 0`, [queue])
      return rows.length === 1
    })

  const tryNow = async (queue: string, attempt: number) => {
    await service.database.asOwner('update job set attempt = $2, run_at = now() where queue = $1', [queue, attempt])
    worker.worker.wake()
  }
  /** The last try of a job, now. */
  const exhaust = (queue: string) => tryNow(queue, RETRY_AFTER_S.length)
  /** As if each worker that tried it had died of it. */
  const endItsWorkers = async (queue: string) => {
    await service.database.asOwner(`update job set claims = $1, run_at = now() where queue = $2`, [MOST_CLAIMS, queue])
    worker.worker.wake()
  }

  test('a confirmed signature waits for it and is made later, once', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    server.fault = 'unavailable'
    assert.equal((await browser.sign()).status, 202)
    await untilTried('signer.sign')
    assert.equal((await browser.page()).state, 'signing')
    server.fault = undefined
    service.clock.advance(60_000)
    worker.worker.wake()
    const request = await untilStatus(tenant, requestId, 'Closed')
    assert.equal(request.documents[0].levelReached, 'B-LTA')
    const intents = await service.database.asOwner(
      `select state from signature_intent where request_id = $1 and signatory_id is not null order by created_at`,
      [requestId],
    )
    assert.deepEqual(
      intents.map(({ state }) => state),
      ['abandoned', 'used'],
    )
  })

  test('one that never comes back: the person is asked again, nothing is signed', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    server.fault = 'unavailable'
    await browser.sign()
    await untilTried('signer.sign')
    await exhaust('signer.sign')
    await browser.pageIn('ready')
    server.fault = undefined
    await browser.sign()
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('one that no try would make is given up soon, and those who sign after it do not wait for it', async () => {
    const signatories = ['Aino', 'Björn'].map((firstName) => ({ firstName, email: `${firstName}@example.com` }))
    const { requestId, signatoryIds } = await invite(tenant, { signatories })
    const [first, second] = await Promise.all(signatoryIds.map((id) => openLink(service, tenant, requestId, id)))
    server.fault = 'unavailable'
    await first!.sign()
    await untilTried('signer.sign')
    await second!.sign()
    server.fault = undefined
    const shown = `update signature_confirmation set documents = jsonb_set(documents, '{0,sha256}', to_jsonb($2::text))
      where signatory_id = $1`
    await service.database.asOwner(shown, [signatoryIds[0], '0'.repeat(64)])
    await tryNow('signer.sign', 2)
    await first!.pageIn('ready')
    await second!.pageIn('signed')
    await first!.sign()
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('one whose making ends the process of each worker that tries: the person is asked again', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    server.fault = 'unavailable'
    await browser.sign()
    await untilTried('signer.sign')
    server.fault = undefined
    await endItsWorkers('signer.sign')
    await browser.pageIn('ready')
    await browser.sign()
    await untilStatus(tenant, requestId, 'Closed')
  })

  test('a request that can not be sealed is in Error after the last try; retry seals it, and nothing else moves it', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const retry = () => tenant.call('POST', `/signing/signaturerequest/${requestId}/retry`)
    assert.equal((await retry()).json.classification, 'InvalidOperation')
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    // The person's own signature needs two timestamps, over itself and over the document; whatever comes after it fails.
    server.answersLeft = 2
    await browser.sign()
    await untilTried('signing.close')
    assert.equal((await readRequest(tenant, requestId)).json.status, 'Processing')
    await exhaust('signing.close')
    const failed = await untilStatus(tenant, requestId, 'Error')
    assert.match(failed.statusReason, /did not answer/)
    assert.equal(failed.documents[0].levelReached, 'B-LTA', 'what has been reached is told as it is')
    server.answersLeft = undefined
    const twenty = await Promise.all(Array.from({ length: 20 }, retry))
    assert.equal(twenty.filter(({ status }) => status === 200).length, 1)
    const closed = await untilStatus(tenant, requestId, 'Closed')
    assert.deepEqual([closed.statusReason, closed.documents[0].levelReached], [null, 'B-LTA'])
  })

  test('the evidence names our own authority where it stamped before the operator chose another', async () => {
    const timestampAuthority = async (requestId: string) => {
      const [row] = await service.database.asOwner(
        `select d.sha256 from signature_request r join stored_document d on d.id = r.evidence_json_document_id
          where r.id = $1`,
        [requestId],
      )
      const facts = await service.platform.blobs.read(tenant.tenantId, (row!['sha256'] as Buffer).toString('hex'))
      return JSON.parse(facts.toString()).timestampAuthority
    }
    const signatories = ['Aino', 'Björn'].map((firstName) => ({ firstName, email: `${firstName}@example.com` }))
    const { requestId, signatoryIds } = await invite(tenant, { signatories })
    const [first, second] = await Promise.all(signatoryIds.map((id) => openLink(service, tenant, requestId, id)))
    isOwnChosen = true
    await first!.sign()
    await first!.pageIn('signed')
    isOwnChosen = false
    await second!.sign()
    await untilStatus(tenant, requestId, 'Closed')
    assert.equal(await timestampAuthority(requestId), 'both')

    const later = await invite(tenant)
    await (await openLink(service, tenant, later.requestId, later.signatoryIds[0]!)).sign()
    await untilStatus(tenant, later.requestId, 'Closed')
    assert.equal(await timestampAuthority(later.requestId), 'outside')
  })

  test('a request whose sealing ends the process of each worker that tries is in Error, and can be sealed later', async () => {
    const { requestId, signatoryIds } = await invite(tenant)
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    server.answersLeft = 2
    await browser.sign()
    await untilTried('signing.close')
    server.answersLeft = undefined
    await endItsWorkers('signing.close')
    const failed = await untilStatus(tenant, requestId, 'Error')
    assert.ok(failed.statusReason.length > 0)
    assert.equal((await tenant.call('POST', `/signing/signaturerequest/${requestId}/retry`)).status, 200)
    await untilStatus(tenant, requestId, 'Closed')
  })
})
