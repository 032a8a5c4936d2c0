// Servers and workers as on machines of their own: each a process with a data directory of its own, all on one database
// and one store.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTenant } from '#features/onboarding/index.ts'
import { newId } from '#platform/ids.ts'
import type { TestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { makeCaller, PASSWORD, SECRET_KEY, type Caller } from './service.ts'
import { until } from './until.ts'

const UP_WITHIN_MS = 180_000
const KEPT_OUTPUT = 200_000

export type Machine = {
  /** Where a server answers; empty for a worker. */
  url: string
  process: ChildProcess
  output(): string
  isRunning(): boolean
  /** Ends it in good order, or at once with SIGKILL, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type MachineOptions = {
  part: 'serve' | 'work'
  environment: Record<string, string>
  /** A module that is loaded before anything else. */
  preload?: string
  /** Where the program lies; by default the one under test. */
  folder?: string
}

/** What names the database of a test to a process of ours. */
export function databaseEnvironment({ connection, name }: TestDatabase): Record<string, string> {
  const { host, port, user, password } = connection as Record<string, string>
  const address = `${user}:${password}@/${name}?host=${encodeURIComponent(host!)}&port=${port}`
  return { DATABASE_URL: `postgres://${address}`, COUNTERSIGN_SECRET_KEY: SECRET_KEY }
}

/** Starts a process and waits until it does its work. */
export async function startMachine({ part, environment, preload, folder = '.' }: MachineOptions): Promise<Machine> {
  const dataDir = mkdtempSync('/tmp/countersign-machine-')
  const port = Number(environment['COUNTERSIGN_PORT'] ?? (await freePort()))
  const url = part === 'serve' ? `http://127.0.0.1:${port}` : ''
  const imported = preload === undefined ? [] : ['--import', pathToFileURL(preload).href]
  const child = spawn(process.execPath, [...imported, 'bin/countersign.js', part], {
    cwd: folder,
    env: {
      ...process.env,
      COUNTERSIGN_DATA: dataDir,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_LOG_LEVEL: 'info',
      COUNTERSIGN_RATE_LIMIT: '100000000',
      COUNTERSIGN_INVITATIONS_PER_DAY: '1000000000',
      COUNTERSIGN_STORAGE: join(dataDir, 'documents'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_OUTPUT)))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  child.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const machine: Machine = { url, process: child, output: () => output, isRunning, end: (signal) => end(child, signal) }
  await untilUp(machine, part)
  return machine
}

async function untilUp({ url, output, isRunning }: Machine, part: 'serve' | 'work'): Promise<void> {
  const isUp = async () => (part === 'work' ? output().includes('"msg":"working"') : isReady(url))
  await until(`${part} to be up`, async () => !isRunning() || (await isUp()), { withinMs: UP_WITHIN_MS, everyMs: 25 })
  if (!isRunning()) throw new Error(`${part} ended instead of starting:\n${output()}`)
}

export function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

export type MachineTenant = {
  tenantId: string
  administratorEmail: string
  key: string
  /** Calls one of the servers with the tenant's key. */
  at(url: string): Caller
}

/** A tenant in the database that the machines share; with an id that the operator's settings name, where one is given. */
export async function makeMachineTenant(database: TestDatabase, tenantId = newId()): Promise<MachineTenant> {
  const db = database.open()
  const administratorEmail = `admin-${tenantId}@example.com`
  const administrator = { email: administratorEmail, passwordHash: await hashPassword(PASSWORD) }
  const { key } = await db.transaction(tenantId, (tx) =>
    createTenant(tx, { tenantId, name: 'Several machines', administrator, now: new Date() }),
  )
  const { primaryKey } = key
  return {
    tenantId,
    administratorEmail,
    key: primaryKey,
    at: (url) => makeCaller(url, { 'ocp-apim-subscription-key': primaryKey }),
  }
}
