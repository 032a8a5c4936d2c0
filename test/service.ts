// The real service inside the test's process: its own database and blob store, every route, answers held against their
// schemas. Callers speak HTTP to it over a loopback port.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createTenant, createKey } from '#features/onboarding/index.ts'
import { listFramers } from '#features/signer/index.ts'
import { makePlatform } from '#main/platform.ts'
import { routes } from '#main/routes.ts'
import { WEB_FOLDER } from '#main/web-build.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { readConfig } from '#platform/config/config.ts'
import { newId } from '#platform/ids.ts'
import { makeLog } from '#platform/log/log.ts'
import { makeMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { addPages } from '#platform/http/static-pages.ts'
import type { Platform } from '#platform/platform.ts'
import { checkAnswer } from './check-answer.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { startTestWorker, type TestWorker, type TestWorkerOptions } from './worker.ts'

export const PASSWORD = 'a password for the tests'
let passwordHash: Promise<string> | undefined

export type TestTenant = {
  tenantId: string
  rootDepartmentId: string
  administratorId: string
  administratorEmail: string
  keyId: string
  serviceUserId: string
  /** A key that reaches the whole tenant. */
  key: string
  /** Calls the service with that key. */
  call: Caller
  /** Calls it as the tenant's administrator: the key and a bearer token. */
  asAdministrator: Caller
}

export type Reply = { status: number; headers: Headers; text: string; json: any } // eslint-disable-line typescript/no-explicit-any
export type CallOptions = { headers?: Record<string, string>; raw?: string | Buffer | ReadableStream<Uint8Array> }
export type Caller = (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Reply>

export type TestClock = Clock & { set(moment: Date): void; advance(ms: number): void }

export type TestService = {
  url: string
  app: FastifyInstance
  platform: Platform
  database: TestDatabase
  clock: TestClock
  blobFolder: string
  secretKey: string
  /** Calls with the given headers and nothing else. */
  call: Caller
  /** With an id that the operator's settings name already, where one is given. */
  createTenant(name?: string, tenantId?: string): Promise<TestTenant>
  /** A key that reaches one department and what lies below it. */
  createDepartmentKey(tenant: TestTenant, departmentId: string): Promise<Caller>
  /** Starts a worker beside it, which ends with the service if nobody stops it earlier. */
  startWorker(options?: TestWorkerOptions): TestWorker
  stop(): Promise<void>
}

export const SECRET_KEY = 'a secret key that is used in tests alone'

export type ServiceOptions = {
  /** Does what the service asks to be done later. */
  worker?: boolean | TestWorkerOptions
  /** Stands between the server and its database. */
  overDatabase?: (db: Database) => Database
}

export async function startService(
  environment: Record<string, string> = {},
  options: ServiceOptions = {},
): Promise<TestService> {
  const database = await createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-service-'))
  const config = readConfig({ COUNTERSIGN_DATA: folder, COUNTERSIGN_LOG_LEVEL: 'silent', ...environment })
  const blobFolder = join(folder, 'documents')
  const blobs = await openLocalBlobs(blobFolder)
  const clock = makeTestClock()
  const db = database.open('countersign_request', config.databasePoolSize)
  const platform = makePlatform({
    config,
    secretKey: SECRET_KEY,
    db: options.overDatabase ? options.overDatabase(db) : db,
    blobs,
    log: makeLog(config.logLevel, 'test'),
    clock,
  })
  const app = buildServer({ platform, routes, metrics: makeMetrics(), checkAnswer })
  addPages(app, { folder: WEB_FOLDER, listFramers: (page) => listFramers(platform, page) })
  // Identity providers know the address beforehand; otherwise any free port does.
  const port = environment['COUNTERSIGN_PORT'] === undefined ? 0 : config.port
  const url = await app.listen({ port, host: '127.0.0.1' })
  const workers: TestWorker[] = []
  const startWorker = (wanted?: TestWorkerOptions) => {
    const worker = startTestWorker({ platform, secretKey: SECRET_KEY, database }, wanted)
    workers.push(worker)
    return worker
  }
  if (options.worker) startWorker(options.worker === true ? {} : options.worker)

  return {
    url,
    app,
    platform,
    database,
    clock,
    blobFolder,
    secretKey: SECRET_KEY,
    call: makeCaller(url, {}),
    createTenant: (name, tenantId) => makeTenant(platform, url, name, tenantId),
    async createDepartmentKey({ tenantId }, departmentId) {
      const created = await platform.db.transaction(tenantId, (tx) =>
        createKey(tx, { tenantId, departmentId, name: 'Department key', now: clock.now() }),
      )
      return makeCaller(url, { 'ocp-apim-subscription-key': created.primaryKey })
    },
    startWorker,
    async stop() {
      await app.close()
      await Promise.all(workers.map((worker) => worker.stop()))
      await blobs.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeTenant(platform: Platform, url: string, name = 'Acme', tenantId = newId()): Promise<TestTenant> {
  const administratorEmail = `admin-${tenantId.slice(-12)}@example.com`
  passwordHash ??= hashPassword(PASSWORD)
  const administrator = { email: administratorEmail, passwordHash: await passwordHash }
  const now = platform.clock.now()
  const created = await platform.db.transaction(tenantId, (tx) =>
    createTenant(tx, { tenantId, name, administrator, now }),
  )
  const token = await platform.tokens.issue(
    { userId: created.administratorId, tenantId, departmentId: created.rootDepartmentId, role: 'administrator' },
    now,
  )
  const key = created.key.primaryKey
  return {
    tenantId,
    rootDepartmentId: created.rootDepartmentId,
    administratorId: created.administratorId,
    administratorEmail,
    keyId: created.key.keyId,
    serviceUserId: created.key.serviceUserId,
    key,
    call: makeCaller(url, { 'ocp-apim-subscription-key': key }),
    asAdministrator: makeCaller(url, { 'ocp-apim-subscription-key': key, authorization: `Bearer ${token}` }),
  }
}

export function makeCaller(url: string, headers: Record<string, string>): Caller {
  return async (method, path, body, options = {}) => {
    const isJson = options.raw === undefined && body !== undefined
    const response = await fetch(url + path, {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers, ...options.headers },
      redirect: 'manual',
      ...(isJson && { body: JSON.stringify(body) }),
      ...(options.raw !== undefined && { body: options.raw, duplex: 'half' }),
    })
    const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream')
    const text = isEndless ? await readBeginning(response) : await response.text()
    const isJsonAnswer = response.headers.get('content-type')?.startsWith('application/json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJsonAnswer ? JSON.parse(text) : undefined,
    }
  }
}

/** The first piece of an answer that has no end; then the connection is let go. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? []).toString()
}

/** The real time, moved by what a test asks for. */
function makeTestClock(): TestClock {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    set: (moment) => {
      offsetMs = moment.getTime() - Date.now()
    },
    advance: (ms) => {
      offsetMs += ms
    },
  }
}
