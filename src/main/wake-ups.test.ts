import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database, type Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { makeLog } from '#platform/log/log.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { listenForWakeUps } from './wake-ups.ts'

describe('wake-ups', () => {
  let database: TestDatabase
  let db: Database
  let listener: { stop(): Promise<void> }
  const heard: string[] = []

  before(async () => {
    database = await createDatabase()
    const { connection } = database
    db = openDatabase({ connection, role: 'countersign_worker', poolSize: 2, onConnectionError: () => {} })
    const note = (what: string) => () => void heard.push(what)
    const log = makeLog('silent', 'test')
    listener = listenForWakeUps({ connection, log, wake: note('anything'), wakeForEvents: note('events') })
  })
  after(async () => {
    await listener.stop()
    await db.close()
    await database.drop()
  })

  test('events wake those who hand them out, and nobody looks for jobs; anything else may be a job', async () => {
    // It takes a moment until it listens.
    await until('word of events', async () => {
      await tell((tx) => tx.tellOfEvents())
      return heard.includes('events')
    })
    assert.ok(!heard.includes('anything'))
    await tell((tx) => tx.wakeWorkers())
    await until('word of a job', async () => heard.includes('anything'))
  })

  const tell = (say: (tx: Tx) => void) =>
    db.transaction(newId(), async (tx) => {
      await tx.query('', 'select 1', [])
      say(tx)
    })
})
