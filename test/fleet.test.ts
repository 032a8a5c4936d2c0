// Several servers and workers on one database and one store. A longer run, with a real store: npm run proof:s3.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openShell } from './command-line.ts'
import { ConsoleBrowser, signedIn } from './console-browser.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { findDoubles } from './doubles.ts'
import { signMany, startFlakyStore, startFleet, type Fleet } from './fleet.ts'
import { databaseEnvironment, makeMachineTenant, type MachineTenant } from './machines.ts'
import { makeCaller, PASSWORD, type Reply } from './service.ts'
import { until } from './until.ts'

const REQUESTS = 4
const EVENTS_EACH = 3
/** Opened, signed by all, closed. */
const CHANGES_EACH = 3
/** A server remembers a caller for two seconds; the third is for a machine that is busy. */
const FORGOTTEN_WITHIN_MS = 3_000

describe('several servers and workers', () => {
  let database: TestDatabase
  let store: Awaited<ReturnType<typeof startFlakyStore>>
  let fleet: Fleet
  const ids: string[] = []

  before(async () => {
    database = await createDatabase()
    store = await startFlakyStore()
    fleet = await startFleet({ database, store, servers: 2, workers: 2 })
  })
  after(async () => {
    await fleet.stop()
    await store.stop()
    await database.drop()
  })

  test('share the work, though the store fails now and then', async () => {
    ids.push(...(await signMany(fleet, REQUESTS)))
    await until('a share of the work for each worker', async () => {
      const [{ owners }] = (await database.asOwner(
        'select count(distinct owner)::int as owners from bucket_lease where expires_at > now()',
      )) as [{ owners: number }]
      return owners === 2
    })
    assert.ok(store.s3.requests.length > REQUESTS * 3)
  })

  test('do nothing twice: one message for each reason, one signature and one seal in each document', async () => {
    assert.deepEqual(await findDoubles({ database, fleet }), [])
    assert.ok(fleet.mail.received.length >= REQUESTS)
    assert.equal(new Set(fleet.mail.received.map(({ raw }) => raw)).size, fleet.mail.received.length)
  })

  test('would be noticed if they did', async () => {
    const { received } = fleet.mail
    fleet.mail.received = [...received, { ...received[0]!, headers: { 'message-id': ['<another@example.com>'] } }]
    assert.match((await findDoubles({ database, fleet })).join(), /messages, by Message-ID/)
    fleet.mail.received = received
  })

  test('deliver every event, under one id and in its order', async () => {
    const of = (id: string) =>
      fleet.receiver.received
        .map(({ headers, body }) => ({
          id: headers['webhook-id'],
          sequence: Number(headers['countersign-sequence']),
          ...JSON.parse(body),
        }))
        .filter(({ EventData }) => EventData.SignatureRequestId === id)
    for (const id of ids) {
      const deliveries = new Map(of(id).map((delivery) => [delivery.id, delivery]))
      assert.ok(deliveries.size >= EVENTS_EACH, `${deliveries.size} deliveries`)
      assert.equal([...deliveries.values()].filter(({ EventType }) => /created/i.test(EventType)).length, 1)
      assert.equal([...deliveries.values()].filter(({ EventType }) => /completed/i.test(EventType)).length, 1)
      // Each subscription is for one type of event, and between subscriptions there is no order.
      const changes = of(id).filter(({ EventType }) => EventType === 'signaturerequeststatusupdated')
      const sequences = changes.map(({ sequence }) => sequence)
      const inOrder = sequences.toSorted((a, b) => a - b)
      assert.deepEqual(sequences, inOrder)
      assert.ok(new Set(sequences).size >= CHANGES_EACH, `${sequences.length} changes of status`)
    }
  })

  test('store each document once, as what it is', () => {
    for (const [key, { bytes }] of store.s3.objects) {
      const name = key.split('/').pop()!
      if (/^[0-9a-f]{64}$/.test(name)) assert.equal(createHash('sha256').update(bytes).digest('hex'), name)
    }
  })

  test('let nobody in for longer than two seconds whom another process has shut out', async () => {
    const [here, there] = fleet.servers.map(({ url }) => url) as [string, string]
    const tenant = await makeMachineTenant(database)
    const administrator = await signedIn(here, tenant.administratorEmail)
    const program = await makeProgram(administrator, there)
    const person = await makePerson(tenant, administrator, there)
    await requireEnd(program.calls, () => administrator.call('DELETE', `/onboarding/subscriptionkey/${program.id}`))
    await requireEnd(person.calls, () =>
      administrator.call('PATCH', `/onboarding/user/${person.id}`, { isActive: false }),
    )
    const session = new ConsoleBrowser(there)
    session.cookie = administrator.cookie
    const calls = {
      'the key of a stopped tenant': () => tenant.at(there)('GET', '/onboarding/department'),
      'a session of a stopped tenant': () => session.call('GET', '/overview'),
    }
    await requireEnd(calls, () => openShell(databaseEnvironment(database))('tenant', 'stop', tenant.tenantId))
    assert.equal((await fleet.tenant.at(there)('GET', '/onboarding/department')).status, 200)
  })

  test('go on when a worker and a server are killed under load', async () => {
    const signing = signMany(fleet, REQUESTS)
    await until('work under way', async () => (await database.asOwner('select from job')).length > 0, { everyMs: 2 })
    await fleet.workers.shift()!.end('SIGKILL')
    await fleet.start('work')
    ids.push(...(await signing))
    await fleet.servers.shift()!.end('SIGKILL')
    ids.push(...(await signMany(fleet, 1)))
    // A mail that was handed over when its worker was killed is sent again, as the same one.
    assert.deepEqual(await findDoubles({ database, fleet }), [])
  })
})

