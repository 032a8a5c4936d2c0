// Backup, destroy, restore, verify: against a service that runs, into an embedded database, another server, a bucket.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { ensureWebBuilt } from '#main/web-build.ts'
import { newId } from '#platform/ids.ts'
import { environmentOf, openShell } from '../../../test/command-line.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { startS3Server } from '../../../test/fakes/s3-server.ts'
import { makeInstallation } from '../../../test/installation.ts'
import { makeCaller, type TestService, type TestTenant } from '../../../test/service.ts'
import { create } from '../../../test/signature-requests.ts'
import { until } from '../../../test/until.ts'
import { invite, openLink, startSigningService, untilQuiet, untilStatus } from '../../../test/signing-flow.ts'
import { parseTableFileName } from './manifest.ts'
import { createTar, readTar } from './tar.ts'

describe('backup and restore', () => {
  let service: TestService
  let tenant: TestTenant
  let closedId: string
  let folder: string
  let file: string

  before(async () => {
    folder = mkdtempSync('/tmp/countersign-backup-')
    // Where root restores, the database runs as another user, who has to get there; else it would lie in /var/lib and stay.
    chmodSync(folder, 0o755)
    service = await startSigningService()
    tenant = await service.createTenant('Acme')
    const other = await service.createTenant('Other, with “quotes”, \\backslashes\\ and (brackets)')
    const { requestId, signatoryIds } = await invite(tenant, { subject: 'Odd, {subject} "with" \\ and ünïcode 🎉' })
    const browser = await openLink(service, tenant, requestId, signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    await untilStatus(tenant, requestId, 'Closed')
    closedId = requestId
    await create(other.call)
    await tenant.call('POST', '/sealing/sealingrequest', { subject: 'Sealed one day' })
    await tenant.call('PUT', `/metadata/list/SignatureRequest/${requestId}`, {
      metadata: [{ key: 'number', value: 'line one\nline two\t{"json": [null]}' }],
    })
    await untilQuiet(service)
    file = join(folder, 'backup.tar')
    const { exitCode, err } = await openShell(environmentOf(service))('backup', file)
    assert.equal(exitCode, 0, err)
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  const emptyPlace = () => ({
    COUNTERSIGN_DATA: join(folder, newId()),
    COUNTERSIGN_SECRET_KEY: service.secretKey,
    COUNTERSIGN_LOG_LEVEL: 'silent',
  })
  const onDatabase = (database: TestDatabase, place = emptyPlace()): Record<string, string> => ({
    ...place,
    DATABASE_URL: environmentOf({ ...service, database })['DATABASE_URL']!,
  })
  const tenantsIn = async (database: TestDatabase) =>
    Number((await database.asOwner('select count(*) as count from tenant'))[0]!['count'])

  test('only its owner can read it, and the secret key is not in it', () => {
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(readFileSync(file).includes(service.secretKey), false)
    assert.match(readFileSync(file).toString('latin1', 512, 2048), /The secret key is NOT in here/)
  })

  test('any tar opens it', async (t) => {
    const child = spawn('tar', ['-tf', file], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.on('error', () => {})
    let listed = ''
    child.stdout.on('data', (chunk: Buffer) => (listed += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    if (child.pid === undefined) return t.skip('there is no tar on this machine')
    assert.equal(code, 0)
    assert.match(listed, /^README\.txt\ndatabase\/[\s\S]*documents\/[\s\S]*manifest\.json\n$/)
  })

  test('into an empty data directory: everything is there again, and the service goes on with it', async () => {
    await ensureWebBuilt()
    const installation = await makeInstallation()
    const place = {
      COUNTERSIGN_DATA: installation.dataDir,
      COUNTERSIGN_SECRET_KEY: service.secretKey,
      COUNTERSIGN_LOG_LEVEL: 'silent',
    }
    const shell = openShell(place)
    try {
      const restored = await shell('restore', file, '--json')
      assert.equal(restored.exitCode, 0, JSON.stringify(restored))
      assert.deepEqual(restored.json.problems, [])
      assert.equal(restored.json.tenants, 2)

      const again = join(folder, 'again.tar')
      assert.equal((await shell('backup', again)).exitCode, 0)
      assert.deepEqual(await rowsIn(again), await rowsIn(file))

      await installation.start(place)
      const call = makeCaller(`http://127.0.0.1:${installation.port}`, { 'ocp-apim-subscription-key': tenant.key })
      const { json } = await call('GET', `/signing/signaturerequest/${closedId}`)
      assert.equal(json.status, 'Closed')
      assert.equal((await call('GET', `/storage/document/${json.documents[0].documentURI}`)).status, 200)
      const beside = await shell('backup', join(folder, 'beside.tar'))
      assert.equal(beside.exitCode, 0, `beside the service that runs: ${beside.err}`)
      assert.match((await shell('restore', file)).err, /a service is running on this data directory/)
      assert.equal(await installation.end('SIGTERM'), 0)
      assert.match((await shell('restore', file)).err, /the database is not empty/)
    } finally {
      installation.remove()
    }
  })

  test('into another server and a bucket, and back from there', async () => {
    const s3 = await startS3Server()
    const database = await createDatabase()
    const storage = `s3://${s3.bucket}?endpoint=${encodeURIComponent(s3.endpoint)}&region=eu-north-1`
    const environment = {
      ...onDatabase(database),
      COUNTERSIGN_STORAGE: storage,
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    }
    try {
      assert.deepEqual(await runProcess(['restore', file], environment), [0, null])
      const again = join(folder, 'from-bucket.tar')
      assert.deepEqual(await runProcess(['backup', again], environment), [0, null])
      assert.deepEqual(await rowsIn(again), await rowsIn(file))
    } finally {
      await database.drop()
      await s3.close()
    }
  })

  test('as an owner who is no superuser', async () => {
    const name = `owner_${newId().slice(-12)}`
    const database = await createDatabase()
    await database.asOwner(`create role ${name} login password 'secret' nosuperuser`)
    await database.asOwner(`grant countersign_request, countersign_worker to ${name}`)
    await database.asOwner('drop schema public cascade')
    await database.asOwner(`create schema public authorization ${name}`)
    const { host, port } = database.connection as { host: string; port: number }
    const address = `postgres://${name}:secret@/${database.name}?host=${encodeURIComponent(host)}&port=${port}`
    const shell = openShell({ ...emptyPlace(), DATABASE_URL: address })
    try {
      const restored = await shell('restore', file, '--json')
      assert.equal(restored.exitCode, 0, restored.out)
      const again = join(folder, 'as-owner.tar')
      assert.equal((await shell('backup', again)).exitCode, 0)
      assert.deepEqual(await rowsIn(again), await rowsIn(file))
    } finally {
      await database.asOwner(`drop owned by ${name}`)
      await database.drop()
    }
  })

  test('while the service writes: what is restored holds together', async () => {
    const stop = new AbortController()
    let count = 0
    const writing = (async () => {
      for (; !stop.signal.aborted; count++) await create(tenant.call, { subject: `Request ${count}` })
    })()
    await until('a few requests', async () => count > 3)
    const busy = join(folder, 'busy.tar')
    const made = await openShell(environmentOf(service))('backup', busy, '--json')
    stop.abort()
    await writing
    assert.equal(made.exitCode, 0, made.out)
    const database = await createDatabase()
    try {
      const restored = await openShell(onDatabase(database))('restore', busy, '--json')
      assert.equal(restored.exitCode, 0, restored.out)
      assert.ok(restored.json.histories > 3, `${restored.json.histories} histories`)
    } finally {
      await database.drop()
    }
  })

  test('kill -9 at any moment leaves nothing half done, and the next try succeeds', async () => {
    const database = await createDatabase()
    const environment = onDatabase(database)
    try {
      for (const afterMs of [500, 1000, 1500]) {
        const [code] = await runProcess(['restore', file], environment, { killAfterMs: afterMs })
        const tenants = await tenantsIn(database)
        assert.ok(code === 0 || tenants === 0 || tenants === 2, `${tenants} tenants after ${afterMs} ms`)
        if (tenants === 2) await emptyAgain(database)
      }
      const { exitCode, out } = await openShell(environment)('restore', file, '--json')
      assert.equal(exitCode, 0, out)
      assert.equal(await tenantsIn(database), 2)
    } finally {
      await database.drop()
    }
  })

  test('kill -9 in the middle of the rows: none of them is there, and the next try succeeds', async () => {
    const database = await createDatabase()
    const environment = onDatabase(database)
    const blocker = new pg.Client(database.connection)
    await blocker.connect()
    try {
      // Rows of the tables before this one are in by then: its first row waits for whoever holds the lock.
      await database.asOwner(
        `create function wait_here() returns boolean language plpgsql as
           $$ begin perform pg_advisory_xact_lock_shared(4711); return true; end $$`,
      )
      await database.asOwner('alter table stored_document add constraint wait_here check (wait_here())')
      await blocker.query('select pg_advisory_lock(4711)')
      const restoring = startProcess(['restore', file], environment)
      await until('the restore to stand in the middle', async () => {
        const waiting = await database.asOwner(
          `select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted
              and database = (select oid from pg_database where datname = current_database())`,
        )
        return waiting.length === 1
      })
      restoring.child.kill('SIGKILL')
      assert.deepEqual(await restoring.ended, [null, 'SIGKILL'])
      await blocker.query('select pg_advisory_unlock(4711)')
      await database.asOwner('alter table stored_document drop constraint wait_here')
      await until('the server to notice', async () => (await countRows(database)) === 0)
      const again = await openShell(environment)('restore', file, '--json')
      assert.equal(again.exitCode, 0, again.out)
      assert.equal(await tenantsIn(database), 2)
    } finally {
      await blocker.end()
      await database.drop()
    }
  })

  test('a changed event of a sealing request is found after the restore', async () => {
    const [first, second] = [await createDatabase(), await createDatabase()]
    const environment = onDatabase(first)
    const shell = openShell(environment)
    const changed = join(folder, 'changed-history.tar')
    try {
      assert.equal((await shell('restore', file)).exitCode, 0)
      const [request] = await first.asOwner(`select request_id as id from event where request_kind = 'sealingrequest'`)
      await first.asOwner('alter table event disable trigger user')
      await first.asOwner(`update event set at = at + interval '1 day' where request_kind = 'sealingrequest'`)
      await first.asOwner('alter table event enable trigger user')
      assert.equal((await shell('backup', changed)).exitCode, 0)
      const restored = await openShell({ ...onDatabase(second) })('restore', changed, '--json')
      assert.equal(restored.exitCode, 1)
      const problems = restored.json.problems as string[]
      assert.ok(
        problems.some((problem) => problem.startsWith(`history of ${String(request!['id'])}: Event 1 `)),
        problems.join('\n'),
      )
    } finally {
      await first.drop()
      await second.drop()
    }
  })

  test('a killed restore of an embedded database is taken up again', async () => {
    const place = emptyPlace()
    await runProcess(['restore', file], place, { killAfterMs: 1800 })
    const { exitCode, err } = await openShell(place)('restore', file)
    assert.ok(exitCode === 0 || /is not empty/.test(err), err)
  })

  describe('refuses, and changes nothing', () => {
    let database: TestDatabase
    before(async () => {
      database = await createDatabase()
    })
    after(() => database.drop())

    const refused = async (path: string, words: RegExp, environment = onDatabase(database)) => {
      const { exitCode, err } = await openShell(environment)('restore', path)
      assert.notEqual(exitCode, 0)
      assert.match(err, words)
      assert.equal(await tenantsIn(database), 0)
    }
    const changed = (name: string, change: (path: string) => void) => {
      const path = join(folder, name)
      copyFileSync(file, path)
      change(path)
      return path
    }
    const flip = (path: string, where: string) => {
      const bytes = readFileSync(path)
      // The folder stands in the header of a file, which its content follows.
      const header = Math.floor(bytes.indexOf(where) / 512) * 512
      const at = header + 512 + 12
      bytes[at]! ^= 1
      writeFileSync(path, bytes)
    }

    test('a backup with a changed document', () =>
      refused(
        changed('document.tar', (path) => flip(path, 'documents/0')),
        /is not what its name says/,
      ))
    test('a backup with changed rows', () =>
      refused(
        changed('rows.tar', (path) => flip(path, 'database/app_user')),
        /is missing or changed/,
      ))
    test('a backup that is cut off', () =>
      refused(
        changed('cut.tar', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))),
        /is no whole backup/,
      ))
    test('a backup without its last file', () =>
      refused(
        changed('endless.tar', (path) => {
          const bytes = readFileSync(path)
          const end = Math.floor(bytes.lastIndexOf('manifest.json\0') / 512) * 512
          writeFileSync(path, Buffer.concat([bytes.subarray(0, end), Buffer.alloc(1024)]))
        }),
        /it has no end/,
      ))
    test('a file that is no backup', () =>
      refused(
        changed('letter.tar', (path) => writeFileSync(path, 'hello')),
        /is no whole backup/,
      ))
    test('a file that is not there', () => refused(join(folder, 'none.tar'), /ENOENT/))
    test('another secret key', () =>
      refused(file, /the secret key is not the one/, {
        ...onDatabase(database),
        COUNTERSIGN_SECRET_KEY: 'another key of more than thirty-two characters',
      }))
    test('a data directory without a secret key', async () => {
      const { exitCode, err } = await openShell({ COUNTERSIGN_DATA: join(folder, newId()) })('restore', file)
      assert.equal(exitCode, 2)
      assert.match(err, /the secret key is missing/)
    })
    test('a database that is in use', async () => {
      const { exitCode, err } = await openShell({ ...environmentOf(service) })('restore', file)
      assert.equal(exitCode, 1)
      assert.match(err, /the database is not empty/)
    })
    test('wrong arguments', async () => {
      assert.equal((await openShell()('restore')).exitCode, 2)
      assert.equal((await openShell()('restore', 'a', 'b')).exitCode, 2)
      assert.equal((await openShell()('backup')).exitCode, 2)
      assert.equal((await openShell()('backup', 'a', '--fast')).exitCode, 2)
    })
  })

  test('a backup never overwrites, and leaves nothing behind where it fails', async () => {
    const shell = openShell(environmentOf(service))
    assert.match((await shell('backup', file)).err, /is there already/)
    const { exitCode } = await shell('backup', join(folder, 'no', 'such', 'folder.tar'))
    assert.equal(exitCode, 1)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.partial')),
      [],
    )
  })

  test('a document that is damaged in storage is named, and the rest is saved', async () => {
    const database = await createDatabase()
    const place = emptyPlace()
    const shell = openShell(onDatabase(database, place))
    try {
      assert.equal((await shell('restore', file)).exitCode, 0)
      const documents = join(place.COUNTERSIGN_DATA, 'documents')
      const [found] = readdirSync(documents, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      writeFileSync(join(found!.parentPath, found!.name), 'damaged')
      const made = await shell('backup', join(folder, 'damaged.tar'), '--json')
      assert.equal(made.exitCode, 3)
      assert.equal(made.json.damaged.length + made.json.deletedMeanwhile.length, 1)
    } finally {
      await database.drop()
    }
  })

  test('the database has no sequences, which a backup would have to carry', async () => {
    assert.deepEqual(await service.database.asOwner(`select sequencename from pg_sequences`), [])
  })
})

describe('an archive', () => {
  test('holds names and bytes of every length, and is read back exactly', async () => {
    const folder = mkdtempSync('/tmp/countersign-tar-')
    const path = join(folder, 'a.tar')
    const files = [0, 1, 511, 512, 513, 5000].map((size) => [`file-${size}`, Buffer.alloc(size, 'x')] as const)
    const tar = await createTar(path, new Date())
    for (const [name, bytes] of files) await tar.add(name, bytes)
    await assert.rejects(tar.add('n'.repeat(101), Buffer.alloc(1)), /too long/)
    await tar.finish()
    const found: [string, Buffer][] = []
    for await (const { name, content } of readTar(path)) found.push([name, await content()])
    assert.deepEqual(found, files)
    rmSync(folder, { recursive: true })
  })
})

/** Every row of a backup by table, in an order that does not depend on the server. */
async function rowsIn(path: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for await (const { name, content } of readTar(path)) {
    const part = parseTableFileName(name)
    if (part === undefined) continue
    const lines = gunzipSync(await content())
      .toString()
      .trimEnd()
      .split('\n')
    rows[part.table] = [...(rows[part.table] ?? []), ...lines].sort()
  }
  // What the worker does beside it.
  for (const table of ['schedule', 'lane', 'trouble']) delete rows[table]
  return rows
}

async function emptyAgain(database: TestDatabase): Promise<void> {
  const tables = await database.asOwner(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname <> 'schema_version'`,
  )
  await database.asOwner(`truncate ${tables.map(({ name }) => String(name)).join(', ')}`)
}

async function countRows(database: TestDatabase): Promise<number> {
  const rows = await database.asOwner(
    `select (select count(*) from tenant) + (select count(*) from app_user) + (select count(*) from event) as count`,
  )
  return Number(rows[0]!['count'])
}

function startProcess(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, ['bin/countersign.js', ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { child, ended: once(child, 'exit') as Promise<[number | null, string | null]> }
}

/** The command in a process of its own, which may be killed. */
async function runProcess(
  args: string[],
  environment: Record<string, string>,
  { killAfterMs }: { killAfterMs?: number } = {},
): Promise<[number | null, string | null]> {
  const { child, ended } = startProcess(args, environment)
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [code, signal] = await ended
  clearTimeout(timer)
  if (killAfterMs === undefined && code !== 0) console.error(words)
  return [code, signal]
}
