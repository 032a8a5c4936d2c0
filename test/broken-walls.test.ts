// A database in which somebody has broken a rule of isolation: nothing of ours works on it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from './database.ts'
import { databaseEnvironment, startMachine } from './machines.ts'

const REFUSAL =
  /could not start: the database does not keep tenants apart: row-level security is not enabled and forced on a tenant table: signatory/

describe('on a database that does not keep tenants apart', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
    await database.asOwner('alter table signatory disable row level security')
  })
  after(() => database.drop())

  test('no server starts', () => requireRefusal('serve'))

  test('no worker starts', () => requireRefusal('work'))

  test('both start once it does again', async () => {
    await database.asOwner('alter table signatory enable row level security')
    const environment = databaseEnvironment(database)
    for (const part of ['serve', 'work'] as const) {
      const machine = await startMachine({ part, environment })
      assert.equal(await machine.end('SIGTERM'), 0)
    }
  })

  /** One that starts all the same is ended, so that the test fails rather than waits. */
  async function requireRefusal(part: 'serve' | 'work'): Promise<void> {
    const starting = startMachine({ part, environment: databaseEnvironment(database) })
    await assert.rejects(
      starting.then((machine) => machine.end('SIGKILL')),
      REFUSAL,
    )
  }
})
