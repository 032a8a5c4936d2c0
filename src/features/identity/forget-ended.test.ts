import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { forgetEnded } from './forget-ended.ts'
import { beginAttempt } from './login-attempts.ts'

describe('failures and revocations', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant('Acme')
    other = await service.createTenant('Other')
  })
  after(() => service.stop())

  async function countRows(): Promise<unknown> {
    const rows = await service.database.asOwner(
      `select (select count(*)::int from login_failure) as failures, (select count(*)::int from revoked_token) as tokens`,
    )
    return rows[0]
  }
  const inTenant = ({ tenantId }: TestTenant, work: typeof forgetEnded) =>
    service.platform.db.transaction(tenantId, (tx) => work(tx, { tenantId, now: service.clock.now() }))
  const fail: typeof forgetEnded = (tx, call) => beginAttempt(tx, { ...call, login: 'ada@example.com' })

  test('go when they have no effect any more, and not before', async () => {
    await inTenant(acme, fail)
    await inTenant(other, fail)
    await acme.asAdministrator('POST', '/identity/logout')
    await inTenant(acme, forgetEnded)
    assert.deepEqual(await countRows(), { failures: 2, tokens: 1 })
    service.clock.advance(17 * 60_000)
    await inTenant(acme, forgetEnded)
    assert.deepEqual(await countRows(), { failures: 1, tokens: 1 })
    assert.equal((await acme.asAdministrator('GET', '/identity/me')).status, 401)
    service.clock.advance(60 * 60_000)
    await inTenant(acme, forgetEnded)
    assert.deepEqual(await countRows(), { failures: 1, tokens: 0 })
    assert.equal((await acme.asAdministrator('GET', '/identity/me')).status, 401)
  })
})
