import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inspect } from 'node:util'
import { addDepartment } from './departments.ts'
import { addPerson } from './people.ts'
import { startService, type Caller, type Reply, type TestService, type TestTenant } from './service.ts'
import { until } from './until.ts'

describe('Idempotency-Key', () => {
  let service: TestService
  let acme: TestTenant
  let other: TestTenant

  before(async () => {
    service = await startService()
    acme = await service.createTenant()
    other = await service.createTenant()
  })
  after(() => service.stop())

  const create = (tenant: TestTenant, key: string, body: unknown) =>
    tenant.call('POST', '/sealing/sealingrequest', body, { headers: { 'idempotency-key': key } })

  test('makes a repeated call answer as the first did, and have no second effect', async () => {
    const first = await create(acme, 'one', { subject: 'x' })
    const second = await create(acme, 'one', { subject: 'x', unknownField: 1 })
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(second.json, first.json)
  })

  test('with another body is refused as UniqueConstraint', async () => {
    await create(acme, 'two', { subject: 'x' })
    const { status, json } = await create(acme, 'two', { subject: 'y' })
    assert.equal(status, 400)
    assert.equal(json.classification, 'UniqueConstraint')
  })

  test('belongs to one caller: another gets an answer of its own, of whichever tenant or department it is', async () => {
    const { rootDepartmentId: departmentId } = acme
    const department = await addDepartment(service, acme, 'Another')
    const callers = [
      acme.call,
      acme.asAdministrator,
      other.call,
      department.call,
      await service.createDepartmentKey(acme, departmentId),
      await addPerson(service, acme, { departmentId, role: 'administrator' }),
    ]
    const headers = { 'idempotency-key': 'three' }
    const body = { subject: 'x' }
    const replies = []
    for (const call of callers) replies.push(await call('POST', '/sealing/sealingrequest', body, { headers }))
    for (const reply of replies) requireFirst(reply)
    assert.equal(new Set(replies.map(({ json }) => json.id)).size, callers.length)
  })

  test('belongs to one caller: nobody hears the secret that another was told', async () => {
    const { rootDepartmentId: departmentId } = acme
    const colleague = await addPerson(service, acme, { departmentId, role: 'administrator' })
    const options = { headers: { 'idempotency-key': 'secret' } }
    const ask = (call: Caller) => call('POST', '/onboarding/subscriptionkey', { name: 'A program' }, options)
    const [mine, theirs] = [await ask(acme.asAdministrator), await ask(colleague)]
    requireFirst(mine)
    requireFirst(theirs)
    assert.notEqual(mine.json.primaryKey, theirs.json.primaryKey)
  })

  test('belongs to one operation: the next has its own effect, and tells nothing of the one before', async () => {
    const subscription = { eventType: 'signatorysigned', uri: 'https://hooks.example.com/' }
    const { json } = await acme.asAdministrator('POST', '/hooks/v1/subscription', subscription)
    const options = { headers: { 'idempotency-key': 'four' } }
    const ask = (what: string) =>
      acme.asAdministrator('POST', `/hooks/v1/subscription/${json.id}/${what}`, undefined, options)
    const [rotated, paused, resumed] = [await ask('secret'), await ask('pause'), await ask('resume')]
    for (const reply of [rotated, paused, resumed]) requireFirst(reply)
    assert.ok(rotated.json.secret)
    assert.ok(!paused.text.includes(rotated.json.secret))
    assert.deepEqual([paused.json.state, resumed.json.state], ['paused', 'active'])
  })

  function requireFirst({ status, headers, text }: Reply): void {
    assert.ok(status === 200 || status === 202, text)
    assert.equal(headers.get('idempotent-replayed'), null)
  }

  const refused: [what: string, body: unknown][] = [
    ['that the state of things calls for', { subject: 'x', departmentId: '0190a000-0000-7000-8000-000000000000' }],
    ['of a field', { subject: 5, unknownField: { a: [1] } }],
    ['of a body that is no object', []],
  ]
  for (const [index, [what, bad]] of refused.entries()) {
    test(`keeps a refusal ${what} as well: the key belongs to that call`, async () => {
      const key = `refused ${index}`
      const first = await create(acme, key, bad)
      const second = await create(acme, key, bad)
      assert.equal(first.status, 400)
      assert.equal(first.headers.get('idempotent-replayed'), null)
      assert.deepEqual(second.json, first.json)
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      assert.equal((await create(acme, key, { subject: 'x' })).json.classification, 'UniqueConstraint')
    })
  }

  test('keeps the refusal of a document that can not be signed', async () => {
    const body = (words: string) => ({ subject: 'x', documents: [{ contentBase64: btoa(words) }] })
    const ask = (words: string) =>
      acme.call('POST', '/onestepsigning/signaturerequest', body(words), { headers: { 'idempotency-key': 'no PDF' } })
    const first = await ask('no PDF at all')
    const second = await ask('no PDF at all')
    assert.deepEqual([first.json.code, second.json.code], [1101, 1101])
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal((await ask('another one')).json.classification, 'UniqueConstraint')
  })

  test('is forgotten after a day', async () => {
    const first = await create(acme, 'five', { subject: 'x' })
    service.clock.advance(25 * 60 * 60 * 1000)
    const second = await create(acme, 'five', { subject: 'x' })
    service.clock.set(new Date())
    assert.notEqual(first.json.id, second.json.id)
  })

  test('has 1 to 255 characters', async () => {
    assert.equal((await create(acme, 'k'.repeat(255), { subject: 'x' })).status, 200)
    assert.equal((await create(acme, 'k'.repeat(256), { subject: 'x' })).status, 400)
  })

  test('storm: fifty parallel calls for each of twenty keys make exactly twenty requests', async () => {
    const before = (await acme.call('GET', '/sealing/sealingrequest')).json.total as number
    const createOne = (n: number) => create(acme, `storm ${n}`, { subject: `storm ${n}` })
    const keys = Array.from({ length: 20 }, (_, n) => n)
    const calls = await Promise.allSettled(keys.flatMap((n) => Array.from({ length: 50 }, () => createOne(n))))
    const replies = calls.filter((call) => call.status === 'fulfilled').map((call) => call.value)
    for (const call of calls.filter(({ status }) => status === 'rejected'))
      assert.match(inspect((call as PromiseRejectedResult).reason), /UND_ERR_CONNECT_TIMEOUT/)
    assert.ok(
      replies.every((reply) => reply.status === 200 || reply.status === 503),
      [...new Set(replies.map((reply) => reply.status))].join(),
    )
    // A machine that is too busy says so, or is not even heard, maybe by all fifty of a key; whoever asks again gets the
    // same one request.
    for (const n of keys) {
      const again = await until(`an answer to key ${n}`, async () => {
        const reply = await createOne(n)
        return reply.status === 200 && reply
      })
      replies.push(again)
    }
    assert.equal(new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.json.id)).size, 20)
    assert.equal((await acme.call('GET', '/sealing/sealingrequest')).json.total, before + 20)
  })

  test('storm of two bodies: one of them wins each key, and the other is refused', async () => {
    const before = (await acme.call('GET', '/sealing/sealingrequest')).json.total as number
    const keys = Array.from({ length: 10 }, (_, n) => n)
    const outcomes = await Promise.all(keys.map((n) => raceTwoBodies(`two bodies ${n}`)))
    for (const { ids, subjects, refused } of outcomes) {
      assert.deepEqual([ids.size, subjects.size], [1, 1])
      assert.deepEqual([...refused], ['UniqueConstraint'])
    }
    assert.equal((await acme.call('GET', '/sealing/sealingrequest')).json.total, before + keys.length)
  })

  /** Ten calls with each of two bodies, mixed. */
  async function raceTwoBodies(key: string) {
    const calls = Array.from({ length: 20 }, (_, n) => createWhenHeard(key, { subject: n % 2 ? 'one' : 'another' }))
    const replies = await Promise.all(calls)
    const made = replies.filter(({ status }) => status === 200)
    assert.equal(made.length, 10)
    return {
      ids: new Set(made.map(({ json }) => json.id)),
      subjects: new Set(made.map(({ json }) => json.subject)),
      refused: new Set(replies.filter((reply) => !made.includes(reply)).map(({ json }) => json.classification)),
    }
  }

  /** Asks again while the machine is too busy. */
  const createWhenHeard = (key: string, body: unknown) =>
    until(`an answer to ${key}`, async () => {
      const reply = await create(acme, key, body)
      return reply.status !== 503 && reply
    })
})
