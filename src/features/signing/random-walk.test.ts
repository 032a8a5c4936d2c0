// Many operations in a random order, several at a time. Whatever they did to each other, what must always hold still does.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type Caller, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, forceStatus, requireRightCounts, requireWholeHistories } from '../../../test/signature-requests.ts'
import { REQUEST_STATUSES } from './signature-request.ts'

const WALKERS = 6
const STEPS = 15

describe('a random walk', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  test('leaves counters, histories and totals right', async () => {
    const callers: Caller[] = [acme.call]
    for (const name of ['Sales', 'Legal']) callers.push((await addDepartment(service, acme, name)).call)
    const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!
    const ids = [await create(acme.call, { status: 'Draft' })]
    await forceStatus(service, await create(acme.call), 'Closed')

    const steps: (() => Promise<{ status: number } | undefined>)[] = [
      async () => void ids.push(await create(pick(callers), { status: pick(['Draft', 'Open']) })),
      () => acme.call('POST', `/signing/signaturerequest/${pick(ids)}/open`),
      () => acme.call('POST', `/signing/signaturerequest/${pick(ids)}/cancel`),
      () =>
        acme.call('PATCH', `/archiving/signaturerequest/${pick(ids)}`, {
          status: pick(['Archiving', 'Archived', 'ArchivingFailed']),
        }),
    ]
    const walk = async () => {
      for (let step = 0; step < STEPS; step++) {
        const reply = await pick(steps)()
        assert.ok(reply === undefined || reply.status < 500)
      }
    }
    await Promise.all(Array.from({ length: WALKERS }, walk))

    await requireRightCounts(service)
    await requireWholeHistories(service)
    for (const call of callers) {
      const whole = (await call('GET', '/signing/signaturerequest?take=500')).json
      assert.equal(whole.total, whole.items.length)
      for (const status of REQUEST_STATUSES) {
        const { json } = await call('GET', `/signing/signaturerequest?status=${status}&take=500`)
        const expected = whole.items.filter((item: { status: string }) => item.status === status)
        assert.equal(json.total, expected.length)
        assert.deepEqual(json.items, expected)
      }
    }
  })
})
