import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { appendEvents, historyKeys, SYSTEM } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { checkHistory } from './check-history.ts'
import { proveHistory } from './prove-history.ts'
import { asWorker, logEverything, newSubject, writeHistory } from './testing/log.ts'
import { verifyHistory } from './verify-history.ts'

describe('a history that goes on while it is read', () => {
  let service: TestService
  let worker: Platform
  let acme: TestTenant

  before(async () => {
    service = await startService()
    worker = asWorker(service)
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const name = (requestId: string) =>
    ({
      tenantId: acme.tenantId,
      requestId,
      requestKind: 'signaturerequest',
      keyring: service.platform.keyring,
    }) as const

  /** One more event happens and is logged. */
  async function goOn(requestId: string): Promise<void> {
    const subject = { ...newSubject(acme), requestId }
    const event = { type: 'signatorymessagesent', actor: SYSTEM, data: {} }
    await service.platform.db.transaction(acme.tenantId, (tx) =>
      appendEvents(tx, subject, [event], service.clock.now()),
    )
    await logEverything(worker)
  }

  /** Reads in a transaction in which the history goes on so many times after its events were read. */
  function readWhile<T>(requestId: string, { times, isReadOnly }: Going, read: (tx: Tx) => Promise<T>): Promise<T> {
    let left = times
    return service.platform.db.transaction(
      acme.tenantId,
      (tx) =>
        read({
          ...tx,
          async query(statement, text, values) {
            if (statement === 'countWaiting' && left-- > 0) await goOn(requestId)
            return tx.query(statement, text, values)
          },
        }),
      { isReadOnly },
    )
  }
  type Going = { times: number; isReadOnly: boolean }

  for (const isReadOnly of [true, false]) {
    const where = isReadOnly ? 'a reading call' : 'a transaction'
    test(`in ${where}: is whole, and does not look as if its end had been cut off`, async () => {
      const requestId = await writeHistory(service, acme)
      await logEverything(worker)
      const keys = historyKeys(service.platform.keyring).map(({ publicKey }) => publicKey)
      const proof = await readWhile(requestId, { times: 2, isReadOnly }, (tx) => proveHistory(tx, name(requestId)))
      const verdict = verifyHistory(JSON.parse(JSON.stringify(proof)), keys)
      assert.ok(verdict.isIntact, JSON.stringify(verdict))
      assert.deepEqual([verdict.events, verdict.log?.logged], [5, 5])
      const checked = await readWhile(requestId, { times: 1, isReadOnly }, (tx) =>
        checkHistory(tx, { ...name(requestId), anchors: [] }),
      )
      assert.equal(checked.problem, null)
      assert.equal(checked.loggedCount, 6)
    })
  }
})
