// What the tests of the embedded server share: throw-away folders, a query, and a server in a process of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../embedded-postgres.ts'

const cleaning = new WeakMap<TestContext, (() => void | Promise<void>)[]>()

// The test runner calls t.after() hooks first to last; a folder has to outlive the server in it.
function cleanUpAfter(t: TestContext, step: () => void | Promise<void>): void {
  const steps = cleaning.get(t)
  if (steps !== undefined) return void steps.unshift(step)
  const all = [step]
  cleaning.set(t, all)
  t.after(async () => {
    for (const next of all) await next()
  })
}

/** A new folder that is gone after the test. */
export function makeScratch(t: TestContext): string {
  // Not the system's temporary folder: TMPDIR may be long, or closed to the database user.
  const path = mkdtempSync('/tmp/cs-')
  chmodSync(path, 0o755)
  cleanUpAfter(t, () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

let used: Promise<string> | undefined

/** A data directory in which servers have run before. Tests share it, one after the other: making one costs half a second. */
export function findUsedDirectory(): Promise<string> {
  return (used ??= makeUsedDirectory())
}

/** A copy of the used data directory, for a test that needs a place of its own. */
export async function copyUsedDirectory(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('cp', ['-a', await findUsedDirectory(), path])
}

async function makeUsedDirectory(): Promise<string> {
  const path = mkdtempSync('/tmp/cs-used-')
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({ dataDir: path, durability: 'tests', log: () => {} })
  await server.stop()
  return path
}

/** Starts a server that is stopped after the test, whatever became of it. */
export async function start(
  t: TestContext,
  options: Partial<EmbeddedPostgresOptions> & { dataDir: string },
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ durability: 'tests', log: () => {}, ...options })
  cleanUpAfter(t, () => server.stop())
  return server
}

/** Runs statements on a connection of their own and returns the last one's rows. */
export async function query(ownerUrl: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    let rows: Record<string, unknown>[] = []
    for (const sql of statements) rows = (await client.query<Record<string, unknown>>(sql)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** A session in the middle of a transaction. Resolves once the server is busy with it; `cut` does when it was ended. */
export async function startLongTransaction(ownerUrl: string): Promise<{ cut: Promise<unknown> }> {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {}) // The end of the connection also rejects the query, which is what the test waits for.
  await client.connect()
  await client.query('begin')
  await client.query('create table unfinished (n int)')
  return { cut: client.query('select pg_sleep(60)').catch((error: unknown) => error) }
}

export type HeldServer = {
  process: ChildProcess
  ownerUrl: string
  pid: number
  clusterDir: string
  isFirstStart: boolean
  warnings: string[]
  tookMs: number
}

/** Starts a server from a process of its own, as another user if wanted. */
export async function holdServer(dataDir: string, user: { uid?: number; gid?: number } = {}): Promise<HeldServer> {
  const script = fileURLToPath(new URL('hold-server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/', ...user })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  let line = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    line += String(chunk)
    if (line.endsWith('\n')) break
  }
  if (line === '') throw new Error(`no server: ${complaint}`)
  return { process: child, ...(JSON.parse(line) as Omit<HeldServer, 'process'>) }
}
