import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { insertTrouble } from '#platform/troubles/trouble-statements.ts'
import { readTroubles, watchTrouble } from '#platform/troubles/troubles.ts'
import { startService, type TestService } from '../../../test/service.ts'
import { openHealth, readHealth } from '../../../test/health.ts'
import { until } from '../../../test/until.ts'
import { workerPlatform } from '../../../test/worker.ts'

describe('readiness', () => {
  let service: TestService

  before(async () => {
    service = await startService()
    await aWorkerIsAlive()
  })

  after(() => service.stop())

  const aWorkerIsAlive = () =>
    service.database.asOwner('insert into worker (id, seen_at) values (gen_random_uuid(), now())')
  const askReadiness = (isDatabaseUp = true) =>
    readHealth(service.platform, async () => {
      if (!isDatabaseUp) throw new Error('down')
    })

  test('an outside service that fails is degraded, with status 200, until it works again', async () => {
    const { platform, database } = service
    const worker = workerPlatform({ platform, secretKey: 'a secret key that is used in tests alone', database })
    const failing = watchTrouble(worker, 'timestamp authority', async () => {
      throw new Error('no answer')
    })
    await assert.rejects(failing, /no answer/)
    const degraded = await askReadiness()
    assert.equal(degraded.status, 200)
    assert.deepEqual(degraded.body, {
      status: 'degraded',
      checks: { database: 'ok', 'timestamp authority': 'degraded' },
    })
    assert.match(degraded.metrics, /countersign_degraded 1/)
    assert.match(degraded.metrics, /countersign_trouble{name="timestamp authority"} 1/)

    assert.equal(await watchTrouble(worker, 'timestamp authority', async () => 'answer'), 'answer')
    const { body, metrics } = await askReadiness()
    assert.deepEqual(body, { status: 'ready', checks: { database: 'ok' } })
    assert.match(metrics, /countersign_degraded 0/)
    assert.doesNotMatch(metrics, /countersign_trouble{/)
  })

  test('a trouble that another process has noted is over when the service works for this one', async () => {
    const { platform, database, clock } = service
    const worker = workerPlatform({ platform, secretKey: 'a secret key that is used in tests alone', database })
    const succeed = () => watchTrouble(worker, 'mail', async () => 'sent')
    await succeed()
    await database.asOwner(`insert into trouble (name, detail, since) values ('mail', 'noted by another', now())`)
    clock.advance(61_000)
    await succeed()
    assert.deepEqual(await readTroubles(platform), [])
  })

  test('a call that worked stays so where that can not be noted', async () => {
    const { platform } = service
    // The server may not write here; the call itself has been made.
    assert.equal(await watchTrouble(platform, 'mail', async () => 'sent'), 'sent')
  })

  test('a vital check that fails counts for more', async () => {
    const { status, body } = await askReadiness(false)
    assert.equal(status, 503)
    assert.deepEqual(body, { status: 'not ready', checks: { database: 'failing' } })
  })

  test('what failed and is well again is told at once, not when a good answer would be asked for anew', async () => {
    let isUp = false
    await using opened = openHealth(service.platform, async () => {
      if (!isUp) throw new Error('down')
    })
    const isReady = async () => (await opened.app.inject('/readyz')).statusCode === 200
    assert.ok(!(await isReady()))
    isUp = true
    const upAt = performance.now()
    await until('readiness', isReady)
    const tookMs = performance.now() - upAt
    assert.ok(tookMs < 1_500, `told after ${tookMs} ms`)
  })

  test('it is looked once for all who ask at the same moment, and for the next two seconds', async () => {
    let looks = 0
    await using opened = openHealth(service.platform, async () => {
      looks++
      await wait(50)
    })
    const ask = () => opened.app.inject('/readyz')
    await Promise.all(Array.from({ length: 20 }, ask))
    await ask()
    assert.equal(looks, 1)
  })

  test('the server itself may only read what is in trouble', async () => {
    const write = service.platform.db.systemTransaction((tx) =>
      insertTrouble.run(tx, { name: 'x', detail: 'x', now: service.clock.now() }),
    )
    await assert.rejects(write, { code: '42501' })
  })
})
