// The only way to SQL. A `Database` can do nothing but open transactions; a statement runs only on a `Tx`.
import pg from 'pg'
import { AppError, errorKind } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import { makeAnnouncer, type Announce } from './announce.ts'
import { Batch, type Query, type QueryResult } from './batch.ts'
import { makeListeners } from './listen.ts'
import { KEEP_ALIVE, KEEPS_SILENT, watchSilence, type Silence } from './silence.ts'
import { StatementSender, type Opening } from './statement-sender.ts'
import { Unawaited } from './unawaited.ts'

export type Tx = {
  query(name: string, text: string, values: unknown[]): Promise<QueryResult>
  /**
   * Takes a statement whose answer nobody needs. It travels with what is sent next, at the latest with the commit, and
   * the transaction fails if it does.
   */
  withoutWaiting(answer: Promise<unknown>): void
  /** Runs after the transaction has committed, for wake-ups and caches; never for anything that must not be lost. */
  afterCommit(action: () => void): void
  /** Runs after the transaction has failed and was rolled back, before its caller hears of it. It must not throw. */
  afterRollback(action: () => Promise<void>): void
  /** Tells the workers, once this transaction has committed, that there is something to do. */
  wakeWorkers(): void
  /** The same where there are events to hand out and no job to do: looking for jobs is dear while many wait. */
  tellOfEvents(): void
  /** Tells whoever listens to a channel, once this transaction has committed. Only a hint: it may get lost. */
  announce(channel: string, what: string): void
}

export type Database = {
  /** Runs `work` in one transaction that sees only this tenant's rows. */
  transaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** For the few things that know no tenant yet: row-level security then hides every tenant's rows. */
  systemTransaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Hears what is announced on a channel, until the answer is called. */
  listen(channel: string, heard: (what: string) => void): () => void
  close(): Promise<void>
}

export type TransactionOptions = {
  /** How long a lock may be waited for; beyond it the call is refused as busy. */
  lockTimeoutMs?: number
  /** It only reads, and the server holds it to that. What it asks for at once is of one moment; what it asks for later is newer. */
  isReadOnly?: boolean
  /**
   * Its statements are planned once for each connection, whatever their values. For small ones that come all the time:
   * over partitions, planning costs more than running, and the server would plan them anew for each value.
   * A spread database does not do it: such a plan has no tenant, and so no machine.
   */
  plansOnce?: boolean
  /** All of its statements see the database as it was at the first of them. For readers: whoever writes may be refused. */
  seesOneMoment?: boolean
  /** The commit does not wait for the disk: a server that loses power a moment later has forgotten it, and nothing else. */
  mayBeForgotten?: boolean
}

/** What a server says that is starting, or recovering from its own end. */
const CANNOT_CONNECT_NOW = '57P03'

export type RuntimeRole = 'countersign_request' | 'countersign_worker'

export type DatabaseOptions = {
  connection: pg.PoolConfig
  role: RuntimeRole | undefined
  poolSize: number
  /** The database is spread over machines: what would reach more than one of them for one tenant is refused. */
  isSpread?: boolean
  /** The server refuses whatever would change something, also where the role might. */
  isReadOnly?: boolean
  /** False behind a connection pooler that can't keep prepared statements. */
  usePreparedStatements?: boolean
  /** How often it is looked whether the server is still heard. Tests have less time. */
  lookEveryMs?: number
  onConnectionError: (error: Error) => void
}

const MAX_TRIES = 4
const STATEMENT_TIMEOUT_MS = 15_000
/** For a place in the pool and a session. With it a call is answered within five seconds, also while nothing is heard. */
const CONNECT_TIMEOUT_MS = 4_000

/** Where workers listen. */
export const WAKE_CHANNEL = 'countersign_work'
/** What is said there of events; anything else may be a job. */
export const EVENTS = 'events'

const BUSY_CODE = 9001

