import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService } from '../../test/service.ts'
import { workerPlatform } from '../../test/worker.ts'
import { recurringTasks } from './jobs.ts'

describe('what recurs for each tenant', () => {
  let service: TestService
  let worker: Platform

  before(async () => {
    service = await startService()
    worker = workerPlatform(service)
    for (const name of ['Acme', 'Bolt', 'Crew']) await service.createTenant(name)
  })
  after(() => service.stop())

  /** Runs a task and answers with the tenants whose rows it came to, and how it ended. */
  async function run(name: string, onTenant: (tenantId: string, place: number) => void, signal?: AbortSignal) {
    const seen: string[] = []
    const db: Platform['db'] = {
      ...worker.db,
      async transaction(tenantId, work, options) {
        if (!seen.includes(tenantId)) seen.push(tenantId)
        onTenant(tenantId, seen.indexOf(tenantId))
        return worker.db.transaction(tenantId, work, options)
      },
    }
    const task = recurringTasks({ ...worker, db }, signal).find((one) => one.name === name)!
    const error = await task.run(service.clock.now()).then(
      () => undefined,
      (reason: Error) => reason,
    )
    return { seen, error }
  }

  const names = ['forget old messages', 'end signature requests whose time is up', 'forget old usage of keys']
  for (const name of names) {
    test(`${name}: a tenant for which it fails keeps no other from its turn, and is named in the end`, async () => {
      const { seen, error } = await run(name, (_tenantId, place) => {
        if (place === 0) throw new Error('this tenant is broken')
      })
      assert.equal(new Set(seen).size, 3)
      assert.match(error!.message, new RegExp(`1 of 3 tenants, for ${seen[0]} first`))
      assert.match((error!.cause as Error).message, /broken/)
    })
  }

  test('attempts to sign in as nobody are forgotten, also where it fails for a tenant', async () => {
    const { seen, error } = await run('forget ended logins', (_tenantId, place) => {
      if (place === 0) throw new Error('this tenant is broken')
    })
    assert.equal(seen.length, 4)
    assert.match(error!.message, /1 of 3 tenants/)
  })

  test('ends after the tenant at which it is when the worker stops', async () => {
    const stopping = new AbortController()
    const { seen, error } = await run('forget old messages', () => stopping.abort(), stopping.signal)
    assert.equal(seen.length, 1)
    assert.equal(error!.name, 'AbortError')
  })
})
