import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { addDepartment } from '../../../test/departments.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { writeLetter } from '../messages/letter.ts'
import { writeText } from '../messages/write-text.ts'
import { resumeSubscription } from './change-subscription.ts'
import { disableSubscription, type Cause } from './disable-subscription.ts'
import { disabledFacts } from './disabled-facts.ts'
import { administratorOf } from './testing/deliveries.ts'
import { fanOut } from './fan-out.ts'

const URI = 'https://hooks.example.com/in?key=a-secret-of-theirs'

describe('a subscription that we disable', () => {
  let service: TestService
  let platform: Platform
  before(async () => {
    service = await startService()
    platform = service.platform
  })
  after(() => service.stop())

  const subscribe = async ({ asAdministrator }: TestTenant, changes: object = {}): Promise<string> => {
    const body = { eventType: 'signaturerequestcompleted', uri: URI, ...changes }
    const { status, json, text } = await asAdministrator('POST', '/hooks/v1/subscription', body)
    assert.equal(status, 202, text)
    return json.id
  }
  const disable = ({ tenantId }: TestTenant, subscriptionId: string, cause: Cause = 'gone') =>
    platform.db.transaction(tenantId, (tx) =>
      disableSubscription(tx, { tenantId, subscriptionId, cause, now: service.clock.now() }),
    )
  const messagesAbout = (id: string) =>
    service.database.asOwner(
      `select tenant_id as "tenantId", id, department_id as "departmentId", kind, channel, language,
              request_id as "requestId", signatory_id as "signatoryId", user_id as "userId", reference_id as "referenceId"
         from message where reference_id = $1 order by user_id`,
      [id],
    )
  const letterOf = async (message: Record<string, unknown>): Promise<string | undefined> => {
    const facts = await disabledFacts(platform, message as never)
    if (facts === undefined) return undefined
    const address = 'https://sign.example.com'
    return writeText(writeLetter({ message: message as never, facts, address, timezone: 'UTC' }))
  }

  const addPerson = async ({ tenantId }: TestTenant, departmentId: string, role: string): Promise<string> => {
    const id = newId()
    await service.database.asOwner(
      `insert into app_user (tenant_id, id, department_id, kind, role, email, email_key, tokens_valid_after, created_at, modified_at)
       values ($1, $2, $3, 'person', $4, $5, $5, now(), now(), now())`,
      [tenantId, id, departmentId, role, `${id}@example.com`],
    )
    return id
  }

  test('is told to whoever made it, in that person’s language, without the rest of its address', async () => {
    const acme = await service.createTenant('Acme')
    await service.database.asOwner(`update app_user set language = 'fi-FI' where id = $1`, [acme.administratorId])
    const id = await subscribe(acme)
    await disable(acme, id, 'failing')
    const [message, ...others] = await messagesAbout(id)
    assert.deepEqual([others, message!.userId, message!.language], [[], acme.administratorId, 'fi-FI'])
    const text = (await letterOf(message!))!
    for (const part of ['signaturerequestcompleted', 'hooks.example.com', 'Viiden päivän', id])
      assert.ok(text.includes(part), part)
    assert.ok(!text.includes('a-secret-of-theirs'))
  })

  test('is told to the administrators above where its maker is gone', async () => {
    const acme = await service.createTenant('Acme')
    const sales = await addDepartment(service, acme, 'Sales')
    const id = await subscribe(acme, { departmentId: sales.id })
    const near = await addPerson(acme, sales.id, 'Admin')
    await addPerson(acme, sales.id, 'clerk')
    await service.database.asOwner('update app_user set deactivated_at = now() where id = $1', [acme.administratorId])
    await disable(acme, id)
    assert.deepEqual(
      (await messagesAbout(id)).map(({ userId }) => userId),
      [near],
    )
  })

  test('is told as an event, which others can subscribe to', async () => {
    const acme = await service.createTenant('Acme')
    const { tenantId, rootDepartmentId, administratorId } = acme
    const watching = await subscribe(acme, { eventType: 'subscriptiondisabled' })
    const id = await subscribe(acme)
    await disable(acme, id)
    const outbox = await service.database.asOwner('select id, bucket from outbox where tenant_id = $1', [tenantId])
    const work = { tenantId, bucket: outbox[0]!.bucket as number, ids: outbox.map((row) => row.id as string) }
    await platform.db.transaction(tenantId, (tx) => fanOut(tx, { ...work, now: service.clock.now() }))
    const [delivery] = await service.database.asOwner('select payload from hook_delivery where subscription_id = $1', [
      watching,
    ])
    assert.deepEqual(JSON.parse(delivery!.payload as string).EventData, {
      SubscriptionId: id,
      TenantId: tenantId,
      DepartmentId: rootDepartmentId,
      CreatorId: administratorId,
    })
    const { items } = (await acme.call('GET', '/event')).json
    assert.deepEqual(
      items.map(({ eventType, requestKind, requestId, data }: Record<string, unknown>) => ({
        eventType,
        requestKind,
        requestId,
        data,
      })),
      [
        {
          eventType: 'subscriptiondisabled',
          requestKind: 'subscription',
          requestId: id,
          data: { creatorId: administratorId, eventType: 'signaturerequestcompleted', cause: 'gone' },
        },
      ],
    )
  })

  test('is told once, and again after it was resumed; a message that came too late is not sent', async () => {
    const acme = await service.createTenant('Acme')
    const id = await subscribe(acme)
    await disable(acme, id)
    await disable(acme, id)
    const [message, ...others] = await messagesAbout(id)
    assert.equal(others.length, 0)
    await platform.db.transaction(acme.tenantId, (tx) =>
      resumeSubscription(tx, { caller: administratorOf(acme), subscriptionId: id, now: service.clock.now() }),
    )
    assert.equal(await letterOf(message!), undefined)
    await disable(acme, id)
    assert.equal((await messagesAbout(id)).length, 2)
    const sequences = await service.database.asOwner(
      'select sequence from event where request_id = $1 order by sequence',
      [id],
    )
    assert.deepEqual(
      sequences.map(({ sequence }) => sequence),
      [1, 2],
    )
  })
})
