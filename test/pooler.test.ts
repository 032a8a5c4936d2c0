// A connection pooler stands between us and the database. What it does not pass on, the database never hears.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createDatabase, type TestDatabase } from './database.ts'
import { databaseEnvironment, startMachine } from './machines.ts'

const PORT = 5432
/** Its length and the version of the protocol. */
const STARTUP_HEAD_BYTES = 8

describe('behind a connection pooler', () => {
  let database: TestDatabase
  before(async () => {
    database = await createDatabase()
  })
  after(() => database.drop())

  test('that drops the options of a session, no server starts with the rights of the owner', () =>
    requireRefusal('serve', 'countersign_request'))

  test('that drops the options of a session, no worker starts with the rights of the owner', () =>
    requireRefusal('work', 'countersign_worker'))

  async function requireRefusal(part: 'serve' | 'work', role: string): Promise<void> {
    const pooler = await startPooler(database)
    const connection = { ...database.connection, host: pooler.folder, port: PORT }
    try {
      const environment = databaseEnvironment({ ...database, connection })
      await assert.rejects(
        startMachine({ part, environment }),
        new RegExp(`could not start: sessions of the database have the rights of \\w+ instead of ${role}`),
      )
      assert.ok(pooler.dropped() > 0)
    } finally {
      await pooler.stop()
    }
  }
})

/** Passes everything on but the options that a session begins with, as PgBouncer does when it is told to ignore them. */
async function startPooler({ connection }: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'))
  const sockets = new Set<Socket>()
  let dropped = 0
  const server = createServer((client) => {
    const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`)
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => socket.destroy()))
    client.once('data', (first) => {
      const rest = withoutOptions(first)
      if (rest.length < first.length) dropped++
      upstream.write(rest)
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder, `.s.PGSQL.${PORT}`), resolve))
  return {
    folder,
    dropped: () => dropped,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The first message of a session: pairs of names and values, each ended by a zero. */
function withoutOptions(message: Buffer): Buffer {
  const words = message.subarray(STARTUP_HEAD_BYTES).toString('latin1').split('\0')
  const at = words.indexOf('options')
  if (at < 0) return message
  words.splice(at, 2)
  const body = Buffer.from(words.join('\0'), 'latin1')
  const head = Buffer.from(message.subarray(0, STARTUP_HEAD_BYTES))
  head.writeInt32BE(STARTUP_HEAD_BYTES + body.length)
  return Buffer.concat([head, body])
}
