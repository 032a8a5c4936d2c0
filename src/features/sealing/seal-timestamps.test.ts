import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
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

  before(async () => {
    const { tsaSigner } = await makeTestAuthority('ES256', new Date())
    const file = join(folder, 'authority.pem')
    writeFileSync(file, certificatePem(tsaSigner.certificate))
    server = await startTimestampServer(tsaSigner, () => service.clock.now())
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

  for (const fault of ['unavailable', 'html', 'wrong-digest', 'broken-signature'] as const satisfies TimestampFault[]) {
    test(`while it fails (${fault}) nothing is lost or lowered: degraded, tried again, then sealed`, async () => {
      server.fault = fault
      const id = await openWith(acme.call, [makePdf(fault)])
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
      service.clock.advance(60_000)
      worker.worker.wake()
      await waitFor(acme.call, id, 'Processed')
      const [document] = await documentsOf(acme.call, id)
      await requireOneSeal(service, await fetchFile(acme.call, document!.documentURI))
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
