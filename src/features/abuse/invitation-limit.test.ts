import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '#platform/ids.ts'
import { readCondition } from '#platform/troubles/read-condition.ts'
import { environmentOf, openShell } from '../../../test/command-line.ts'
import { startService, type Reply, type TestService, type TestTenant } from '../../../test/service.ts'
import { create, CREATE, payload, requireRightCounts, requireWholeHistories } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import { forgetInvitationCounts, watchAbuse } from './index.ts'

const PER_DAY = 10
const DAY_MS = 24 * 60 * 60 * 1000
/** Far from both ends of its day. */
const MORNING = new Date('2026-03-03T09:00:00Z')

const people = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `s${index}@example.com` }))

describe('the limit of invitations', () => {
  let service: TestService
  let acme: TestTenant

  before(async () => {
    service = await startService({ COUNTERSIGN_INVITATIONS_PER_DAY: String(PER_DAY) })
    service.clock.set(MORNING)
  })
  after(() => service.stop())

  const ask = (count: number, changes = {}, { call } = acme): Promise<Reply> =>
    call('POST', CREATE, payload({ signatories: people(count), ...changes }))
  const countOpen = async () => {
    const { json } = await acme.call('GET', '/signing/signaturerequest?status=Open')
    return json.total as number
  }

  test('of forty openings at once exactly ten pass, and nothing is left of the others', async () => {
    acme = await service.createTenant('Crowd')
    const drafts = await Promise.all(Array.from({ length: 10 }, () => create(acme.call, { status: 'Draft' })))
    const replies = await Promise.all([
      ...drafts.map((id) => acme.call('POST', `/signing/signaturerequest/${id}/open`)),
      ...Array.from({ length: 20 }, () => ask(1)),
      ...Array.from({ length: 10 }, () => ask(1, { id: newId() })),
    ])
    const refused = replies.filter(({ status }) => status >= 300)
    assert.equal(replies.length - refused.length, PER_DAY)
    for (const { status, json } of refused) assert.deepEqual([status, json.code], [429, 1105])
    assert.equal(await countOpen(), PER_DAY)
    await requireRightCounts(service)
    await requireWholeHistories(service)
  })

  test('says how many may be asked, and when the next can be', async () => {
    acme = await service.createTenant('Curious')
    const { status, headers, json } = await ask(PER_DAY + 1)
    assert.deepEqual([status, json.code, json.classification], [429, 1105, 'InvalidArgument'])
    assert.match(json.message, /10 invitations and reminders a day.* from 2026-03-04T00:00:00\.000Z on/)
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds > 14 * 3600 && seconds <= 15 * 3600, `${seconds} s`)
    assert.equal((await ask(PER_DAY)).status, 202, 'what was refused does not count')
  })

  test('counts people, and only those whom a message goes to', async () => {
    acme = await service.createTenant('Careful')
    assert.equal((await ask(7)).status, 202)
    assert.equal((await ask(30, { status: 'Draft' })).status, 202)
    assert.equal((await ask(30, { deliveryMethods: ['Link'] })).status, 202)
    assert.equal((await ask(4)).status, 429)
    assert.equal((await ask(3)).status, 202)
  })

  test('leaves other tenants alone, and begins anew with the next day, also for a call that is repeated', async () => {
    acme = await service.createTenant('Tomorrow')
    const other = await service.createTenant('Other')
    const again = { headers: { 'idempotency-key': newId() } }
    const body = payload({ signatories: people(PER_DAY) })
    assert.equal((await ask(1)).status, 202)
    assert.equal((await acme.call('POST', CREATE, body, again)).status, 429)
    assert.equal((await ask(PER_DAY, {}, other)).status, 202)
    try {
      service.clock.advance(DAY_MS)
      assert.equal((await acme.call('POST', CREATE, body, again)).status, 202)
      assert.equal((await ask(1)).status, 429)
    } finally {
      service.clock.set(MORNING)
    }
  })

  test('holds for drafts that are changed and opened at once, which stay as they were', async () => {
    acme = await service.createTenant('Drafting')
    const id = await create(acme.call, { status: 'Draft', subject: 'As it was' })
    const changed = payload({ subject: 'Another', signatories: people(PER_DAY + 1) })
    assert.equal((await acme.call('PUT', `${CREATE}/${id}`, changed)).status, 429)
    const { json } = await acme.call('GET', `/signing/signaturerequest/${id}`)
    assert.deepEqual([json.status, json.subject], ['Draft', 'As it was'])
  })

  test('is told once a day: in the log, to the operator, and to administrators in the overview', async (t) => {
    acme = await service.createTenant('Loud')
    const { platform } = service
    const overview = async () => (await acme.call('GET', '/overview')).json.invitations
    assert.deepEqual(await overview(), { today: 0, perDay: PER_DAY, refusedDate: null })
    const warn = t.mock.method(platform.log, 'warn', () => {})
    await ask(9)
    await Promise.all([ask(2), ask(3), ask(4)])
    const warnings = warn.mock.calls.map(({ arguments: said }) => said as unknown[])
    assert.deepEqual(warnings, [
      [{ tenantId: acme.tenantId, perDay: PER_DAY }, 'a tenant has reached its limit of invitations for today'],
    ])
    const { today, refusedDate } = await overview()
    assert.deepEqual([today, refusedDate.slice(0, 10)], [9, '2026-03-03'])

    const worker = { db: service.database.open('countersign_worker'), clock: service.clock }
    await watchAbuse(worker)
    const { measured } = await readCondition(platform)
    const atLimit = measured.find(({ name }) => name === 'tenants_at_invitation_limit')
    assert.ok(atLimit!.value >= 1)
    const later = new Date(MORNING.getTime() + 100 * DAY_MS)
    const { tenantId } = acme
    await worker.db.transaction(tenantId, (tx) => forgetInvitationCounts(tx, { tenantId, now: later }))
    assert.equal((await overview()).today, 0)
  })

  test('shows in doctor, which says what to do', async () => {
    acme = await service.createTenant('Examined')
    // The command has its own clock.
    await service.database.asOwner('update tenant set invitations_refused_at = now() where id = $1', [acme.tenantId])
    const { json } = await openShell(environmentOf(service))('doctor', '--json')
    const found = json.findings.find(({ name }: { name: string }) => name === 'invitations')
    assert.equal(found.state, 'look')
    assert.match(found.found, new RegExp(`Examined \\(${acme.tenantId}\\)`))
    assert.match(found.fix, /COUNTERSIGN_INVITATIONS_PER_DAY/)
  })
})

