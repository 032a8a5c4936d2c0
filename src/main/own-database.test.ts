import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../../test/until.ts'
import { ANSWERS_WITHIN_MS, runOwnDatabase, type OwnDatabase } from './own-database.ts'

const WITHIN = { withinMs: 180_000, everyMs: 50 }

async function ask(database: OwnDatabase): Promise<unknown> {
  const client = new pg.Client(database.current().connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query('select 1 as one')).rows[0]
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

describe('the database of our own', () => {
  let folder: string
  let database: OwnDatabase
  const said: string[] = []
  const givenUp: string[] = []

  before(async () => {
    folder = mkdtempSync('/tmp/countersign-own-database-')
    chmodSync(folder, 0o755)
    database = await runOwnDatabase(folder, {
      say: (line) => said.push(line),
      giveUp: (why) => givenUp.push(why),
    })
  })
  after(async () => {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function kill(): Promise<void> {
    const { pid } = database.current()
    process.kill(pid, 'SIGKILL')
    await until('another one, or the end', async () => database.current().pid !== pid || givenUp.length > 0, WITHIN)
  }

  test('is started again when it is killed, at the same place', async () => {
    const { connection } = database.current()
    await kill()
    await until('an answer', async () => (await ask(database)) !== undefined, WITHIN)
    assert.deepEqual(database.current().connection, connection)
    assert.ok(said.some((line) => line.includes('starting it again')))
    assert.deepEqual(givenUp, [])
  })

  test('is started again as a whole when one of its processes is killed', async () => {
    const { pid } = database.current()
    const client = new pg.Client(database.current().connection)
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]!.pid, 'SIGKILL')
    await until('another one', async () => database.current().pid !== pid, WITHIN)
    await until('an answer', async () => (await ask(database)) !== undefined, WITHIN)
    assert.deepEqual(givenUp, [])
  })

  test('is given up when it keeps ending, and it is told why', async () => {
    for (let deaths = 0; deaths < 12 && givenUp.length === 0; deaths++) await kill()
    assert.equal(givenUp.length, 1)
    assert.match(givenUp[0]!, /keeps ending/)
  })
})

describe('a database of our own that can’t start again', () => {
  test('is not given up before what keeps it from starting had time to pass', async (t) => {
    const folder = mkdtempSync('/tmp/countersign-own-database-')
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const givenUp: string[] = []
    const database = await runOwnDatabase(folder, { say: () => {}, giveUp: (why) => givenUp.push(why) })
    t.after(() => database.stop())
    const { pid, clusterDir } = database.current()
    const rules = join(clusterDir, 'pg_hba.conf')
    const original = readFileSync(rules)
    writeFileSync(rules, 'nonsense\n')
    process.kill(pid, 'SIGKILL')
    await sleep(3_000)
    writeFileSync(rules, original)
    await until('another one, or the end', async () => database.current().pid !== pid || givenUp.length > 0, WITHIN)
    assert.deepEqual(givenUp, [])
    assert.ok(await until('an answer', () => ask(database), WITHIN))
  })
})

describe('a database of our own that runs and answers nobody', () => {
  test('is given a minute, where nobody says otherwise', () => assert.equal(ANSWERS_WITHIN_MS, 60_000))

  test('is ended and started again', async (t) => {
    const folder = mkdtempSync('/tmp/countersign-own-database-')
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    const database = await runOwnDatabase(folder, { say, giveUp: say, answersWithinMs: 4_000 })
    t.after(() => database.stop())
    const { pid } = database.current()
    process.kill(pid, 'SIGSTOP')
    await until(
      'another one that answers',
      async () => database.current().pid !== pid && (await ask(database)) !== undefined,
      WITHIN,
    )
    assert.ok(said.some((line) => line.includes('answered nobody for 4 s')))
  })
})
