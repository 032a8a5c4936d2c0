// What the measurements share: a durable database of their own, one tenant, servers in processes of their own.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTenant } from '#features/onboarding/index.ts'
import { processEnvironment } from '#main/supervise.ts'
import { openDatabase } from '#platform/db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { migrate } from '#platform/db/migrate.ts'
import { newId } from '#platform/ids.ts'
import type { Setup } from './servers/messages.ts'

const KEY = 'csk_a-key-that-the-benchmark-gives-itself'

/** The product's own, which are started as the product starts them. */
const OWN_PROCESSES = new Set(['countersign', 'sealer'])

export type Bench = {
  tenantId: string
  departmentId: string
  userId: string
  headers: Record<string, string>
  owner: pg.Client
  connection: pg.PoolConfig
  /** Starts one of bench/servers and answers with its address; several of a kind need names of their own. */
  startServer(kind: string, name?: string): Promise<string>
  /** Ends one that is not needed any more. */
  stopServer(name: string): void
  pidOf(name: string): number
  /** Sends a server a word and waits for its answer. */
  ask(name: string, question: string): Promise<unknown>
  close(): Promise<void>
}

export type BenchOptions = {
  /** A folder that is kept, and found again by the next run; otherwise one that is gone afterwards. */
  keptFolder?: string
  /** Lets the database count what each statement reads. */
  countsBlocks?: boolean
}

export async function openBench({ keptFolder, countsBlocks = false }: BenchOptions = {}): Promise<Bench> {
  const folder = keptFolder ?? mkdtempSync(join('/tmp', 'countersign-bench-'))
  const postgres = await startPostgres(folder, countsBlocks)
  const { connection } = postgres
  await migrate(connection, new Date())
  const owner = new pg.Client(connection)
  await owner.connect()
  const tenant = await findTenant(connection, join(folder, 'bench-tenant.json'))
  const setup: Setup = { connection, folder, tenantId: tenant.tenantId, key: KEY }
  const children = new Map<string, ChildProcess>()
  return {
    tenantId: tenant.tenantId,
    departmentId: tenant.rootDepartmentId,
    userId: tenant.administratorId,
    headers: { 'ocp-apim-subscription-key': KEY, 'content-type': 'application/json' },
    owner,
    connection,
    startServer(kind, name = kind) {
      const env = OWN_PROCESSES.has(kind) ? processEnvironment() : process.env
      const child = fork(fileURLToPath(new URL(`./servers/${kind}.ts`, import.meta.url)), {
        env,
        // A line for each call is part of what it costs; nobody reads them here.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      children.set(name, child)
      child.send(setup)
      return untilUp(child, name)
    },
    stopServer: (name) => void children.get(name)!.kill(),
    pidOf: (name) => children.get(name)!.pid!,
    async ask(name, question) {
      const child = children.get(name)!
      child.send(question)
      const [answer] = (await once(child, 'message')) as [unknown]
      return answer
    },
    async close() {
      for (const child of children.values()) child.kill()
      await owner.end()
      await postgres.stop()
      if (keptFolder === undefined) removeAtTheEnd(folder)
    },
  }
}

const finished = new Set<string>()
const REMOVAL = { recursive: true, force: true }

/** Not between two measurements: ext4 is slow at making files for a minute after it has freed thousands of others. */
function removeAtTheEnd(folder: string): void {
  if (finished.size === 0) process.once('exit', () => finished.forEach((each) => rmSync(each, REMOVAL)))
  finished.add(folder)
}

/** What counts statements must be there when the server starts, so it is started twice. */
async function startPostgres(folder: string, countsBlocks: boolean): Promise<EmbeddedPostgres> {
  const start = () => startEmbeddedPostgres({ dataDir: folder, log: console.error })
  const first = await start()
  if (!countsBlocks) return first
  const client = new pg.Client(first.connection)
  await client.connect()
  await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
  await client.query('create extension if not exists pg_stat_statements')
  await client.end()
  await first.stop()
  return start()
}

type Tenant = Awaited<ReturnType<typeof makeTenant>>

/** The tenant of a folder that was kept, or a new one. */
async function findTenant(connection: pg.PoolConfig, file: string): Promise<Tenant> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Tenant
  const tenant = await makeTenant(connection)
  writeFileSync(file, JSON.stringify(tenant))
  return tenant
}

async function makeTenant(connection: pg.PoolConfig) {
  const db = openDatabase({ connection, role: 'countersign_request', poolSize: 1, onConnectionError: console.error })
  const tenantId = newId()
  const administrator = { email: 'admin@example.com', passwordHash: 'none' }
  const tenant = await db.transaction(tenantId, (tx) =>
    createTenant(tx, { tenantId, name: 'Bench', administrator, primaryKey: KEY, now: new Date() }),
  )
  await db.close()
  return tenant
}

async function untilUp(child: ChildProcess, name: string): Promise<string> {
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  return url
}
