// Here the older release is this program itself, on a database that has got one more migration than it knows. With a real
// older one: npm run proof:upgrade -- --from REVISION.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { latestVersion, migrate } from '#platform/db/migrate.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { databaseEnvironment } from './machines.ts'
import { rollOver } from './upgrade/roll-over.ts'

describe('an upgrade', () => {
  let database: TestDatabase
  let folder: string

  before(async () => {
    database = await createDatabase()
    folder = mkdtempSync(join(tmpdir(), 'countersign-upgrade-'))
    cpSync('db/migrations', join(folder, 'migrations'), { recursive: true })
    const next = `${String(latestVersion() + 1).padStart(6, '0')}_next.sql`
    writeFileSync(join(folder, 'migrations', next), 'alter table signature_request add column later text')
  })
  after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  test('under load loses nothing that was answered, and refuses nobody', async (t) => {
    const figures = await rollOver({
      environment: { ...databaseEnvironment(database), COUNTERSIGN_STORAGE: join(folder, 'documents') },
      olderFolder: '.',
      newerFolder: '.',
      migrate: () => migrate(database.connection, new Date(), { folder: join(folder, 'migrations') }),
    })
    t.diagnostic(JSON.stringify({ ...figures, lost: figures.lost.length, repeated: figures.repeated.length }))
    assert.deepEqual(figures.surprises, [])
    assert.deepEqual(figures.repeated, [], 'somebody was refused for a while, or not answered')
    assert.deepEqual(figures.lost, [])
    assert.ok(figures.wasOlderReady, 'the older server went out of service when the database was migrated')
    assert.ok(figures.answered > 20)
  })
})
