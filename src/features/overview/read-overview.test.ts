import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDepartment } from '../../../test/departments.ts'
import { addPerson } from '../../../test/people.ts'
import { startService, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, forceStatus } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'

describe('the overview', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({}, { worker: true })
    acme = await service.createTenant('Acme')
  })
  after(() => service.stop())

  const read = async (call = acme.call) => {
    const { status, json, text } = await call('GET', '/overview')
    assert.equal(status, 200, text)
    return json
  }

  test('counts requests within reach, by what becomes of them', async () => {
    const sales = await addDepartment(service, acme, 'Sales')
    await create(sales.call, { status: 'Draft' })
    await create(acme.call)
    await forceStatus(service, await create(sales.call), 'Error')
    const whole = (await read()).signatureRequests
    assert.deepEqual([whole.draft, whole.open, whole.error], [1, 1, 1])
    const part = (await read(sales.call)).signatureRequests
    assert.deepEqual([part.draft, part.open, part.error], [1, 0, 1])
  })

  test('tells administrators how the service is, and ordinary users nothing of it', async () => {
    await acme.call('POST', '/sealing/certificate', { generate: true })
    const kindsOf = (found: { certificates: { kind: string }[] }) => found.certificates.map(({ kind }) => kind)
    const found = await until('a message in the outbox and a seal', async () => {
      const seen = await read(acme.asAdministrator)
      return seen.messages.outbox > 0 && kindsOf(seen).includes('seal') && seen
    })
    const { services, webhooks, jobs, messages, certificates } = found
    const states = Object.fromEntries(services.map(({ name, state }: { name: string; state: string }) => [name, state]))
    assert.deepEqual(states, { mail: 'NotConfigured', sms: 'NotConfigured', timestamps: 'Working' })
    assert.deepEqual(webhooks, { active: 0, paused: 0, disabled: 0, failing: 0 })
    assert.equal(messages.failed, 0)
    assert.equal(jobs.dead, 0)
    assert.deepEqual(new Set(kindsOf(found)), new Set(['seal', 'issuing', 'root', 'timestamp']))
    assert.ok(certificates.every((one: { expirationDate: string }) => new Date(one.expirationDate) > new Date()))

    const clerk = await addPerson(service, acme, { departmentId: acme.rootDepartmentId, role: 'clerk' })
    const { signatureRequests, sealingRequests, ...rest } = await read(clerk)
    assert.ok(signatureRequests && sealingRequests)
    assert.deepEqual(rest, {
      invitations: null,
      reports: null,
      messages: null,
      webhooks: null,
      jobs: null,
      services: null,
      certificates: null,
    })
  })

  test('tells what fails, since when, and what waits', async () => {
    const at = new Date('2026-01-02T03:04:05.000Z')
    const { database } = service
    await database.asOwner(`insert into trouble (name, detail, since) values ('mail', 'connection refused', $1)`, [at])
    await database.asOwner(
      `insert into job (tenant_id, id, bucket, queue, payload, run_at, state, created_at)
       values ($1, gen_random_uuid(), 0, 'nobody', '{}', now(), 'dead', now())`,
      [acme.tenantId],
    )
    const body = { eventType: 'signatorysigned', uri: 'https://hooks.example.com/' }
    const { json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', body)
    await acme.asAdministrator('POST', `/hooks/v1/subscription/${json.id}/pause`)
    await database.asOwner(`update message set state = 'failed' where state = 'outbox'`)
    const { services, jobs, webhooks, messages } = await read()
    const mail = services.find(({ name }: { name: string }) => name === 'mail')
    assert.deepEqual(mail, {
      name: 'mail',
      state: 'Failing',
      detail: 'connection refused',
      sinceDate: at.toISOString(),
    })
    assert.equal(jobs.dead, 1)
    assert.equal(webhooks.paused, 1)
    assert.ok(messages.failed > 0)
  })
})