export const databaseBusy = errorKind(
  {
    code: BUSY_CODE,
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

/** True where a transaction ended with its connection: it may have been committed or not. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof AppError && error.code === BUSY_CODE
}

/** Opens a pool whose connections take on the runtime role from their first byte. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    ...KEEP_ALIVE,
    application_name: 'countersign',
    options: startupOptions(options),
  })
  // Without listeners, one connection that the server drops ends the whole process.
  pool.on('error', options.onConnectionError)
  pool.on('connect', (client) => client.on('error', options.onConnectionError))
  const silence = watchSilence({ pool, connection: options.connection, lookEveryMs: options.lookEveryMs })
  const context = { pool, silence, isPrepared: options.usePreparedStatements ?? true, announce: makeAnnouncer(pool) }
  const listeners = makeListeners({ connection: options.connection, onError: options.onConnectionError })
  const suited = (choices: TransactionOptions) => (options.isSpread ? { ...choices, plansOnce: false } : choices)

  return {
    transaction: (tenantId, work, choices = {}) => {
      if (!isUuid(tenantId)) throw new Error('a transaction needs a tenant')
      return runInTransaction(context, openingForTenant(tenantId, suited(choices), options), work)
    },
    systemTransaction: (work, choices = {}) => runInTransaction(context, openingFor([], suited(choices)), work),
    listen: (channel, heard) => listeners.listen(channel, heard),
    close: async () => {
      await listeners.stop()
      await pool.end()
      silence.stop()
    },
  }
}

/** Each of its statements sees what others have committed meanwhile: whoever writes waits for them and goes on with what they left. */
const BEGIN: Query = { name: 'begin', text: 'begin isolation level read committed', values: [] }
const BEGIN_ONE_MOMENT: Query = { name: 'begin one moment', text: 'begin isolation level repeatable read', values: [] }
const COMMIT: Query = { name: 'commit', text: 'commit', values: [] }
const ROLLBACK: Query = { name: '', text: 'rollback', values: [] }

type Setting = [name: string, value: string]

/** A tenant lies on one machine, so a statement that asks several has forgotten its tenant. */
const REFUSE_SEVERAL: Setting = ['citus.multi_task_query_log_level', 'error']

/**
 * Citus does not see what a transaction writes to tables of the first machine, and would commit the tenant's machine by
 * itself before: a crash in between would keep a request and lose its jobs and events. Once a transaction has changed
 * anything, be it no row, a machine that comes after is committed together with the first one, in two phases.
 */
const COMMIT_IN_TWO_PHASES: Query = {
  name: 'commit in two phases',
  text: 'update department set name = name where false',
  values: [],
}

function openingForTenant(tenantId: string, choices: TransactionOptions, database: DatabaseOptions): Opening {
  const tenant: Setting = ['app.tenant', tenantId]
  if (!database.isSpread) return openingFor([tenant], choices)
  const opening = openingFor([tenant, REFUSE_SEVERAL], choices)
  const isReader = choices.isReadOnly || database.isReadOnly
  return isReader ? opening : { ...opening, queries: [...opening.queries, COMMIT_IN_TWO_PHASES] }
}

/** A reader needs no BEGIN: each of its batches is a transaction by itself, of one moment, and sets everything again. */
function openingFor(given: readonly Setting[], choices: TransactionOptions): Opening {
  const { lockTimeoutMs, isReadOnly = false, plansOnce, seesOneMoment, mayBeForgotten } = choices
  const begin = seesOneMoment ? [BEGIN_ONE_MOMENT] : isReadOnly ? [] : [BEGIN]
  const settings = [...given]
  if (lockTimeoutMs !== undefined) settings.push(['lock_timeout', `${Math.floor(lockTimeoutMs)}ms`])
  if (isReadOnly) settings.push(['transaction_read_only', 'on'])
  if (plansOnce) settings.push(['plan_cache_mode', 'force_generic_plan'])
  if (mayBeForgotten) settings.push(['synchronous_commit', 'off'])
  return {
    queries: [...begin, ...(settings.length > 0 ? [setAll(settings)] : [])],
    isForEachBatch: begin.length === 0,
  }
}

/** Until the end of the transaction. The server tells statements apart by 63 letters, so each setting has its initials. */
function setAll(settings: readonly Setting[]): Query {
  const names = settings.map(([name]) => name)
  const initials = names.map((name) => name.replaceAll(/([a-z])[a-z]*/g, '$1'))
  return {
    name: `set ${initials.join(' ')}`,
    text: `select ${names.map((name, at) => `set_config('${name}', $${at + 1}, true)`).join(', ')}`,
    values: settings.map(([, value]) => value),
  }
}

function startupOptions({ role, isReadOnly = false, isSpread = false }: DatabaseOptions): string {
  const settings = [
    `-c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    `-c lock_timeout=10000`,
    '-c idle_in_transaction_session_timeout=30000',
    '-c timezone=UTC',
    '-c search_path=public',
    // For batches without a BEGIN: a request, its people and its documents are then of the same moment.
    '-c default_transaction_isolation=repeatable\\ read',
  ]
  if (role) settings.push(`-c role=${role}`)
  if (isReadOnly) settings.push('-c default_transaction_read_only=on')
  // A plan for every value has no tenant, and so would ask every machine.
  if (isSpread) settings.push('-c plan_cache_mode=force_custom_plan')
  return settings.join(' ')
}

type Context = { pool: pg.Pool; silence: Silence; isPrepared: boolean; announce: Announce }

async function runInTransaction<T>(context: Context, opening: Opening, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTransaction(context, opening, work)
    } catch (error) {
      if (attempt < MAX_TRIES && isWorthAnotherTry(error)) continue
      throw explain(error)
    }
  }
}

async function tryTransaction<T>(context: Context, opening: Opening, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { pool, silence, isPrepared, announce } = context
  silence.requireHeard()
  const client = await pool.connect()
  const sender = new StatementSender(client, isPrepared ? opening : withoutNames(opening))
  const actions: (() => void)[] = []
  const lastWords: (() => Promise<void>)[] = []
  const unawaited = new Unawaited()
  const tx: Tx = {
    query: (name, text, values) => sender.query(isPrepared ? name : '', text, values),
    withoutWaiting: (answer) => unawaited.add(answer),
    afterCommit: (action) => actions.push(action),
    afterRollback: (action) => lastWords.push(action),
    wakeWorkers: () => actions.push(() => announce(WAKE_CHANNEL, '')),
    tellOfEvents: () => actions.push(() => announce(WAKE_CHANNEL, EVENTS)),
    announce: (channel, what) => actions.push(() => announce(channel, what)),
  }
  let result: T
  try {
    result = await work(tx)
    if (opening.isForEachBatch) await sender.close()
    else await sender.commit(isPrepared ? COMMIT : { ...COMMIT, name: '' })
    await unawaited.requireSuccess()
  } catch (error) {
    await sender.close()
    client.release(!(await isRolledBack(client)))
    const reason = await unawaited.requireSuccess().then(
      () => error,
      (first: unknown) => first,
    )
    for (const say of lastWords) await say()
    throw reason
  }
  client.release()
  for (const action of actions) action()
  return result
}

function withoutNames({ queries, isForEachBatch }: Opening): Opening {
  return { queries: queries.map((query) => ({ ...query, name: '' })), isForEachBatch }
}

/** False where the connection is of no further use. */
async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query(new Batch([ROLLBACK])).done.then(
    () => true,
    () => false,
  )
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

/** Whether the database could not be asked, or not be heard; the same question may be answered a moment later. */
export function isDatabaseAway(error: unknown): boolean {
  const asked = error instanceof AppError ? error.cause : error
  return isConnectionTrouble(asked, sqlState(asked))
}

/** Whether it is there, and says that it is not ready yet. */
export function isDatabaseStarting(error: unknown): boolean {
  return sqlState(error instanceof AppError ? error.cause : error) === CANNOT_CONNECT_NOW
}

/** The last two are said of a connection between the machines of a spread database. */
const LOST_CONNECTION =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|SSL SYSCALL error|server closed the connection/

/** A server that is not there, one that is gone, and a network that does not lead to it. */
const NO_WAY = 'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' ')
const STATEMENT_CANCELED = '57014'

function isConnectionTrouble(error: unknown, state: string | undefined): boolean {
  if (state !== undefined && /^(08|53|57P0)/.test(state)) return true
  if (state !== undefined && (state === STATEMENT_CANCELED || NO_WAY.includes(state))) return true
  return error instanceof Error && (error.message === KEEPS_SILENT || LOST_CONNECTION.test(error.message))
}

function withCause(error: AppError, cause: unknown, retryAfterS: number): AppError {
  return new AppError(error.classification, error.code, error.message, { cause, retryAfterS })
}
