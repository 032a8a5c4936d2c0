import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { invite, messagesOf, untilQuiet } from '../../../test/signing-flow.ts'
import type { TestWorker } from '../../../test/worker.ts'
import { forgetOldMessages, KEEP_MESSAGES_DAYS } from './forget-old.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('old messages', () => {
  let service: TestService
  let worker: TestWorker
  let tenant: TestTenant
  before(async () => {
    service = await startService()
    worker = service.startWorker()
    tenant = await service.createTenant()
  })
  after(() => service.stop())

  const forget = (days: number) =>
    forgetOldMessages(worker.platform, tenant.tenantId, new Date(service.clock.now().getTime() + days * DAY_MS))

  test('are forgotten with their addresses, and the history still says that they went out', async () => {
    const { requestId } = await invite(tenant)
    await untilQuiet(service)
    assert.equal((await messagesOf(service, requestId)).length, 1)
    await forget(KEEP_MESSAGES_DAYS - 1)
    assert.equal((await messagesOf(service, requestId)).length, 1, 'not before their time')
    await forget(KEEP_MESSAGES_DAYS + 1)
    assert.equal((await messagesOf(service, requestId)).length, 0)
    const { json } = await tenant.call('GET', `/event/signaturerequest/${requestId}`)
    assert.ok(json.items.some(({ eventType }: { eventType: string }) => eventType === 'signatorymessagekept'))
  })

  test('of another tenant, and those that still wait, stay', async () => {
    const other = await service.createTenant('Other')
    const { requestId } = await invite(other)
    const waiting = await invite(tenant)
    await untilQuiet(service)
    await service.database.asOwner(`update message set state = 'waiting' where request_id = $1`, [waiting.requestId])
    await forget(KEEP_MESSAGES_DAYS + 1)
    assert.equal((await messagesOf(service, requestId)).length, 1)
    assert.equal((await messagesOf(service, waiting.requestId)).length, 1)
  })
})
