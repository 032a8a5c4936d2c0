// The only way to SQL. A `Database` can do nothing but open transactions; a statement runs only on a `Tx`.
import pg from 'pg'
import { AppError, errorKind } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { makeListeners } from './listen.ts'

export type QueryResult = { rows: Record<string, unknown>[]; rowCount: number | null }

export type Tx = {
  query(name: string, text: string, values: unknown[]): Promise<QueryResult>
  /** Runs after the transaction has committed, for wake-ups and caches; never for anything that must not be lost. */
  afterCommit(action: () => void): void
  /** Tells the workers, once this transaction has committed, that there is something to do. */
  wakeWorkers(): void
  /** Tells whoever listens to a channel, once this transaction has committed. Only a hint: it may get lost. */
  announce(channel: string, what: string): void
}

export type Database = {
  /** Runs `work` in one transaction that sees only this tenant's rows. */
  transaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** For the few things that know no tenant yet: row-level security then hides every tenant's rows. */
  systemTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Hears what is announced on a channel, until the answer is called. */
  listen(channel: string, heard: (what: string) => void): () => void
  close(): Promise<void>
}

export type TransactionOptions = {
  /** How long a lock may be waited for; beyond it the call is refused as busy. */
  lockTimeoutMs?: number
}

export type RuntimeRole = 'countersign_request' | 'countersign_worker'

export type DatabaseOptions = {
  connection: pg.PoolConfig
  role: RuntimeRole | undefined
  poolSize: number
  /** False behind a connection pooler that can't keep prepared statements. */
  usePreparedStatements?: boolean
  onConnectionError: (error: Error) => void
}

const MAX_TRIES = 4
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
const ANNOUNCE_AFTER_MS = 5

/** Where workers listen. */
export const WAKE_CHANNEL = 'countersign_work'

export const databaseBusy = errorKind(
  {
    code: 9001,
    classification: 'InternalError',
    meaning: 'The database is busy or out of reach for the moment; try again.',
  },
  () => 'The service is busy. Try again in a moment.',
)

export const twinStillRunning = errorKind(
  {
    code: 9002,
    classification: 'InternalError',
    meaning: 'Another call is still working on the same thing; try again.',
  },
  () => 'Another call is still working on the same thing. Try again in a moment.',
)

/** Opens a pool whose connections take on the runtime role from their first byte. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.poolSize,
    // Statements go out without waiting for the answers to those before: BEGIN costs no round trip of its own.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: 'countersign',
    types: { getTypeParser },
    options: startupOptions(options.role),
  })
  // Without listeners, one connection that the server drops ends the whole process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => client.on('error', options.onConnectionError))
  const context = { pool, isPrepared: options.usePreparedStatements ?? true, announce: makeAnnouncer(pool) }
  const listeners = makeListeners({ connection: options.connection, onError: options.onConnectionError })

  return {
    transaction: (tenantId, work, { lockTimeoutMs } = {}) => {
      if (!isUuid(tenantId)) throw new Error('a transaction needs a tenant')
      const lockTimeout = lockTimeoutMs === undefined ? '' : `; set local lock_timeout = ${Math.floor(lockTimeoutMs)}`
      const opening = `begin; select set_config('app.tenant', '${tenantId}', true)${lockTimeout}`
      return runInTransaction(context, opening, work)
    },
    systemTransaction: (work) => runInTransaction(context, 'begin', work),
    listen: (channel, heard) => listeners.listen(channel, heard),
    close: async () => {
      await listeners.stop()
      await pool.end()
    },
  }
}

function startupOptions(role: RuntimeRole | undefined): string {
  const settings = [
    `-c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    `-c lock_timeout=10000`,
    '-c idle_in_transaction_session_timeout=30000',
    '-c timezone=UTC',
    '-c search_path=public',
  ]
  if (role) settings.push(`-c role=${role}`)
  return settings.join(' ')
}

type Announce = (channel: string, what: string) => void
type Context = { pool: pg.Pool; isPrepared: boolean; announce: Announce }

/** Debounced, and from a connection of its own: inside the transactions a notification would put all commits in a row. */
function makeAnnouncer(pool: pg.Pool): Announce {
  let waiting = new Map<string, { channel: string; what: string }>()
  const announceAll = () => {
    const all = [...waiting.values()]
    waiting = new Map()
    const values = [all.map(({ channel }) => channel), all.map(({ what }) => what)]
    // Only a hint: whoever listens looks by itself as well.
    pool.query('select pg_notify(c, w) from unnest($1::text[], $2::text[]) as a (c, w)', values).catch(() => {})
  }
  return (channel, what) => {
    if (waiting.size === 0) setTimeout(announceAll, ANNOUNCE_AFTER_MS)
    waiting.set(`${channel} ${what}`, { channel, what })
  }
}

async function runInTransaction<T>(context: Context, opening: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransaction(context, opening, work)
    } catch (error) {
      if (attempt < MAX_TRIES && isWorthAnotherTry(error)) continue
      throw explain(error)
    }
  }
}

async function tryTransaction<T>(context: Context, opening: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { isPrepared, announce } = context
  const client = await context.pool.connect()
  const actions: (() => void)[] = []
  const tx: Tx = {
    query: (name, text, values) => client.query(isPrepared ? { name, text, values } : { text, values }),
    afterCommit: (action) => actions.push(action),
    wakeWorkers: () => actions.push(() => announce(WAKE_CHANNEL, '')),
    announce: (channel, what) => actions.push(() => announce(channel, what)),
  }
  let result: T
  try {
    const begun = client.query(opening)
    // Should it fail, the statements after it fail too: without a tenant nothing is visible and nothing may be written.
    begun.catch(() => {})
    result = await work(tx)
    await begun
    await client.query('commit')
  } catch (error) {
    const isUsable = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!isUsable)
    throw error
  }
  client.release()
  for (const action of actions) action()
  return result
}

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Serialisation failures and deadlocks: the server rolled us back and asks us to come again. */
function isWorthAnotherTry(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

function explain(error: unknown): unknown {
  if (error instanceof AppError) return error
  const state = sqlState(error)
  if (state === '55P03') return withCause(twinStillRunning(), error, 1)
  if (isConnectionTrouble(error, state)) return withCause(databaseBusy(), error, 2)
  return error
}

function isConnectionTrouble(error: unknown, state: string | undefined): boolean {
  if (state !== undefined && /^(08|53|57P0)/.test(state)) return true
  if (state !== undefined && ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57014'].includes(state)) return true
  return error instanceof Error && /timeout exceeded when trying to connect|Connection terminated/.test(error.message)
}

function withCause(error: AppError, cause: unknown, retryAfterS: number): AppError {
  return new AppError(error.classification, error.code, error.message, { cause, retryAfterS })
}

const INT8 = 20

/** Counters stay far below 2^53, so int8 arrives as a number; everything else as node-postgres reads it. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return Number
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown
}
