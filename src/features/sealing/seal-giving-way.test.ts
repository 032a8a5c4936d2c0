import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JobHandler, JobRun } from '#platform/jobs/job-handler.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { until } from '../../../test/until.ts'
import { sealingJobs } from './index.ts'
import { openWith, waitFor } from './testing/sealer.ts'

describe('sealing beside people who sign', () => {
  let service: TestService
  let acme: TestTenant
  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  /** The sealing, whose every giving way goes through `pass`. */
  function sealing(platform: Platform, steps: string[], pass: () => Promise<void>): JobHandler[] {
    const watch = (job: JobRun): JobRun => ({
      ...job,
      giveWay: async () => {
        steps.push('gives way')
        await pass()
        await job.giveWay()
      },
    })
    const handlers = sealingJobs(platform, { at: (point) => void steps.push(point) })
    return handlers.map((handler) => ({ ...handler, run: (job) => handler.run(watch(job)) }))
  }

  test('gives way before each of its steps, so that nobody waits for more than one of them', async () => {
    const steps: string[] = []
    const worker = service.startWorker({ handlers: (platform) => sealing(platform, steps, async () => {}) })
    await waitFor(acme.call, await openWith(acme.call, [makePdf()]), 'Processed')
    await worker.stop()
    const [begin, load, sign, stamp, archive, judge, keep, publish] = Array<string>(8).fill('gives way')
    assert.deepEqual(steps, [begin, 'begun', load, sign, stamp, archive, judge, 'sealed', keep, 'all-sealed', publish])
  })

  test('shows nothing of a request that waits at its last step', async () => {
    const steps: string[] = []
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const pass = () => (steps.includes('all-sealed') ? isOver : Promise.resolve())
    const worker = service.startWorker({ handlers: (platform) => sealing(platform, steps, pass) })
    const id = await openWith(acme.call, [makePdf('held')])
    await until('the last step', async () => steps.at(-1) === 'gives way' && steps.includes('all-sealed'))
    assert.equal((await acme.call('GET', `/sealing/sealingrequest/${id}`)).json.status, 'Processing')
    end()
    await waitFor(acme.call, id, 'Processed')
    await worker.stop()
  })
})
