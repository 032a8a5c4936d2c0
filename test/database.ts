// A fresh, migrated database for each test file: a copy of one that is migrated once a process.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase, type Database, type RuntimeRole } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { getTestCluster } from './cluster.ts'

const TEMPLATE = 'countersign_template'

export type TestDatabase = {
  name: string
  connection: pg.ClientConfig
  open(role?: RuntimeRole, poolSize?: number): Database
  /** Runs SQL as the owner, past every rule: to look at what is there, or to break it. */
  asOwner(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

let template: Promise<void> | undefined

export async function createDatabase(): Promise<TestDatabase> {
  const server = getTestCluster().connection
  template ??= makeTemplate(server)
  await template
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${TEMPLATE}`)
  const connection = { ...server, database: name }
  const opened: Database[] = []
  const owner = new pg.Pool({ ...connection, max: 2 })
  owner.on('error', () => {})
  return {
    name,
    connection,
    open(role = 'countersign_request', poolSize = 10) {
      const db = openDatabase({ connection, role, poolSize, onConnectionError: () => {} })
      opened.push(db)
      return db
    },
    asOwner: async (sql, values) => (await owner.query(sql, values)).rows,
    async drop() {
      await Promise.all([...opened.map((db) => db.close()), owner.end()])
      await onServer(server, `drop database if exists ${name} with (force)`)
    },
  }
}

async function makeTemplate(server: pg.ClientConfig): Promise<void> {
  await onServer(server, `drop database if exists ${TEMPLATE} with (force)`)
  await onServer(server, `create database ${TEMPLATE}`)
  await migrate({ ...server, database: TEMPLATE }, new Date())
}

async function onServer(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(server)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
