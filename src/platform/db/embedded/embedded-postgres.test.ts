import assert from 'node:assert/strict'
import { readFileSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isRoot } from './database-user.ts'
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type UnexpectedExit,
} from './embedded-postgres.ts'
import { listServerProcesses } from './leftover-server.ts'
import { copyUsedDirectory, findUsedDirectory, holdServer, makeScratch, query, start } from './testing/scratch.ts'

function refusal(reason: string, message: RegExp) {
  return (error: unknown) =>
    error instanceof EmbeddedPostgresError && error.reason === reason && message.test(error.message)
}

/** The inodes of the sockets that a process holds. */
function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? []
    return inode === undefined ? [] : [inode]
  })
}

describe('the embedded server', () => {
  test('comes up on an empty directory, stops cleanly, and comes up again with what it held', async (t) => {
    const dataDir = join(makeScratch(t), 'data')
    const startedAt = performance.now()
    const first = await start(t, { dataDir, durability: 'full' })
    t.diagnostic(`first start: ${Math.round(performance.now() - startedAt)} ms`)
    assert.equal(first.isFirstStart, true)
    assert.equal(first.connection.database, 'countersign')
    await query(first.ownerUrl, 'create table kept (n int)', 'insert into kept values (7)')
    await first.stop()
    assert.deepEqual(listServerProcesses(first.clusterDir), [])
    assert.match(readFileSync(join(dataDir, 'pg.log'), 'utf8'), /database system is shut down\n$/)

    const againAt = performance.now()
    const second = await start(t, { dataDir, durability: 'full' })
    t.diagnostic(`second start: ${Math.round(performance.now() - againAt)} ms`)
    assert.equal(second.isFirstStart, false)
    assert.deepEqual(await query(second.ownerUrl, 'select n from kept'), [{ n: 7 }])
  })

  test('keeps its password to itself, and gets a new one when that is lost', async (t) => {
    const dataDir = await findUsedDirectory()
    const first = await start(t, { dataDir })
    await first.stop()
    const file = join(dataDir, 'pg', 'password')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    rmSync(file)
    const second = await start(t, { dataDir })
    assert.notEqual(second.connection.password, first.connection.password)
    assert.deepEqual(await query(second.ownerUrl, 'select 1 as one'), [{ one: 1 }])
  })

  test('two on one data directory: the second hears who has it', async (t) => {
    const dataDir = await findUsedDirectory()
    const held = await holdServer(dataDir)
    t.after(() => held.process.kill('SIGKILL'))
    const again = startEmbeddedPostgres({ dataDir, log: () => {} })
    await assert.rejects(
      again,
      refusal('in-use', new RegExp(`another Countersign is running.*pid ${held.process.pid}\\b`)),
    )
    assert.deepEqual(await query(held.ownerUrl, 'select 1 as one'), [{ one: 1 }])
    held.process.stdin?.write('exit')
    const next = await waitForStart(t, dataDir)
    assert.equal(next.isFirstStart, false)
  })

  test('two at once on an empty directory: one wins', async (t) => {
    const dataDir = makeScratch(t)
    const [one, other] = await Promise.allSettled([start(t, { dataDir }), start(t, { dataDir })])
    assert.deepEqual([one.status, other.status].sort(), ['fulfilled', 'rejected'])
    const lost = one.status === 'rejected' ? one : other
    assert.ok(lost.status === 'rejected' && refusal('in-use', /pid/)(lost.reason))
  })

  test('a path too long for a socket gets a short folder, which is gone after the stop', async (t) => {
    const path = join(makeScratch(t), 'a'.repeat(60), 'e'.repeat(60))
    await copyUsedDirectory(path)
    const server = await start(t, { dataDir: path })
    assert.match(server.connection.host, /^\/tmp\/countersign-\w{6}$/)
    assert.equal(statSync(server.connection.host).mode & 0o777, 0o700)
    assert.deepEqual(await query(server.ownerUrl, 'select 1 as one'), [{ one: 1 }])
    await server.stop()
    assert.throws(() => statSync(server.connection.host), /ENOENT/)
  })

  test('a path with spaces, commas and quotation marks is a path like any other', async (t) => {
    const server = await start(t, { dataDir: join(makeScratch(t), 'my data, "new" & 100%') })
    assert.deepEqual(await query(server.ownerUrl, 'select 1 as one'), [{ one: 1 }])
  })

  test('a cluster of another version of PostgreSQL is left alone', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    await server.stop()
    const note = join(server.clusterDir, 'PG_VERSION')
    t.after(() => writeFileSync(note, '18\n'))
    writeFileSync(note, '17\n')
    await assert.rejects(start(t, { dataDir }), refusal('wrong-version', /made by PostgreSQL 17/))
  })

  test('a server that cannot start says why, and frees the directory', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    await server.stop()
    const hba = join(server.clusterDir, 'pg_hba.conf')
    const original = readFileSync(hba)
    t.after(() => writeFileSync(hba, original))
    writeFileSync(hba, 'nonsense\n')
    await assert.rejects(start(t, { dataDir }), refusal('start-failed', /could not load .*pg_hba\.conf/))
    writeFileSync(hba, original)
    await start(t, { dataDir })
  })
})

