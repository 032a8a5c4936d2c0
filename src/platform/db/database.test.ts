import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import pg from 'pg'
import { AppError } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { boolean, byteses, count, integer, text, texts, time, uuid } from './columns.ts'
import { isDatabaseAway, openDatabase, type Database, type TransactionOptions, type Tx } from './database.ts'
import { statement } from './statement.ts'

const currentTenant = statement({
  name: 'testCurrentTenant',
  isGlobal: true,
  params: {},
  row: { tenant: text },
  sql: `select coalesce(current_setting('app.tenant', true), '') as tenant`,
})
const readPlanning = statement({
  name: 'testReadPlanning',
  isGlobal: true,
  params: {},
  row: { planning: text, names: texts },
  sql: `select current_setting('plan_cache_mode') as planning, array(select (pg_prepared_statement()).name) as names`,
})
const divide = statement({
  name: 'testDivide',
  isGlobal: true,
  params: { by: integer },
  row: { result: integer },
  sql: `select 10 / :by::int as result`,
})
const backend = statement({
  name: 'testBackend',
  isGlobal: true,
  params: {},
  row: { pid: integer },
  sql: `select pg_backend_pid() as pid`,
})
const echoed = { word: text, words: texts, bytes: byteses, at: time, amount: count, isSo: boolean }
const echo = statement({
  name: 'testEcho',
  isGlobal: true,
  params: echoed,
  row: echoed,
  sql: `select :word::text as word, :words::text[] as words, :bytes::bytea[] as bytes, :at::timestamptz as at,
               :amount::bigint as amount, :isSo::boolean as "isSo"`,
})
const withGap = statement({
  name: 'testWithGap',
  isGlobal: true,
  params: {},
  row: { list: byteses },
  sql: `select array['\\x01'::bytea, null] as list`,
})
const insertFailure = statement({
  name: 'testInsertFailure',
  params: { tenantId: uuid },
  sql: `insert into login_failure (tenant_id, login_hash, window_ends_at, failures) values (:tenantId, '\\x00', now(), 1)`,
})
const forgetFailures = statement({
  name: 'testForgetFailures',
  params: { tenantId: uuid },
  sql: `delete from login_failure where tenant_id = :tenantId`,
})
const countFailures = statement({
  name: 'testCountFailures',
  params: { tenantId: uuid },
  row: { amount: integer },
  sql: `select count(*)::int as amount from login_failure where tenant_id = :tenantId or tenant_id is not null`,
})

/** Whoever holds it lets nobody through until the transaction ends. */
const holdGate = statement({
  name: 'testHoldGate',
  isGlobal: true,
  params: {},
  row: { gate: text },
  sql: `select pg_advisory_xact_lock(734101)::text as gate`,
})

/** How often something was sent to the database meanwhile. */
async function countMessages(work: () => Promise<unknown>): Promise<number> {
  const sync = mock.method(pg.Connection.prototype, 'sync')
  try {
    await work()
    return sync.mock.callCount()
  } finally {
    sync.mock.restore()
  }
}

