import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { MOST_CLAIMS } from '#platform/jobs/worker.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import { sealingJobs } from './index.ts'
import type { SealPoint } from './seal-request.ts'
import { documentsOf, eventsOf, fetchFile, openWith, requireOneSeal, waitFor } from './testing/sealer.ts'

describe('sealing that is cut off', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })

  after(() => service.stop())

  /** Handlers that tell where the work stands; what `at` throws cuts it off there. */
  const watched = (at: (point: SealPoint) => Promise<void> | void) => ({
    handlers: (platform: Platform) => sealingJobs(platform, { at }),
  })

  async function requireSealedOnce(id: string): Promise<void> {
    for (const { documentURI, sourceDocumentURI } of await documentsOf(acme.call, id)) {
      assert.notEqual(documentURI, sourceDocumentURI)
      await requireOneSeal(service, await fetchFile(acme.call, documentURI))
    }
    const types = (await eventsOf(service, id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'sealingrequestprocessed').length, 1)
  }

  for (const point of ['begun', 'sealed', 'kept', 'all-sealed'] as const) {
    test(`at "${point}": the next try finishes, each document has one seal, nothing was visible before`, async () => {
      let cuts = 0
      const worker = service.startWorker(
        watched((reached) => {
          if (reached === point && cuts++ === 0) throw new Error(`cut off at ${point}`)
        }),
      )
      const id = await openWith(acme.call, [makePdf(`${point} one`), makePdf(`${point} two`)])
      await until('the cut', async () => cuts > 0)
      await until('the failure to be noted', async () => {
        const rows = await service.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [id])
        return rows[0]?.['attempt'] === 1
      })
      for (const { documentURI, sourceDocumentURI } of await documentsOf(acme.call, id)) {
        assert.equal(documentURI, sourceDocumentURI)
      }
      service.clock.advance(60_000)
      worker.worker.wake()
      await waitFor(acme.call, id, 'Processed')
      await requireSealedOnce(id)
      await worker.stop()
    })
  }

  test('a request that ends the process of each worker that tries is in Error, and can be sealed once that is mended', async () => {
    const id = await openWith(acme.call, [makePdf('fatal')])
    await service.database.asOwner(`update job set claims = $2 where payload ->> 'requestId' = $1`, [id, MOST_CLAIMS])
    const worker = service.startWorker({})
    const { statusReason } = await waitFor(acme.call, id, 'Error')
    assert.match(statusReason, /again and again/)
    const types = (await eventsOf(service, id)).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'sealingrequestfailed').length, 1)
    const { status, text } = await acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Open' })
    assert.ok(status < 300, text)
    await waitFor(acme.call, id, 'Processed')
    await requireSealedOnce(id)
    await worker.stop()
  })

  test('a retry takes what is sealed already and seals only the rest', async () => {
    const points: SealPoint[] = []
    let isCut = true
    const worker = service.startWorker(
      watched((point) => {
        points.push(point)
        if (point === 'all-sealed' && isCut) throw new Error('cut off')
      }),
    )
    const id = await openWith(acme.call, [makePdf('a'), makePdf('b'), makePdf('c')])
    await until('the first try', async () => points.includes('all-sealed'))
    const before = points.filter((point) => point === 'sealed').length
    isCut = false
    service.clock.advance(60_000)
    worker.worker.wake()
    await waitFor(acme.call, id, 'Processed')
    assert.equal(before, 3)
    assert.equal(points.filter((point) => point === 'sealed').length, 4)
    await requireSealedOnce(id)
    await worker.stop()
  })

  test('a try that fails has ended for each of its documents before it counts as failed', async () => {
    const points: SealPoint[] = []
    const worker = service.startWorker(
      watched(async (point) => {
        points.push(point)
        const reached = points.filter((one) => one === 'sealed').length
        if (point === 'sealed' && reached === 1) throw new Error('cut off')
        if (point === 'sealed' && reached === 2) await wait(1_000)
      }),
    )
    const id = await openWith(acme.call, [makePdf('fails'), makePdf('takes long'), makePdf('comes last')])
    await until('the failure to be noted', async () => {
      const rows = await service.database.asOwner(`select attempt from job where payload ->> 'requestId' = $1`, [id])
      return rows[0]?.['attempt'] === 1
    })
    assert.deepEqual(points, ['begun', 'sealed', 'sealed', 'kept'])
    service.clock.advance(60_000)
    worker.worker.wake()
    await waitFor(acme.call, id, 'Processed')
    await requireSealedOnce(id)
    await worker.stop()
  })

  test('a worker that lost its lease comes back too late: the other’s files stand, and each has one seal', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let isHeld = false
    const late = service.startWorker(
      watched(async (point) => {
        if (point !== 'all-sealed') return
        isHeld = true
        await held
      }),
    )
    const id = await openWith(acme.call, [makePdf('late')])
    await until('the first worker to hang', async () => isHeld)
    const quick = service.startWorker(watched(() => {}))
    await service.database.asOwner(
      `update bucket_lease set owner = $1, generation = generation + 1, expires_at = now() + interval '10 seconds' where bucket = $2`,
      [quick.worker.owner, bucketOf(acme.tenantId)],
    )
    await waitFor(acme.call, id, 'Processed').finally(letGo)
    const [published] = await documentsOf(acme.call, id)
    await late.stop()
    assert.deepEqual(await documentsOf(acme.call, id), [published])
    await requireSealedOnce(id)
    await quick.stop()
  })

  test('a request that is canceled before its turn is never sealed', async () => {
    const id = await openWith(acme.call, [makePdf('canceled')])
    const canceled = await acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Canceled' })
    assert.equal(canceled.json.status, 'Canceled')
    const worker = service.startWorker(watched(() => {}))
    await until('the job to end', async () => {
      const rows = await service.database.asOwner(`select 1 from job where payload ->> 'requestId' = $1`, [id])
      return rows.length === 0
    })
    const [document] = await documentsOf(acme.call, id)
    assert.equal(document!.documentURI, document!.sourceDocumentURI)
    await worker.stop()
  })

  test('a request that is being sealed can’t be canceled any more', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    const worker = service.startWorker(watched((point) => (point === 'begun' ? held : undefined)))
    const id = await openWith(acme.call, [makePdf('processing')])
    await waitFor(acme.call, id, 'Processing')
    const refused = await acme.call('PUT', `/sealing/sealingrequest/${id}`, { status: 'Canceled' })
    assert.equal(refused.status, 400)
    assert.equal(refused.json.classification, 'InvalidOperation')
    letGo()
    await waitFor(acme.call, id, 'Processed')
    await worker.stop()
  })
})