describe('reminders and the limit of invitations', () => {
  let service: TestService

  before(async () => {
    service = await startService({ COUNTERSIGN_INVITATIONS_PER_DAY: '3' }, { worker: true })
  })
  after(() => service.stop())

  test('those on demand count, and what is open goes on', async () => {
    const acme = await service.createTenant('Acme')
    const id = await create(acme.call, { signatories: people(2) })
    await until('both to be invited', async () => {
      const { json } = await acme.call('GET', `/signing/signaturerequest/${id}`)
      return json.signatories.every(({ state }: { state: string }) => state === 'Invited')
    })
    const reminded = await acme.call('POST', `/signing/signaturerequest/${id}/remind`)
    assert.deepEqual([reminded.status, reminded.json.code], [429, 1105])
    const history = await acme.call('GET', `/event/signaturerequest/${id}`)
    const types = history.json.items.map(({ type }: { type: string }) => type)
    assert.ok(!types.includes('signatoryreminded'))
    const one = await create(acme.call)
    await until('the third to be invited', async () => {
      const { json } = await acme.call('GET', `/signing/signaturerequest/${one}`)
      return json.signatories[0].state === 'Invited'
    })
  })
})

describe('without a limit of invitations', () => {
  let service: TestService

  before(async () => {
    service = await startService({ COUNTERSIGN_INVITATIONS_PER_DAY: '0' })
  })
  after(() => service.stop())

  test('any number may be asked, and nothing is counted', async () => {
    const acme = await service.createTenant('Acme')
    await create(acme.call, { signatories: people(100) })
    const { json } = await acme.call('GET', '/overview')
    assert.deepEqual(json.invitations, { today: 0, perDay: null, refusedDate: null })
  })
})
