import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { environmentOf, openShell } from '../../../test/command-line.ts'
import { startService, type TestService } from '../../../test/service.ts'

describe('migrate', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  test('says that it waits for somebody else who is migrating', async () => {
    const other = new pg.Client(service.database.connection)
    await other.connect()
    await other.query('select pg_advisory_lock(7142025991)')
    const migrated = openShell(environmentOf(service))('migrate')
    await wait(1_000)
    await other.end()
    const { exitCode, out, err } = await migrated
    assert.deepEqual([exitCode, out], [0, 'The database is up to date.\n'], err)
    assert.match(err, /Somebody else is migrating this database\. Waiting for the end of it\./)
  })
})