describe('an embedded server that somebody else stops', () => {
  test('ends, even where one of its processes hangs, and whoever runs it hears of it', async (t) => {
    const server = await start(t, { dataDir: await findUsedDirectory(), stopWithinMs: 200 })
    const checkpointer = `select pid from pg_stat_activity where backend_type = 'checkpointer'`
    const [row] = await query(server.ownerUrl, checkpointer)
    process.kill(Number(row!['pid']), 'SIGSTOP')
    const { promise: ended, resolve } = Promise.withResolvers<UnexpectedExit>()
    server.onExit(resolve)
    process.kill(server.pid, 'SIGINT')
    assert.match((await ended).lastWords, /immediate shutdown request/)
  })
})

describe('an embedded server that runs', () => {
  let server: EmbeddedPostgres

  before(async () => {
    server = await startEmbeddedPostgres({ dataDir: await findUsedDirectory(), log: () => {} })
  })

  after(() => server.stop())

  test('is durable, in UTF-8 with the built-in order of strings, and asks for a password', async () => {
    const { connection, ownerUrl } = server
    const settings = `select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'jit', 'server_encoding')`
    assert.deepEqual(
      Object.fromEntries((await query(ownerUrl, settings)).map((row) => [row['name'], row['setting']])),
      {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        data_checksums: 'on',
        jit: 'off',
        server_encoding: 'UTF8',
      },
    )
    const locale = `select datlocprovider::text as provider, datlocale as locale from pg_database where datname = current_database()`
    assert.deepEqual(await query(ownerUrl, locale), [{ provider: 'b', locale: 'C.UTF-8' }])
    await assert.rejects(query(ownerUrl.replace(connection.password, 'wrong'), 'select 1'), /password/)
  })

  test('reads in the session that wants to, so that no reader that has died is waited for', async () => {
    const readers = `select count(*)::int as count from pg_stat_activity where backend_type = 'io worker'`
    assert.deepEqual(await query(server.ownerUrl, readers), [{ count: 0 }])
  })

  test('listens on a Unix socket that only its user can open, and on no other', async () => {
    const { connection, pid } = server
    const sockets = socketsOf(pid)
    const isIn = (table: string) => sockets.filter((inode) => new RegExp(`\\b${inode}\\b`).test(table))
    assert.equal(isIn(readFileSync('/proc/net/unix', 'utf8')).length, sockets.length)
    for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
      assert.deepEqual(isIn(readFileSync(`/proc/net/${table}`, 'utf8')), [], table)
    }
    assert.equal(statSync(join(connection.host, '.s.PGSQL.5432')).mode & 0o777, 0o700)
    assert.equal(statSync(connection.host).mode & 0o777, 0o700)
  })

  test('runs as another user than root, and in no other group', { skip: !isRoot() && 'needs root' }, () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    assert.match(status, /^Uid:\t(?!0\t)(\d+)\t\1\t\1\t\1$/m)
    assert.match(status, /^Groups:\t\s*$/m)
  })
})

/** Starts as soon as the process that has the directory is gone. */
async function waitForStart(t: Parameters<typeof start>[0], dataDir: string) {
  for (const end = performance.now() + 180_000; ;) {
    try {
      return await start(t, { dataDir })
    } catch (error) {
      if (performance.now() > end || !refusal('in-use', /pid/)(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
