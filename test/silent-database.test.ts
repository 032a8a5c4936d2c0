// A server and a worker whose database is there and hardly answers: slow, silent, or cut off when it has just committed.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from './database.ts'
import { startDatabaseProxy, type DatabaseProxy } from './fakes/database-proxy.ts'
import { databaseEnvironment, isReady, makeMachineTenant, startMachine, type Machine } from './machines.ts'
import type { Caller, Reply } from './service.ts'
import { CREATE, payload } from './signature-requests.ts'
import { until } from './until.ts'

const ANSWERED_WITHIN_MS = 5_000
const READY_AGAIN_WITHIN_MS = 5_000
/** What a machine that is busy with other tests may add. */
const BUSY_MACHINE_MS = 4_000
const SILENCE_MS = 7_000
const READINESS_REMEMBERED_MS = 2_000

const POOL = 4
const CALLS = 30
const CREATORS = 24

type Timed = Reply & { tookMs: number }

describe('a database that is slow, silent or cut off', () => {
  let database: TestDatabase
  let proxy: DatabaseProxy
  let storage: string
  let server: Machine
  let worker: Machine
  let tenantId: string
  let call: Caller

  before(async () => {
    database = await createDatabase()
    proxy = await startDatabaseProxy(database.connection)
    const tenant = await makeMachineTenant(database)
    storage = mkdtempSync(join(tmpdir(), 'countersign-storage-'))
    const environment = {
      ...databaseEnvironment({ ...database, connection: proxy.connection }),
      COUNTERSIGN_DATABASE_POOL: String(POOL),
      COUNTERSIGN_STORAGE: storage,
    }
    server = await startMachine({ part: 'serve', environment })
    worker = await startMachine({ part: 'work', environment })
    tenantId = tenant.tenantId
    call = tenant.at(server.url)
  })
  afterEach(async () => {
    proxy.latencyMs = 0
    proxy.heal()
    await until('the server to be ready', () => isReady(server.url))
    assert.ok(server.isRunning() && worker.isRunning())
  })
  after(async () => {
    await Promise.all([server.end('SIGKILL'), worker.end('SIGKILL')])
    await proxy.stop()
    await database.drop()
    rmSync(storage, { recursive: true, force: true })
  })

  const read = () => call('GET', '/signing/signaturerequest?take=1')
  const createOnce = (key: string) =>
    call('POST', CREATE, payload({ subject: key }), { headers: { 'idempotency-key': key } })
  const sealOnce = (key: string) =>
    call('POST', '/sealing/sealingrequest', { subject: key }, { headers: { 'idempotency-key': key } })
  const askReadiness = () => call('GET', '/readyz')

  async function untilWorkerIsBack(): Promise<void> {
    let told = ''
    const isBack = async () => {
      const { json, text } = await askReadiness()
      told = text
      return json.status === 'ready'
    }
    await until('the worker to be back', isBack).catch((error: Error) => {
      throw new Error(`${error.message}: ${told}\n${worker.output().slice(-8_000)}`)
    })
  }

  async function timed(ask: () => Promise<Reply>): Promise<Timed> {
    const begunAt = performance.now()
    const reply = await ask()
    return { ...reply, tookMs: performance.now() - begunAt }
  }

  /** The ids of what was made under a subject, by its table. */
  const listMade = async (table: 'signature_request' | 'sealing_request', subject: string) =>
    (await database.asOwner(`select id from ${table} where tenant_id = $1 and subject = $2`, [tenantId, subject])).map(
      ({ id }) => id,
    )

  function requireRefusal({ status, headers, text, tookMs }: Timed): void {
    assert.equal(status, 503, text)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.ok(tookMs < ANSWERED_WITHIN_MS + BUSY_MACHINE_MS, `an answer took ${tookMs} ms`)
  }

  test('is used as ever while everything takes 200 ms each way', async () => {
    proxy.latencyMs = 200
    const replies = await Promise.all([...Array.from({ length: 8 }, read), createOnce('slow'), sealOnce('slow')])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [...Array<number>(8).fill(200), 202, 200],
    )
    assert.ok(await isReady(server.url))
  })

  test('and falls silent holds up no call for more than five seconds; once it is heard again, all goes on', async (t) => {
    await Promise.all(Array.from({ length: POOL }, read))
    await wait(READINESS_REMEMBERED_MS)
    proxy.fallSilent()
    const fellSilentAt = performance.now()
    const kinds = [read, () => createOnce('silent'), askReadiness, () => sealOnce('silent')]
    const replies = await Promise.all(Array.from({ length: CALLS }, (_, n) => timed(kinds[n % kinds.length]!)))
    for (const reply of replies) requireRefusal(reply)

    const later = await timed(read)
    requireRefusal(later)
    assert.ok(later.tookMs < 1_000, 'whoever comes once it is known does not wait')
    await wait(fellSilentAt + SILENCE_MS - performance.now())
    for (const kind of kinds) requireRefusal(await timed(kind))

    proxy.heal()
    const healedAt = performance.now()
    await until('readiness', () => isReady(server.url))
    const readyAgainMs = performance.now() - healedAt
    t.diagnostic(`the longest answer took ${Math.max(...replies.map(({ tookMs }) => tookMs))} ms`)
    t.diagnostic(`ready again after ${readyAgainMs} ms`)
    assert.ok(readyAgainMs < READY_AGAIN_WITHIN_MS + BUSY_MACHINE_MS, `ready again after ${readyAgainMs} ms`)
    const again = await Promise.all(Array.from({ length: CALLS }, read))
    assert.ok(again.every(({ status }) => status === 200))
    await untilWorkerIsBack()
  })

  test('and forgets its connections is reached over new ones', async () => {
    await Promise.all(Array.from({ length: POOL }, read))
    proxy.fallSilent()
    requireRefusal(await timed(read))
    proxy.forget()
    proxy.heal()
    const { tookMs } = await timed(() => until('an answer', async () => (await read()).status === 200 && read()))
    assert.ok(tookMs < READY_AGAIN_WITHIN_MS + BUSY_MACHINE_MS, `answered after ${tookMs} ms`)
  })

  for (const [what, ask, table] of [
    ['a signature request', createOnce, 'signature_request'],
    ['a sealing request', sealOnce, 'sealing_request'],
  ] as const) {
    test(`and whose word that it has kept ${what} gets lost gives it to whoever asks again, once`, async () => {
      const key = `lost word of ${what}`
      const before = proxy.lostCommits
      proxy.loseCommit(key)
      requireRefusal(await timed(() => ask(key)))
      assert.equal(proxy.lostCommits, before + 1)
      const made = await listMade(table, key)
      assert.equal(made.length, 1, 'it was committed')
      const again = await ask(key)
      assert.ok(again.status < 300, again.text)
      assert.equal(again.json.id, made[0])
      assert.deepEqual(await listMade(table, key), made)
    })
  }

  test('while many create loses nothing that was answered, and makes nothing twice', async (t) => {
    const answered = new Map<string, Set<string>>()
    const end = new AbortController()
    let refused = 0
    const create = async (key: string) => {
      const { status, json, text } = await createOnce(key)
      assert.ok(status === 202 || status === 503, text)
      if (status === 503) refused++
      else answered.set(key, (answered.get(key) ?? new Set()).add(json.id))
      return status === 202
    }
    const keepCreating = async (creator: number) => {
      for (let n = 0; !end.signal.aborted; n++)
        await until('an answer', () => create(`many ${creator} ${n}`), { everyMs: 100 })
    }
    const creators = Array.from({ length: CREATORS }, (_, creator) => keepCreating(creator))
    const troubles = [
      () => proxy.fallSilent(),
      () => proxy.cut(),
      () => proxy.loseCommit('many 7 '),
      () => proxy.fallSilent(),
    ]
    for (const bring of troubles) {
      await wait(700)
      bring()
      await wait(SILENCE_MS - 2_000)
      proxy.heal()
    }
    end.abort()
    await Promise.all(creators)

    t.diagnostic(`${answered.size} made, ${refused} calls refused`)
    assert.ok(refused > 0 && answered.size > CREATORS)
    for (const [key, ids] of answered) assert.deepEqual(await listMade('signature_request', key), [...ids])
  })
})
