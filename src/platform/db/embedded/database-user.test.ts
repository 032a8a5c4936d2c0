import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findPackage } from './binaries.ts'
import { canReach, chooseDatabaseUser, giveTree, isRoot, parsePasswd } from './database-user.ts'
import { EmbeddedPostgresError } from './embedded-postgres.ts'
import { copyUsedDirectory, findUsedDirectory, holdServer, makeScratch, query, start } from './testing/scratch.ts'

const needsRoot = { skip: !isRoot() && 'needs root' }

function findNobody() {
  const nobody = parsePasswd(readFileSync('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody')
  assert.ok(nobody)
  return nobody
}

/** A copy of PostgreSQL's package as `npm ci --ignore-scripts` leaves it: without the links of its libraries. */
function copyPackageWithoutLinks(to: string): string {
  execFileSync('cp', ['-a', findPackage(), to])
  const lib = join(to, 'native', 'lib')
  for (const entry of readdirSync(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(lib, entry.name))
  }
  return to
}

describe('the user that the embedded server runs as', () => {
  test('users are read from /etc/passwd, and broken lines passed over', () => {
    const text = 'root:x:0:0:root:/root:/bin/sh\n# a comment\n\n+::::::\npostgres:x:101:104::/var/lib/postgresql:\n'
    assert.deepEqual(parsePasswd(text), [
      { name: 'root', uid: 0, gid: 0 },
      { name: 'postgres', uid: 101, gid: 104 },
    ])
  })

  test('is ourselves where we are not root', { skip: isRoot() && 'needs an ordinary user' }, async (t) => {
    assert.deepEqual(await chooseDatabaseUser(makeScratch(t)), { user: undefined, warnings: [] })
  })

  test('is the owner of the data directory, and "nobody" comes with a warning', needsRoot, async (t) => {
    const nobody = findNobody()
    const dataDir = makeScratch(t)
    chownSync(dataDir, nobody.uid, nobody.gid)
    const { user, warnings } = await chooseDatabaseUser(dataDir)
    assert.deepEqual(user, nobody)
    assert.match(warnings.join(), /runs as "nobody"/)
  })

  test('reaches a folder only if every folder above lets it pass', needsRoot, async (t) => {
    const nobody = findNobody()
    const parent = makeScratch(t)
    const folder = join(parent, 'folder')
    mkdirSync(folder, { mode: 0o755 })
    assert.equal(await canReach(nobody, folder), true)
    chmodSync(parent, 0o700)
    assert.equal(await canReach(nobody, folder), false)
    chownSync(parent, nobody.uid, 0)
    assert.equal(await canReach(nobody, folder), true)
  })

  test('an ordinary user starts a server, and root goes on with it as that user', needsRoot, async (t) => {
    const nobody = findNobody()
    if (!(await canReach(nobody, fileURLToPath(new URL('.', import.meta.url))))) return t.skip('checkout is closed')
    const dataDir = makeScratch(t)
    chownSync(dataDir, nobody.uid, nobody.gid)
    const held = await holdServer(dataDir, { uid: nobody.uid, gid: nobody.gid })
    assert.equal(held.isFirstStart, true)
    assert.deepEqual(held.warnings, [])
    held.process.kill('SIGKILL')
    const server = await start(t, { dataDir })
    assert.equal(server.isFirstStart, false)
    assert.equal(statSync(`/proc/${server.pid}`).uid, nobody.uid)
    await server.stop()

    chownSync(dataDir, 0, 0)
    await giveTree(join(dataDir, 'pg'), { name: 'root', uid: 0, gid: 0 })
    const restored = await start(t, { dataDir })
    assert.notEqual(statSync(`/proc/${restored.pid}`).uid, 0, 'files restored by root change hands')
  })

  test("an ordinary user hears that a database is another user's", needsRoot, async (t) => {
    const nobody = findNobody()
    if (!(await canReach(nobody, fileURLToPath(new URL('.', import.meta.url))))) return t.skip('checkout is closed')
    const dataDir = await findUsedDirectory()
    await assert.rejects(holdServer(dataDir, { uid: nobody.uid, gid: nobody.gid }), /belongs to another user/)
  })

  test('libraries without their links get them, as after npm ci --ignore-scripts', async (t) => {
    const packageDir = copyPackageWithoutLinks(join(makeScratch(t), 'package'))
    const dataDir = await findUsedDirectory()
    const { ownerUrl } = await start(t, { dataDir, packageDir })
    assert.deepEqual(await query(ownerUrl, 'select 1 as one'), [{ one: 1 }])
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('pg-native')),
      [],
    )
  })

  test('programs that it cannot read are copied, once', needsRoot, async (t) => {
    const packageDir = copyPackageWithoutLinks(join(makeScratch(t), 'package'))
    chmodSync(dirname(packageDir), 0o700)
    const dataDir = makeScratch(t)
    const messages: string[] = []
    const log = (message: string) => messages.push(message)
    const server = await start(t, { dataDir, packageDir, log })
    assert.deepEqual(await query(server.ownerUrl, 'select 1 as one'), [{ one: 1 }])
    await server.stop()
    const again = await start(t, { dataDir, packageDir, log })
    assert.deepEqual(await query(again.ownerUrl, 'select 1 as one'), [{ one: 1 }])
    assert.equal(messages.filter((message) => message.startsWith('copying')).length, 1)
    const [copy = '', ...others] = readdirSync(dataDir).filter((name) => name.startsWith('pg-native'))
    assert.deepEqual(others, [])
    assert.equal(statSync(join(dataDir, copy)).uid, 0, 'the database user cannot change the programs')
  })

  test('a data directory that it cannot reach: the database goes elsewhere, and stays there', needsRoot, async (t) => {
    const parent = makeScratch(t)
    chmodSync(parent, 0o700)
    const dataDir = join(parent, 'data')
    const systemDir = join(makeScratch(t), 'system')
    const server = await start(t, { dataDir, systemDir })
    assert.ok(server.clusterDir.startsWith(systemDir))
    assert.match(server.warnings.join(), /The database lies in .*cannot reach/)
    await query(server.ownerUrl, 'create table kept (n int)')
    await server.stop()

    chmodSync(parent, 0o755)
    const again = await start(t, { dataDir, systemDir })
    assert.equal(again.isFirstStart, false)
    assert.deepEqual(await query(again.ownerUrl, 'select count(*)::int as n from kept'), [{ n: 0 }])
    await again.stop()

    rmSync(systemDir, { recursive: true })
    await assert.rejects(
      start(t, { dataDir, systemDir }),
      (error) => error instanceof EmbeddedPostgresError && error.reason === 'lost',
    )
    assert.equal(existsSync(join(dataDir, 'pg')), false)
    rmSync(dataDir, { recursive: true })
    const afresh = await start(t, { dataDir, systemDir })
    assert.equal(afresh.isFirstStart, true)
  })

  test('a database that became unreachable is an error, never a new one', needsRoot, async (t) => {
    const parent = makeScratch(t)
    const dataDir = join(parent, 'data')
    await copyUsedDirectory(dataDir)
    chmodSync(parent, 0o700)
    await assert.rejects(
      start(t, { dataDir }),
      (error) => error instanceof EmbeddedPostgresError && error.reason === 'unreachable',
    )
  })
})
