import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { startMailServer, type MailServer } from '../../../test/fakes/mail-server.ts'
import { startSmsGateway, type FakeSmsGateway } from '../../../test/fakes/sms-gateway.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import type { TestWorker } from '../../../test/worker.ts'
import { newId } from '#platform/ids.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import { readTroubles } from '#platform/troubles/troubles.ts'
import {
  forgetRecipients,
  messageJobs,
  sendMessage,
  type FactsProvider,
  type MessageFacts,
  type NewMessage,
} from './index.ts'

const FACTS: MessageFacts = {
  address: 'aino@example.org',
  name: 'Aino Virtanen',
  sender: { organisation: 'Acme', department: 'Acme', person: null },
  subject: 'Lease of the upper floor',
  path: '/sign/abcdef',
}

describe('messages that are sent', () => {
  let mail: MailServer
  let sms: FakeSmsGateway
  let service: TestService
  let tenant: TestTenant
  let requestId: string
  let worker: TestWorker
  let facts: MessageFacts | undefined
  let meanwhile: (() => Promise<void>) | undefined

  before(async () => {
    mail = await startMailServer()
    sms = await startSmsGateway()
    service = await startService({
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      COUNTERSIGN_MAIL_FROM: 'Example Sign <sign@example.com>',
      COUNTERSIGN_SMS_URL: sms.url,
      COUNTERSIGN_PUBLIC_URL: 'https://sign.example.com',
    })
    tenant = await service.createTenant()
    requestId = await create(tenant.call, { status: 'Draft' })
    const say: FactsProvider = async () => {
      await meanwhile?.()
      return facts
    }
    const registry = {
      invitation: say,
      reminder: say,
      code: say,
      canceled: say,
      completed: say,
      userinvitation: say,
      passwordreset: say,
      webhookdisabled: say,
    }
    worker = service.startWorker({ handlers: (platform) => messageJobs(platform, registry) })
  })
  after(async () => {
    await service.stop()
    await mail.stop()
    await sms.stop()
  })
  beforeEach(() => {
    facts = FACTS
    meanwhile = undefined
    mail.received.length = 0
    sms.received.length = 0
  })
  afterEach(() => service.database.asOwner('delete from job'))

  function send(changes: Partial<NewMessage> = {}): Promise<string> {
    const { tenantId, rootDepartmentId: departmentId } = tenant
    const now = service.clock.now()
    const message = {
      tenantId,
      departmentId,
      kind: 'invitation',
      channel: 'email',
      language: 'en',
      requestId,
      now,
    } as const
    return service.platform.db.transaction(tenantId, (tx) => sendMessage(tx, { ...message, ...changes }))
  }

  const inState = (id: string, state: string) =>
    until(`the message ${state}`, async () => {
      const [row] = await service.database.asOwner(`select * from message where id = $1 and state = $2`, [id, state])
      return row
    })

  const afterAttempts = (id: string, attempts: number) =>
    until(`${attempts} attempts that failed`, async () => {
      const [row] = await service.database.asOwner(
        `select m.* from message m join job j on j.payload ->> 'messageId' = m.id::text
          where m.id = $1 and m.attempts = $2 and j.attempt = $2`,
        [id, attempts],
      )
      return row
    })

  async function retryNow(): Promise<void> {
    await service.database.asOwner('update job set run_at = now()')
    worker.worker.wake()
  }

  async function eventsOf(messageId: string) {
    const { json } = await tenant.call('GET', `/event/signaturerequest/${requestId}?pageSize=500`)
    return (json.items as { eventType: string; data: Record<string, unknown> }[])
      .filter(({ data }) => data['messageId'] === messageId)
      .map(({ eventType, data: { messageId: _id, ...data } }) => ({ eventType, ...data }))
  }

  test('arrive by e-mail, and the history says so without the address', async () => {
    const id = await send()
    await inState(id, 'sent')
    const [received] = mail.received
    assert.deepEqual(received!.to, ['aino@example.org'])
    assert.deepEqual(received!.headers['message-id'], [`<${id}@example.com>`])
    assert.match(received!.text, /https:\/\/sign\.example\.com\/sign\/abcdef/)
    assert.deepEqual(await eventsOf(id), [{ eventType: 'signatorymessagesent', kind: 'invitation', channel: 'email' }])
    const [row] = await service.database.asOwner(`select message::text as everything from message where id = $1`, [id])
    assert.doesNotMatch(String(row!['everything']), /abcdef/, 'no link in the database')
  })

  test('at the end of a request have the log stamped soon, since its evidence is fetched then', async () => {
    const isStampedSoon = async (kind: 'reminder' | 'completed') => {
      await inState(await send({ kind }), 'sent')
      const newest = 'select stamp_soon from log_queue where request_id = $1 order by sequence desc limit 1'
      return (await service.database.asOwner(newest, [requestId]))[0]!['stamp_soon']
    }
    assert.deepEqual([await isStampedSoon('reminder'), await isStampedSoon('completed')], [false, true])
  })

  test('arrive as text messages', async () => {
    facts = {
      ...FACTS,
      address: '+358401234567',
      code: { digits: '908172', expiresAt: new Date('2030-01-01T10:00:00Z') },
    }
    const id = await send({ kind: 'code', channel: 'sms', language: 'sv', referenceId: newId() })
    await inState(id, 'sent')
    assert.deepEqual(sms.received[0]!.body, {
      to: '+358401234567',
      text: '908172 är din kod för Acme. Den gäller till kl. 10:00 UTC. Lämna inte ut den till någon.',
    })
    const [row] = await service.database.asOwner(`select message::text as everything from message where id = $1`, [id])
    assert.doesNotMatch(String(row!['everything']), /908172/, 'no code in the database')
  })

  test('that the server took and then broke off are sent again under the same Message-ID', async () => {
    mail.moods.push('reset')
    const id = await send()
    await afterAttempts(id, 1)
    await retryNow()
    await inState(id, 'sent')
    const ids = mail.received.map(({ headers }) => headers['message-id']![0])
    assert.deepEqual(ids, [`<${id}@example.com>`, `<${id}@example.com>`])
    assert.equal((await eventsOf(id)).length, 1, 'told once')
  })

  test('that a busy server refuses are tried again, and readiness knows of the trouble meanwhile', async () => {
    mail.moods.push({ recipient: 451 })
    const id = await send()
    const row = await afterAttempts(id, 1)
    assert.equal(row['problem'], 'the mail server said 451')
    assert.deepEqual(await readTroubles(service.platform), ['mail'])
    assert.deepEqual(await eventsOf(id), [])
    await retryNow()
    await inState(id, 'sent')
    assert.deepEqual(await readTroubles(service.platform), [])
  })

  test('that are refused for good are given up at once, and the history says why', async () => {
    mail.moods.push({ recipient: 550 })
    const id = await send()
    await inState(id, 'failed')
    assert.deepEqual(await eventsOf(id), [
      {
        eventType: 'signatorymessagefailed',
        kind: 'invitation',
        channel: 'email',
        problem: 'the mail server said 550',
      },
    ])
    assert.deepEqual(await readTroubles(service.platform), [], 'one wrong address is no trouble of the server')
    assert.deepEqual(await service.database.asOwner('select from job'), [])
  })

  test('are given up after the last of all tries', async () => {
    mail.moods.push({ recipient: 451 }, { recipient: 451 })
    const id = await send()
    await afterAttempts(id, 1)
    await service.database.asOwner('update job set attempt = $1', [RETRY_AFTER_S.length])
    await retryNow()
    await inState(id, 'failed')
    assert.equal((await eventsOf(id))[0]!.eventType, 'signatorymessagefailed')
  })

  test('go to one person, whatever the address field holds', async () => {
    facts = { ...FACTS, address: Array.from({ length: 100 }, (_, n) => `p${n}@example.org`).join(',') }
    const id = await send()
    await inState(id, 'failed')
    assert.deepEqual(mail.received, [])
  })

  test('have no headers but ours, whatever names and subject hold', async () => {
    facts = {
      ...FACTS,
      name: 'Aino\r\nBcc: eve@example.net',
      subject: 'Lease\r\nBcc: eve@example.net\r\n\r\nHello',
      sender: { organisation: 'Acme\r\nReply-To: eve@example.net', department: 'x', person: null },
    }
    const id = await send()
    await inState(id, 'sent')
    const [{ headers, to }] = mail.received as [(typeof mail.received)[number]]
    assert.deepEqual(to, ['aino@example.org'])
    assert.equal(headers['bcc'], undefined)
    assert.equal(headers['reply-to'], undefined)
  })

  test('are dropped where there is nothing left to say', async () => {
    facts = undefined
    const id = await send()
    await inState(id, 'dropped')
    assert.deepEqual(mail.received, [])
    assert.deepEqual(await eventsOf(id), [])
  })

  test('to somebody who is forgotten meanwhile: the address does not come back, and nothing more is sent', async () => {
    const { tenantId } = tenant
    const signatoryId = newId()
    const forget = () =>
      service.platform.db.transaction(tenantId, (tx) =>
        forgetRecipients(tx, { tenantId, requestIds: [requestId], signatoryIds: [signatoryId] }),
      )
    const untilOver = async (id: string) => {
      await until('the end of its job', async () => (await service.database.asOwner('select from job')).length === 0)
      const [row] = await service.database.asOwner('select state, recipient from message where id = $1', [id])
      return row
    }
    meanwhile = forget
    assert.deepEqual(await untilOver(await send({ signatoryId })), { state: 'dropped', recipient: null })
    assert.deepEqual(mail.received, [])

    meanwhile = undefined
    mail.moods.push({ slowMs: 1_000 })
    const id = await send({ signatoryId })
    await until('the first try', async () => {
      const [row] = await service.database.asOwner('select attempts from message where id = $1', [id])
      return row!['attempts'] === 1
    })
    await forget()
    assert.equal((await untilOver(id))!['recipient'], null)
  })

  test('exist only if the change that wanted them does', async () => {
    const { tenantId, rootDepartmentId: departmentId } = tenant
    const message = { tenantId, departmentId, kind: 'invitation', channel: 'email', language: 'en' } as const
    const change = service.platform.db.transaction(tenantId, async (tx) => {
      await sendMessage(tx, { ...message, now: service.clock.now() })
      throw new Error('the change failed')
    })
    await assert.rejects(change, /the change failed/)
    assert.deepEqual(await service.database.asOwner('select from job'), [])
  })

  test('can not be read by anybody else', async () => {
    const id = await send()
    await inState(id, 'sent')
    const { status, json } = await tenant.asAdministrator('GET', `/messages/${id}`)
    assert.equal(status, 400)
    assert.equal(json.code, 7900)
  })
})
