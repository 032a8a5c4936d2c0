// Several statements in one message to the server and one answer: the extended protocol lets any number of them stand
// before a Sync. A statement is parsed once for each connection, and its columns are asked for once. Without a BEGIN the
// statements of one batch are a transaction of their own.
import pg from 'pg'
import type { WireValue } from './parameters.ts'

export type QueryResult = { rows: Record<string, unknown>[]; rowCount: number | null }

/** A statement with its values. One without a name is parsed each time. */
export type Query = { name: string; text: string; values: WireValue[] }

type Column = { name: string; read: (value: string) => unknown }

/** What a connection knows of a statement that it has parsed; the columns once it has answered for the first time. */
type Prepared = { columns: Column[] | undefined }

type Session = { prepared: Map<string, Prepared>; batch: Batch | undefined }

export type Answer = QueryResult & {
  /** The server's own word for what it did: COMMIT, INSERT, SELECT … */
  command: string
}

// What pg hands to the query that is running.
type RowDescription = { fields: { name: string; dataTypeID: number }[] }
type DataRow = { fields: (string | null)[] }
type CommandComplete = { text: string }

const INT8 = 20
const BYTEA_ARRAY = 1001

const sessions = new WeakMap<pg.Connection, Session>()

/** Whether a batch is under way on this connection. */
export function awaitsAnswer(connection: pg.Connection): boolean {
  return sessions.get(connection)?.batch !== undefined
}

/** Sends its statements together. If one fails, those behind it are not run, and fail with the same error. */
export class Batch implements pg.Submittable {
  readonly done: Promise<Answer[]>
  readonly #queries: readonly Query[]
  readonly #answers: Answer[] = []
  readonly #settle: Pick<PromiseWithResolvers<Answer[]>, 'resolve' | 'reject'>
  /** Of each statement, in their order. */
  readonly #statements: Prepared[] = []
  /** Those that the server has not parsed yet. */
  readonly #unparsed: { name: string; statement: Prepared }[] = []
  #session: Session | undefined
  #rows: Record<string, unknown>[] = []

  constructor(queries: readonly Query[]) {
    this.#queries = queries
    const { promise, resolve, reject } = Promise.withResolvers<Answer[]>()
    this.done = promise
    this.#settle = { resolve, reject }
  }

  /** What was answered so far: all before the statement that failed. */
  get answers(): readonly Answer[] {
    return this.#answers
  }

  submit(connection: pg.Connection): void {
    this.#session = sessionOf(connection)
    this.#session.batch = this
    connection.stream.cork()
    try {
      for (const query of this.#queries) this.#submitOne(connection, this.#session, query)
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  #submitOne(connection: pg.Connection, { prepared }: Session, { name, text, values }: Query): void {
    const statement = prepared.get(name) ?? this.#parse(connection, name, text)
    this.#statements.push(statement)
    connection.bind({ portal: '', statement: name, values }, true)
    if (statement.columns === undefined) connection.describe({ type: 'P', name: '' }, true)
    connection.execute({ portal: '' }, true)
  }

  #parse(connection: pg.Connection, name: string, text: string): Prepared {
    const twin = name === '' ? undefined : this.#unparsed.find((earlier) => earlier.name === name)
    if (twin) return twin.statement
    connection.parse({ name, text, types: [] }, true)
    const statement: Prepared = { columns: undefined }
    this.#unparsed.push({ name, statement })
    return statement
  }

  /** From here on the connection knows the statement, also if running it fails. */
  handleParseComplete(): void {
    const parsed = this.#unparsed.shift()
    if (parsed && parsed.name !== '') this.#session!.prepared.set(parsed.name, parsed.statement)
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#statements[this.#answers.length]!.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: readerOf(dataTypeID),
    }))
  }

  handleDataRow({ fields }: DataRow): void {
    const columns = this.#statements[this.#answers.length]!.columns!
    const row: Record<string, unknown> = {}
    for (let at = 0; at < columns.length; at++) {
      const { name, read } = columns[at]!
      const value = fields[at]!
      row[name] = value === null ? null : read(value)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: CommandComplete): void {
    this.#statements[this.#answers.length]!.columns ??= []
    const [command = '', ...numbers] = text.split(' ')
    this.#answers.push({ command, rows: this.#rows, rowCount: numbers.length === 0 ? null : Number(numbers.at(-1)) })
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#leave()
    this.#settle.resolve(this.#answers)
  }

  handleError(error: Error): void {
    this.#leave()
    this.#settle.reject(error)
  }

  #leave(): void {
    if (this.#session?.batch === this) this.#session.batch = undefined
  }
}

function sessionOf(connection: pg.Connection): Session {
  const known = sessions.get(connection)
  if (known) return known
  const session: Session = { prepared: new Map(), batch: undefined }
  connection.on('parseComplete', () => session.batch?.handleParseComplete())
  sessions.set(connection, session)
  return session
}

/** Counters stay far below 2^53, so int8 arrives as a number; almost everything else as node-postgres reads it. */
function readerOf(oid: number): (value: string) => unknown {
  if (oid === INT8) return Number
  if (oid === BYTEA_ARRAY) return readByteses
  return pg.types.getTypeParser(oid, 'text') as (value: string) => unknown
}

/** `{"\\x3082…",NULL}`. A reader for any array goes through it character by character, forty times as slowly. */
function readByteses(value: string): (Buffer | null)[] {
  if (value === '{}') return []
  const items = value.slice(1, -1).split(',')
  return items.map((item) => (item === 'NULL' ? null : Buffer.from(item.slice('"\\\\x'.length, -1), 'hex')))
}
