import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import { MOST_CLAIMS } from '#platform/jobs/worker.ts'
import { startService, type TestService, type TestTenant } from '../../../../test/service.ts'
import { create } from '../../../../test/signature-requests.ts'
import { readRequest } from '../../../../test/signing-flow.ts'
import { until } from '../../../../test/until.ts'
import type { TestWorker } from '../../../../test/worker.ts'

describe('preparing the documents of a request', () => {
  let service: TestService
  let worker: TestWorker
  let tenant: TestTenant
  before(async () => {
    service = await startService()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  const away = () => `${service.blobFolder}.away`
  /** The storage is not there: what is read or written fails. */
  const takeStorageAway = () => {
    renameSync(service.blobFolder, away())
    mkdirSync(service.blobFolder)
  }
  const bringStorageBack = () => {
    rmSync(service.blobFolder, { recursive: true })
    renameSync(away(), service.blobFolder)
  }
  const tryAgain = async (attempt: number) => {
    await service.database.asOwner(`update job set attempt = $1, run_at = now() where queue = 'signing.prepare'`, [
      attempt,
    ])
    worker.worker.wake()
    await until('the try', async () => {
      const rows = await service.database.asOwner(`select attempt from job where queue = 'signing.prepare'`)
      return rows.every((row) => Number(row['attempt']) > attempt)
    })
  }
  const untilTried = () =>
    until('the first try', async () => {
      const rows = await service.database.asOwner(`select from job where queue = 'signing.prepare' and attempt > 0`)
      return rows.length === 1
    })
  const untilInvited = (requestId: string) =>
    until('the invitation', async () => {
      const { json } = await readRequest(tenant, requestId)
      return json.signatories[0].state === 'Invited' && json
    })
  const failures = async (requestId: string) => {
    const { json } = await tenant.call('GET', `/event/signaturerequest/${requestId}`)
    const items = json.items as { eventType: string; data: { isLastTry: boolean } }[]
    return items.filter((e) => e.eventType === 'signaturerequestpreparationfailed').map(({ data }) => data.isLastTry)
  }

  test('keeps failing: the request says so, a person can have it tried again, and it goes on from there', async () => {
    const requestId = await create(tenant.call, { signingAuthenticationStrength: 'None' })
    const retry = () => tenant.call('POST', `/signing/signaturerequest/${requestId}/retry`)
    assert.equal((await retry()).json.classification, 'InvalidOperation', 'nothing has failed yet')
    takeStorageAway()
    worker = service.startWorker()
    try {
      await untilTried()
      assert.equal((await readRequest(tenant, requestId)).json.statusReason, null, 'it may pass by itself')
      await tryAgain(3)
      const { status, statusReason } = (await readRequest(tenant, requestId)).json
      assert.equal(status, 'Open')
      assert.equal(statusReason, 'The stored document is missing.')
      assert.deepEqual(await failures(requestId), [false])
      await tryAgain(5)
      assert.deepEqual(await failures(requestId), [false], 'once is enough')
      await tryAgain(RETRY_AFTER_S.length)
      assert.deepEqual(await service.database.asOwner(`select from job where queue = 'signing.prepare'`), [])
      assert.deepEqual(await failures(requestId), [false, true])
    } finally {
      bringStorageBack()
    }
    const again = await retry()
    assert.equal(again.status, 200, again.text)
    const prepared = await untilInvited(requestId)
    assert.equal(prepared.statusReason, null)
    assert.equal((await retry()).json.classification, 'InvalidOperation', 'there is nothing to repeat any more')
  })

  test('ends the process of each worker that tries: the request says so, and a person can have it tried again', async () => {
    const requestId = await create(tenant.call, { signingAuthenticationStrength: 'None', status: 'Draft' })
    takeStorageAway()
    try {
      await tenant.call('POST', `/signing/signaturerequest/${requestId}/open`)
      await untilTried()
    } finally {
      bringStorageBack()
    }
    const given = `update job set claims = $1, run_at = now() where queue = 'signing.prepare'`
    await service.database.asOwner(given, [MOST_CLAIMS])
    worker.worker.wake()
    await until('the reason', async () => (await readRequest(tenant, requestId)).json.statusReason !== null)
    assert.deepEqual(await failures(requestId), [true])
    assert.equal((await tenant.call('POST', `/signing/signaturerequest/${requestId}/retry`)).status, 200)
    await untilInvited(requestId)
  })

  test('is tried at once when a person asks, though its next try is hours away', async () => {
    const requestId = await create(tenant.call, { signingAuthenticationStrength: 'None', status: 'Draft' })
    takeStorageAway()
    try {
      await tenant.call('POST', `/signing/signaturerequest/${requestId}/open`)
      await untilTried()
      await tryAgain(5)
    } finally {
      bringStorageBack()
    }
    assert.equal((await tenant.call('POST', `/signing/signaturerequest/${requestId}/retry`)).status, 200)
    await untilInvited(requestId)
  })
})
