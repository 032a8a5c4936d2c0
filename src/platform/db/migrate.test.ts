import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/fakes/database-proxy.ts'
import { leastOf } from '../../../test/least-of.ts'
import { until } from '../../../test/until.ts'
import { latestVersion, migrate } from './migrate.ts'

describe('a migration', () => {
  let database: TestDatabase
  let folder: string
  let reader: pg.Client

  before(async () => {
    database = await createDatabase()
    folder = mkdtempSync(join(tmpdir(), 'countersign-migrations-'))
    cpSync('db/migrations', folder, { recursive: true })
    reader = new pg.Client(database.connection)
    await reader.connect()
  })
  after(async () => {
    await reader.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const next = (number: number) => latestVersion() + number
  const write = (number: number, sql: string) =>
    writeFileSync(join(folder, `${String(next(number)).padStart(6, '0')}_next.sql`), sql)

  test('waits for a table in use without making others wait behind it for long', { timeout: 180_000 }, async () => {
    write(1, 'alter table signature_request add column later text')
    await reader.query('begin')
    await reader.query('select count(*) from signature_request')
    const migrated = migrate(database.connection, new Date(), { folder })
    // Without an end to its patience, the question would wait for as long as the reader reads.
    const waitForMigration = () =>
      until('somebody to wait for the migration', async () => {
        const startedAt = performance.now()
        await database.asOwner('select count(*) from signature_request')
        const waitedMs = performance.now() - startedAt
        return waitedMs > 1_000 && waitedMs
      })
    const leastMs = await leastOf(waitForMigration, { below: 3_500 })
    assert.ok(leastMs < 3_500, `somebody waited for ${leastMs} ms`)
    await reader.query('rollback')
    assert.deepEqual(await migrated, [`${String(next(1)).padStart(6, '0')}_next.sql`])
  })

  test('that fails leaves nothing behind, and is run again by the next', async () => {
    write(2, 'create table half (id int); select 1 / 0')
    await assert.rejects(migrate(database.connection, new Date(), { folder }), /_next\.sql failed: division by zero/)
    const [row] = await database.asOwner(
      `select to_regclass('half') as half, max(version) as version from schema_version`,
    )
    assert.deepEqual(row, { half: null, version: next(1) })
    write(2, 'select 1')
    assert.equal((await migrate(database.connection, new Date(), { folder })).length, 1)
  })

  test('run by two at once runs once', async () => {
    write(3, 'create table once (id int)')
    const ran = await Promise.all([1, 2, 3].map(() => migrate(database.connection, new Date(), { folder })))
    assert.equal(ran.flat().length, 1)
  })

  test('waits its turn and says so', async () => {
    write(4, 'select 1')
    await reader.query('select pg_advisory_lock(7142025991)')
    const said: string[] = []
    const migrated = migrate(database.connection, new Date(), { folder, onWait: () => said.push('waits') })
    await until('it to wait', async () => said.length > 0)
    await wait(1_200)
    await reader.query('select pg_advisory_unlock_all()')
    assert.equal((await migrated).length, 1)
    assert.deepEqual(said, ['waits'])
  })

  test('whose session is ended says so, and is run again by the next', async () => {
    write(5, 'select pg_terminate_backend(pg_backend_pid())')
    const cut = migrate(database.connection, new Date(), { folder })
    await assert.rejects(cut, /_next\.sql failed: terminating connection/)
    write(5, 'select 1')
    assert.equal((await migrate(database.connection, new Date(), { folder })).length, 1)
  })

  /** Migrates from a machine that goes without a word, then from another one. */
  async function migrateAfterLoss(number: number, losing: (proxy: DatabaseProxy) => Losing): Promise<void> {
    const proxy = await startDatabaseProxy(database.connection)
    const { onRun, lost } = losing(proxy)
    const first = migrate(proxy.connection, new Date(), { folder, onRun }).catch((error: Error) => error)
    try {
      await lost()
      const second = migrate(database.connection, new Date(), { folder })
      const ran = await Promise.race([second, wait(30_000, 'still waiting', { ref: false })])
      assert.deepEqual(ran, [`${String(next(number)).padStart(6, '0')}_next.sql`])
    } finally {
      await proxy.stop()
    }
    assert.ok((await first) instanceof Error)
  }
  type Losing = { onRun: () => void; lost: () => Promise<unknown> }

  test('of a machine that is gone without a word lets go of its tables', async () => {
    write(6, 'alter table signature_request add column gone text; select pg_sleep(1)')
    const isAtWork = async () =>
      (await database.asOwner(`select from pg_stat_activity where query like 'select pg_sleep(1)%'`)).length > 0
    await migrateAfterLoss(6, (proxy) => ({
      onRun: () => {},
      async lost() {
        await until('the migration to be at work', isAtWork)
        proxy.forget()
      },
    }))
  })

  test('leaves its turn to the next when its machine is gone between two of them', async () => {
    write(7, 'select 1')
    write(8, 'select 2')
    await migrateAfterLoss(8, (proxy) => {
      const ran = Promise.withResolvers<void>()
      return {
        onRun() {
          proxy.forget()
          ran.resolve()
        },
        lost: () => ran.promise,
      }
    })
  })

  test('that is newer than the program stops the program from migrating, and says so', async () => {
    await assert.rejects(migrate(database.connection, new Date()), /newer than this program/)
  })
})
