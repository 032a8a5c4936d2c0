import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { recheckServices } from '#main/recheck-services.ts'
import { makeTestAuthority } from '#pades/testing/authority.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import { readTroubles } from '#platform/troubles/troubles.ts'
import { certificatePem } from '../../../test/fakes/openssl.ts'
import {
  startTimestampServer,
  type TimestampFault,
  type TimestampServer,
} from '../../../test/fakes/timestamp-server.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'
import { documentsOf, fetchFile, openWith, requireOneSeal, waitFor } from './testing/sealer.ts'

describe('sealing with an outside timestamp authority', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-tsa-'))
  let service: TestService
  let worker: TestWorker
  let acme: TestTenant
  let server: TimestampServer
  /** How far its clock is ahead of ours, at least: its tokens tell whole seconds. */
  let aheadMs = 0
  const authorityTime = () => {
    const time = service.clock.now().getTime() + aheadMs
    if (aheadMs > 0) return new Date(Math.ceil(time / 1000) * 1000)
    return new Date(aheadMs < 0 ? time - 1000 : time)
  }

  before(async () => {
    const { tsaSigner } = await makeTestAuthority('ES256', new Date())
    const file = join(folder, 'authority.pem')
    writeFileSync(file, certificatePem(tsaSigner.certificate))
    server = await startTimestampServer(tsaSigner, authorityTime)
    service = await startService({ COUNTERSIGN_TSA_URL: server.url, COUNTERSIGN_TSA_CA_FILE: file })
    worker = service.startWorker({ stampsLog: false })
    acme = await service.createTenant('Acme')
  })

  after(async () => {
    await service.stop()
    await server.close()
    rmSync(folder, { recursive: true })
  })

  test('its timestamps are in the file, and the seal reaches B-LTA', async () => {
    const before = server.requests
    const id = await openWith(acme.call, [makePdf('Stamped')])
    await waitFor(acme.call, id, 'Processed')
    const [document] = await documentsOf(acme.call, id)
    await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
    assert.equal(server.requests - before, 2, 'one for the signature, one for the archive')
  })

  type Failure = [name: string, fault: TimestampFault | undefined, aheadMs: number]
  const failures: Failure[] = [
    ...(['unavailable', 'html', 'wrong-digest', 'broken-signature'] as const).map((fault): Failure => [
      fault,
      fault,
      0,
    ]),
    ['six seconds ahead', undefined, 6_000],
    ['six seconds behind', undefined, -6_000],
  ]
  for (const [name, fault, offMs] of failures) {
    test(`while it fails (${name}) nothing is lost or lowered: degraded, tried again, then sealed`, async () => {
      server.fault = fault
      aheadMs = offMs
      const id = await openWith(acme.call, [makePdf(name)])
      await until('the failure', async () => (await readTroubles(service.platform)).includes('timestamp authority'))
      await until('the try to be counted', async () => {
        const rows = await service.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [id])
        return rows[0]?.['attempt'] === 1
      })
      const { json } = await acme.call('GET', `/sealing/sealingrequest/${id}`)
      assert.equal(json.status, 'Processing')
      const [waiting] = await documentsOf(acme.call, id)
      assert.equal(waiting!.documentURI, waiting!.sourceDocumentURI)

      server.fault = undefined
      aheadMs = 0
      service.clock.advance(60_000)
      worker.worker.wake()
      await waitFor(acme.call, id, 'Processed')
      const [document] = await documentsOf(acme.call, id)
      await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
      assert.deepEqual(await readTroubles(service.platform), [])
    })
  }

  test('one whose clock is a little ahead is used like any other', async () => {
    aheadMs = 1
    const id = await openWith(acme.call, [makePdf('A little')])
    await waitFor(acme.call, id, 'Processed')
    assert.deepEqual(await readTroubles(service.platform), [])
    const [{ amount } = {}] = await service.database.asOwner(
      'select count(*)::int as amount from job where attempt > 0',
    )
    assert.equal(amount, 0, 'at the first try')
    aheadMs = 0
  })

  for (const [name, offMs] of [
    ['one whose clock is three seconds ahead is used, and told of until the clocks agree', 3_000],
    ['one whose clock is three seconds behind is used, and told of until the clocks agree', -3_000],
  ] as const) {
    test(name, async () => {
      const direction = offMs > 0 ? 'ahead' : 'behind'
      aheadMs = offMs
      const id = await openWith(acme.call, [makePdf(direction)])
      await waitFor(acme.call, id, 'Processed')
      const [document] = await documentsOf(acme.call, id)
      await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
      assert.deepEqual(await readTroubles(service.platform), ['timestamp clock'])
      const [{ detail } = {}] = await service.database.asOwner('select detail from trouble')
      assert.match(String(detail), new RegExp(`^the clock of the timestamp authority is [234]\\.\\d s ${direction}`))

      await recheckServices(worker.platform)
      assert.deepEqual(await readTroubles(service.platform), ['timestamp clock'], 'it is still so')
      aheadMs = 0
      await recheckServices(worker.platform)
      assert.deepEqual(await readTroubles(service.platform), [])
    })
  }

  test('one that never comes back: Error after the last try, and Open tries again', async () => {
    server.fault = 'unavailable'
    const id = await openWith(acme.call, [makePdf('Never')])
    await until('the first try', async () => {
      const rows = await service.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [id])
      return rows[0]?.['attempt'] === 1
    })
    const lastTry = `update job set attempt = $2, run_at = now() where payload ->> 'requestId' = $1`
    await service.database.asOwner(lastTry, [id, RETRY_AFTER_S.length])
    worker.worker.wake()
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /did not answer/)
    server.fault = undefined
    await acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })
    await waitFor(acme.call, id, 'Processed')
  })
})