describe('transactions', () => {
  let database: TestDatabase
  let db: Database

  before(async () => {
    database = await createDatabase()
    db = openDatabase({
      connection: database.connection,
      role: 'countersign_request',
      poolSize: 2,
      onConnectionError: () => {},
    })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  test('know their tenant, and leave none behind on the connection', async () => {
    const tenantId = newId()
    assert.equal((await db.transaction(tenantId, (tx) => currentTenant.one(tx, {}))).tenant, tenantId)
    for (let n = 0; n < 4; n++) assert.equal((await db.systemTransaction((tx) => currentTenant.one(tx, {}))).tenant, '')
  })

  test('roll back on any error, also when statements were sent ahead of the one that failed', async () => {
    const tenantId = newId()
    await assert.rejects(
      db.transaction(tenantId, (tx) =>
        Promise.all([
          insertFailure.run(tx, { tenantId }),
          divide.one(tx, { by: 0 }),
          currentTenant.one(tx, {}),
          backend.one(tx, {}),
        ]),
      ),
      /division by zero/,
    )
    const count = (tx: Tx) => countFailures.one(tx, { tenantId })
    for (let n = 0; n < 4; n++) assert.equal((await db.transaction(tenantId, count)).amount, 0)
    assert.equal((await db.systemTransaction((tx) => divide.one(tx, { by: 5 }))).result, 2)
  })

  test('see and write nothing of another tenant, whatever the statement says', async () => {
    const [mine, theirs] = [newId(), newId()]
    await db.transaction(theirs, (tx) => insertFailure.run(tx, { tenantId: theirs }))
    assert.equal((await db.transaction(mine, (tx) => countFailures.one(tx, { tenantId: theirs }))).amount, 0)
    await assert.rejects(
      db.transaction(mine, (tx) => insertFailure.run(tx, { tenantId: theirs })),
      /row-level security/,
    )
  })

  test('see what others commit meanwhile, unless they are to see one moment', async () => {
    const tenantId = newId()
    const countTwice = (options: TransactionOptions) =>
      db.transaction(
        tenantId,
        async (tx) => {
          const { amount } = await countFailures.one(tx, { tenantId })
          await db.transaction(tenantId, (other) => insertFailure.run(other, { tenantId }))
          return (await countFailures.one(tx, { tenantId })).amount - amount
        },
        options,
      )
    assert.equal(await countTwice({}), 1)
    await db.transaction(tenantId, (tx) => forgetFailures.run(tx, { tenantId }))
    assert.equal(await countTwice({ seesOneMoment: true }), 0)
  })

  test('that only read see one moment in what they ask for at once', async () => {
    const tenantId = newId()
    const count = async (tx: Tx) => (await countFailures.one(tx, { tenantId })).amount
    const countAround = async (tx: Tx) => {
      const [before, , after] = await Promise.all([count(tx), holdGate.one(tx, {}), count(tx)])
      return [before, after, await count(tx)]
    }
    const isSomebodyAtGate = async () =>
      (await database.asOwner(`select from pg_locks where objid = 734101 and not granted`)).length > 0
    let counted: Promise<number[]> | undefined
    await db.transaction(tenantId, async (tx) => {
      await holdGate.one(tx, {})
      counted = db.transaction(tenantId, countAround, { isReadOnly: true })
      await until('the reader to stand at the gate', isSomebodyAtGate)
      await insertFailure.run(tx, { tenantId })
    })
    assert.deepEqual(await counted, [0, 0, 1])
  })

  test('need a tenant that is a UUID', () => {
    assert.throws(() => db.transaction(`x'; drop table tenant; --`, async () => {}), /needs a tenant/)
  })

  test('two hundred in turn on two connections never mix up their tenants', async () => {
    const tenants = Array.from({ length: 50 }, newId)
    const runs = Array.from({ length: 200 }, async (_, n) => {
      const tenantId = tenants[n % tenants.length]!
      await db
        .transaction(tenantId, async (tx) => {
          assert.equal((await currentTenant.one(tx, {})).tenant, tenantId)
          if (n % 3 === 0) throw new Error('on purpose')
        })
        .catch((error: Error) => assert.equal(error.message, 'on purpose'))
    })
    await Promise.all(runs)
  })

  test('whose connection is killed fail as busy, and the next one works', async () => {
    const tenantId = newId()
    await assert.rejects(
      db.transaction(tenantId, async (tx) => {
        const { pid } = await backend.one(tx, {})
        await database.asOwner('select pg_terminate_backend($1)', [pid])
        await currentTenant.one(tx, {})
      }),
      (error) => error instanceof AppError && error.code === 9001 && error.retryAfterS !== undefined,
    )
    assert.equal((await db.transaction(tenantId, (tx) => currentTenant.one(tx, {}))).tenant, tenantId)
  })

  test('that deadlock are tried again', async () => {
    const [a, b] = [newId(), newId()]
    const tenantId = newId()
    for (const hash of [a, b]) {
      await database.asOwner(`insert into login_failure values ($1, decode(replace($2, '-', ''), 'hex'), now(), 0)`, [
        tenantId,
        hash,
      ])
    }
    let tries = 0
    let held = 0
    const { promise: bothHoldOne, resolve: meet } = Promise.withResolvers<void>()
    const touch = (first: string, second: string) =>
      db.transaction(tenantId, async (tx) => {
        tries++
        for (const hash of [first, second]) {
          await tx.query(
            '',
            `update login_failure set failures = failures + 1 where tenant_id = $1 and login_hash = decode(replace($2, '-', ''), 'hex')`,
            [tenantId, hash],
          )
          if (++held === 2) meet()
          await bothHoldOne
        }
      })
    await Promise.all([touch(a, b), touch(b, a)])
    assert.ok(tries > 2, 'one of them was rolled back and began again')
    const [row] = await database.asOwner('select sum(failures)::int as sum from login_failure where tenant_id = $1', [
      tenantId,
    ])
    assert.equal(row!.sum, 4)
  })

  test('that only read know their tenant in every statement, and are refused every write', async () => {
    const tenantId = newId()
    const isReadOnly = true
    const tenants = await db.transaction(
      tenantId,
      async (tx) => [
        ...(await Promise.all([currentTenant.one(tx, {}), currentTenant.one(tx, {})])),
        await currentTenant.one(tx, {}),
      ],
      { isReadOnly },
    )
    for (const { tenant } of tenants) assert.equal(tenant, tenantId)
    await assert.rejects(
      db.transaction(tenantId, (tx) => insertFailure.run(tx, { tenantId }), { isReadOnly }),
      /read-only transaction/,
    )
    await assert.rejects(
      db.systemTransaction((tx) => insertFailure.run(tx, { tenantId }), { isReadOnly }),
      /read-only transaction/,
    )
    for (let n = 0; n < 4; n++) assert.equal((await db.systemTransaction((tx) => currentTenant.one(tx, {}))).tenant, '')
    assert.equal(await db.transaction(tenantId, (tx) => insertFailure.run(tx, { tenantId })), 1)
  })

  test('with an error that nobody noticed do not pass for committed', async () => {
    const tenantId = newId()
    await assert.rejects(
      db.transaction(tenantId, async (tx) => {
        await insertFailure.run(tx, { tenantId })
        await divide.one(tx, { by: 0 }).catch(() => {})
      }),
      /nothing is committed/,
    )
    const count = (tx: Tx) => countFailures.one(tx, { tenantId })
    assert.equal((await db.transaction(tenantId, count)).amount, 0)
  })

  test('send what nobody waits for together with the commit', async () => {
    const tenantId = newId()
    const messages = await countMessages(() =>
      db.transaction(tenantId, async (tx) => {
        tx.withoutWaiting(insertFailure.run(tx, { tenantId }))
        tx.withoutWaiting(divide.one(tx, { by: 5 }))
      }),
    )
    assert.equal(messages, 1)
    assert.equal((await db.transaction(tenantId, (tx) => countFailures.one(tx, { tenantId }))).amount, 1)
  })

  test('fail with what nobody waited for, and with its own reason', async () => {
    const tenantId = newId()
    const refused = new Error('it was given twice')
    const works: ((tx: Tx) => Promise<unknown>)[] = [
      async (tx) => tx.withoutWaiting(insertFailure.run(tx, { tenantId })),
      // Sent ahead, so that the server refuses the statement that is waited for as well.
      async (tx) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        await currentTenant.one(tx, {})
      },
      async (tx) => {
        await currentTenant.one(tx, {}).catch(() => {})
        throw new Error('a consequence')
      },
    ]
    for (const work of works) {
      await assert.rejects(
        db.transaction(tenantId, async (tx) => {
          await insertFailure.run(tx, { tenantId })
          tx.withoutWaiting(
            insertFailure.run(tx, { tenantId }).catch(() => {
              throw refused
            }),
          )
          await work(tx)
        }),
        refused,
      )
    }
    assert.equal((await db.transaction(tenantId, (tx) => countFailures.one(tx, { tenantId }))).amount, 0)
  })

  test('use a statement again that failed when the connection first met it, also twice in one go', async () => {
    const one = openDatabase({
      connection: database.connection,
      role: 'countersign_request',
      poolSize: 1,
      onConnectionError: () => {},
    })
    const twice = (by: number) =>
      one.systemTransaction((tx) => Promise.all([divide.one(tx, { by }), divide.one(tx, { by: 2 })]))
    await assert.rejects(twice(0), /division by zero/)
    for (let n = 0; n < 3; n++) assert.deepEqual(await twice(1), [{ result: 10 }, { result: 5 }])
    await one.close()
  })

  test('of a spread database are planned with their tenant each time, and committed in two phases', async () => {
    const one = openDatabase({
      connection: database.connection,
      role: 'countersign_request',
      poolSize: 1,
      isSpread: true,
      onConnectionError: () => {},
    })
    const everything = { lockTimeoutMs: 5_000, isReadOnly: true, plansOnce: true, mayBeForgotten: true }
    const ask = (choices: TransactionOptions) =>
      one.transaction(newId(), (tx) => readPlanning.one(tx, {}), { ...everything, ...choices })
    const { planning, names } = await ask({})
    assert.equal(planning, 'force_custom_plan')
    assert.ok(!names.includes('commit in two phases'), 'a reader has nothing to commit')
    assert.ok((await ask({ isReadOnly: false })).names.includes('commit in two phases'))
    // Names are cut off at 63 letters, and could then be those of others.
    for (const name of names) assert.ok(name.length < 63, name)
    await one.close()
  })

  test('that lose a machine of a spread database in the middle count as out of reach', () => {
    const said = ['SSL SYSCALL error: EOF detected', 'server closed the connection unexpectedly']
    for (const message of said) assert.ok(isDatabaseAway(Object.assign(new Error(message), { code: 'XX000' })), message)
    assert.ok(!isDatabaseAway(Object.assign(new Error('division by zero'), { code: '22012' })))
  })

  test('whose server no way leads to, or whose connection died unheard, count as out of reach', () => {
    for (const code of ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET'])
      assert.ok(isDatabaseAway(Object.assign(new Error('from the network'), { code })), code)
  })

  test('carry every kind of value there and back, with prepared statements and without', async () => {
    const given = {
      word: `a "quoted" \\ {word}, null`,
      words: ['', 'null', `"`, '\\', 'ä,{}'],
      bytes: [Buffer.from([0, 255, 92]), Buffer.alloc(0)],
      at: new Date('2031-02-03T04:05:06.789Z'),
      amount: 2 ** 52,
      isSo: false,
    }
    for (const usePreparedStatements of [true, false]) {
      const one = openDatabase({
        connection: database.connection,
        role: 'countersign_request',
        poolSize: 1,
        usePreparedStatements,
        onConnectionError: () => {},
      })
      for (let n = 0; n < 2; n++) assert.deepEqual(await one.systemTransaction((tx) => echo.one(tx, given)), given)
      await one.close()
    }
  })

  test('give lists of bytes back as they came: none, empty ones, large ones, and those that are missing', async () => {
    const rest = { word: '', words: [], at: new Date(0), amount: 0, isSo: true }
    const read = (bytes: Buffer[]) => db.systemTransaction((tx) => echo.one(tx, { ...rest, bytes }))
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
    for (const bytes of [[], [Buffer.alloc(0)], [all, Buffer.alloc(0), Buffer.alloc(100_000, 0x2c)]])
      assert.deepEqual((await read(bytes)).bytes, bytes)
    const [{ list }] = (await db.systemTransaction((tx) => withGap.many(tx, {}))) as [{ list: unknown[] }]
    assert.deepEqual(list, [Buffer.from([1]), null])
  })

  test('run what was asked for after the commit, and only then', async () => {
    const seen: string[] = []
    await db.systemTransaction(async (tx) => tx.afterCommit(() => seen.push('committed')))
    await db
      .systemTransaction(async (tx) => {
        tx.afterCommit(() => seen.push('never'))
        throw new Error('no')
      })
      .catch(() => {})
    assert.deepEqual(seen, ['committed'])
  })
})