/** What is called at a server, by who calls. */
type Calls = Record<string, () => Promise<Reply>>

/** A program with a key of its own, as another server knows it. */
async function makeProgram(administrator: ConsoleBrowser, url: string): Promise<{ id: string; calls: Calls }> {
  const { json, text } = await administrator.call('POST', '/onboarding/subscriptionkey', { name: 'A program' })
  assert.ok(json.primaryKey, text)
  const call = makeCaller(url, { 'ocp-apim-subscription-key': json.primaryKey })
  return { id: json.id, calls: { 'a revoked key': () => call('GET', '/onboarding/department') } }
}

/** A person with a password, by a token and by a session, as another server knows them. */
async function makePerson(
  tenant: MachineTenant,
  administrator: ConsoleBrowser,
  url: string,
): Promise<{ id: string; calls: Calls }> {
  const login = 'ada@example.com'
  const { json: user } = await administrator.call('POST', '/onboarding/user', { email: login })
  const { json: invitation } = await administrator.call('POST', `/onboarding/user/${user.id}/invitation`)
  const call = tenant.at(url)
  await call('POST', '/identity/password', { token: invitation.token, password: PASSWORD })
  const { json } = await call('POST', '/identity/login', { login, password: PASSWORD })
  const session = await signedIn(url, login)
  const headers = { authorization: `Bearer ${json.token}` }
  return {
    id: user.id,
    calls: {
      'the token of a deactivated user': () => call('GET', '/identity/me', undefined, { headers }),
      'the session of a deactivated user': () => session.call('GET', '/overview'),
    },
  }
}

/** All of them are let in, which makes the server remember them; once `end` has ended them, none is for long. */
async function requireEnd(calls: Calls, end: () => Promise<unknown>): Promise<void> {
  for (const [who, call] of Object.entries(calls)) assert.equal((await call()).status, 200, who)
  await end()
  const endedAt = performance.now()
  await Promise.all(Object.entries(calls).map(([who, call]) => requireRefusal(who, call, endedAt)))
}

async function requireRefusal(who: string, call: () => Promise<Reply>, endedAt: number): Promise<void> {
  await until(`a refusal of ${who}`, async () => {
    const askedAt = performance.now()
    const { status } = await call()
    if (status === 401 || status === 403) return true
    assert.equal(status, 200, who)
    // By when it was asked for: a busy machine may be late with the answer.
    assert.ok(askedAt - endedAt < FORGOTTEN_WITHIN_MS, `${who} is let in for too long`)
    return false
  })
}
