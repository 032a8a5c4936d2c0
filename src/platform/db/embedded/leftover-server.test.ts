import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { EmbeddedPostgresError } from './embedded-postgres.ts'
import { listServerProcesses } from './leftover-server.ts'
import { findUsedDirectory, holdServer, makeScratch, query, start, startLongTransaction } from './testing/scratch.ts'
import { until } from '../../../../test/until.ts'

const KEEP_SEVEN = ['drop table if exists kept', 'create table kept (n int)', 'insert into kept values (7)']

describe('what an earlier run of the embedded server left behind', () => {
  test('its parent was killed: the server that it left is ended, and the new one has all that was committed', async (t) => {
    const dataDir = await findUsedDirectory()
    const held = await holdServer(dataDir)
    await query(held.ownerUrl, ...KEEP_SEVEN)
    held.process.kill('SIGKILL')
    await once(held.process, 'exit')
    const before = listServerProcesses(held.clusterDir)
    assert.ok(before.includes(held.pid), 'the server outlives its parent')

    const startedAt = performance.now()
    const server = await start(t, { dataDir })
    const tookMs = performance.now() - startedAt
    t.diagnostic(`start over a leftover server: ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < 20_000)
    const after = listServerProcesses(server.clusterDir)
    assert.deepEqual(
      before.filter((pid) => after.includes(pid)),
      [],
    )
    assert.deepEqual(await query(server.ownerUrl, 'select n from kept'), [{ n: 7 }])
  })

  test('its parent was killed with a client in the middle of a transaction: the same', async (t) => {
    const dataDir = await findUsedDirectory()
    const held = await holdServer(dataDir)
    const { cut } = await startLongTransaction(held.ownerUrl)
    held.process.kill('SIGKILL')
    await once(held.process, 'exit')
    const startedAt = performance.now()
    const server = await start(t, { dataDir })
    assert.ok(performance.now() - startedAt < 20_000)
    assert.match(String(await cut), /terminating connection/)
    assert.deepEqual(await query(server.ownerUrl, `select to_regclass('unfinished') as found`), [{ found: null }])
  })

  test('every process of the server was killed: its parent hears of it, and the next start recovers', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir, durability: 'full' })
    await query(server.ownerUrl, ...KEEP_SEVEN)
    const exit = new Promise<unknown>((resolve) => server.onExit(resolve))
    for (const pid of listServerProcesses(server.clusterDir)) process.kill(pid, 'SIGKILL')
    const { signal } = (await exit) as { signal: string }
    assert.equal(signal, 'SIGKILL')
    await server.stop()

    const startedAt = performance.now()
    const next = await start(t, { dataDir })
    t.diagnostic(`start after kill -9: ${Math.round(performance.now() - startedAt)} ms`)
    assert.deepEqual(await query(next.ownerUrl, 'select n from kept'), [{ n: 7 }])
  })

  test('only the postmaster was killed: its children are waited for', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    const { cut } = await startLongTransaction(server.ownerUrl)
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await start(t, { dataDir })
    assert.ok((await cut) instanceof Error)
  })

  test('a process.exit() of the parent takes the server along', async () => {
    const dataDir = await findUsedDirectory()
    const held = await holdServer(dataDir)
    held.process.stdin?.write('exit')
    await once(held.process, 'exit')
    await until('its processes to end', async () => listServerProcesses(held.clusterDir).length === 0)
    assert.match(readFileSync(join(dataDir, 'pg.log'), 'utf8'), /database system is shut down\n$/)
  })

  test('a stale postmaster.pid whose pid another process bears by now is no hindrance', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    await server.stop()
    writeStalePidFile(server.clusterDir, process.pid, server.connection.host)
    await start(t, { dataDir })
  })

  test('a stale lock file of the socket whose pid another process bears by now is no hindrance either', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    await server.stop()
    const { uid, gid } = statSync(server.clusterDir)
    // One of the database user's: PostgreSQL takes everybody else's for dead.
    const another = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
    t.after(() => another.kill('SIGKILL'))
    const lock = join(server.connection.host, '.s.PGSQL.5432.lock')
    const lines = [another.pid, server.clusterDir, 1_700_000_000, 5432, server.connection.host, '']
    writeFileSync(lock, lines.join('\n'))
    chownSync(lock, uid, gid)
    await start(t, { dataDir })
  })

  test('a server that answers although its process cannot be seen is not disturbed', async (t) => {
    const dataDir = await findUsedDirectory()
    const server = await start(t, { dataDir })
    await server.stop()
    const socketDir = join(makeScratch(t), 'socket')
    mkdirSync(socketDir)
    const foreign = createServer().listen(join(socketDir, '.s.PGSQL.5432'))
    t.after(() => foreign.close())
    await once(foreign, 'listening')
    writeStalePidFile(server.clusterDir, 4_000_000, socketDir)
    await assert.rejects(
      start(t, { dataDir }),
      (error) => error instanceof EmbeddedPostgresError && error.reason === 'in-use',
    )
    assert.ok(statSync(join(server.clusterDir, 'postmaster.pid')).isFile())
  })
})

function writeStalePidFile(clusterDir: string, pid: number, socketDir: string): void {
  const path = join(clusterDir, 'postmaster.pid')
  writeFileSync(path, [pid, clusterDir, 1_700_000_000, 5432, socketDir, '', '  5432001  1', 'ready', ''].join('\n'))
  const { uid, gid } = statSync(clusterDir)
  chownSync(path, uid, gid)
}
