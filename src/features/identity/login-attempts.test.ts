import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { beginAttempt, inLine } from './login-attempts.ts'

describe('login attempts', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  function begin(tenantId: string, login: string): Promise<void> {
    const now = service.clock.now()
    return service.platform.db.transaction(tenantId, (tx) => beginAttempt(tx, { tenantId, login, now }))
  }

  test('fifty at once, as many processes would make them: ten pass', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => begin(acme.tenantId, index % 2 ? 'ada@example.com' : 'ADA@Example.com')),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 40)
    for (const { reason } of refused) assert.ok(reason instanceof AppError && reason.code === 1500)
  })

  test('of one tenant do not count in another', async () => {
    for (let attempt = 1; attempt <= 10; attempt++) await begin(acme.tenantId, 'bob@example.com')
    await assert.rejects(begin(acme.tenantId, 'bob@example.com'))
    await begin(other.tenantId, 'bob@example.com')
  })

  test('with one login run in line, in their order, and past those that fail', async () => {
    const order: number[] = []
    const line = { tenantId: acme.tenantId, login: 'carol@example.com' }
    const attempt = (index: number) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 3 - index))
      order.push(index)
      if (index === 1) throw new Error('refused')
    }
    const results = await Promise.allSettled([0, 1, 2].map((index) => inLine(line, attempt(index))))
    assert.deepEqual(order, [0, 1, 2])
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })
})
