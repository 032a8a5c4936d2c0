// SQL is written as SQL: once, with a name, its parameters and the row that it promises. A statement runs only inside a
// transaction. A test prepares every registered statement on a migrated database and compares types and columns.
import type { Column, ValueOf } from './columns.ts'
import type { Tx } from './database.ts'

type Columns = Record<string, Column<unknown>>
type ParamsOf<P extends Columns> = { [K in keyof P]: ValueOf<P[K]> }
type RowOf<R extends Columns> = { [K in keyof R]: ValueOf<R[K]> }

export type Statement<P extends Columns, R extends Columns> = {
  readonly name: string
  readonly params: P
  readonly row: R
  /** The SQL as sent, with $1, $2 … in place of names. */
  readonly text: string
  readonly order: readonly string[]
  /** True where the statement deliberately has no tenant: tables that are looked up before the tenant is known. */
  readonly isGlobal: boolean
  /** True for a worker's search through all tenants' rows; such a row tells its tenant. */
  readonly spansTenants: boolean
  /** Exactly one row; none or several is a bug. */
  one(tx: Tx, params: ParamsOf<P>): Promise<RowOf<R>>
  maybeOne(tx: Tx, params: ParamsOf<P>): Promise<RowOf<R> | undefined>
  many(tx: Tx, params: ParamsOf<P>): Promise<RowOf<R>[]>
  /** Runs it for its effect and answers with the number of rows that it touched. */
  run(tx: Tx, params: ParamsOf<P>): Promise<number>
}

const registry = new Map<string, Statement<Columns, Columns>>()

export function listStatements(): Statement<Columns, Columns>[] {
  return [...registry.values()]
}

export function statement<const P extends Columns, const R extends Columns>(definition: {
  name: string
  params: P
  row?: R
  sql: string
  isGlobal?: boolean
  spansTenants?: boolean
}): Statement<P, R> {
  const { name, params } = definition
  const row = definition.row ?? ({} as R)
  const { text, order } = numberParameters(definition.sql, params, name)
  const query = async (tx: Tx, values: ParamsOf<P>) =>
    tx.query(
      name,
      text,
      order.map((key) => encode(params[key]!, values[key])),
    )
  const rows = async (tx: Tx, values: ParamsOf<P>) => {
    const result = await query(tx, values)
    for (const found of result.rows) checkRow(name, row, found)
    return result.rows as RowOf<R>[]
  }
  const made: Statement<P, R> = {
    name,
    params,
    row,
    text,
    order,
    isGlobal: definition.isGlobal ?? false,
    spansTenants: definition.spansTenants ?? false,
    many: rows,
    async maybeOne(tx, values) {
      const found = await rows(tx, values)
      if (found.length > 1) throw new Error(`${name}: expected one row at most, got ${found.length}`)
      return found[0]
    },
    async one(tx, values) {
      const found = await rows(tx, values)
      if (found.length !== 1) throw new Error(`${name}: expected one row, got ${found.length}`)
      return found[0]!
    },
    async run(tx, values) {
      return (await query(tx, values)).rowCount ?? 0
    },
  }
  if (registry.has(name)) throw new Error(`two statements are called ${name}`)
  registry.set(name, made)
  return made
}

/** Replaces :name by $n. `::type` casts and text in quotation marks are left alone. */
function numberParameters(sql: string, params: Columns, name: string): { text: string; order: string[] } {
  const order: string[] = []
  const text = sql.replace(/'[^']*'|::?[a-zA-Z_]\w*/g, (match) => {
    if (!match.startsWith(':') || match.startsWith('::')) return match
    const key = match.slice(1)
    if (!(key in params)) throw new Error(`${name}: ${match} is not among its parameters`)
    if (!order.includes(key)) order.push(key)
    return `$${order.indexOf(key) + 1}`
  })
  const unused = Object.keys(params).filter((key) => !order.includes(key))
  if (unused.length > 0) throw new Error(`${name}: parameters without use: ${unused.join(', ')}`)
  return { text, order }
}

function encode(column: Column<unknown>, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return column.label === 'json' ? JSON.stringify(value) : value
}

function checkRow(name: string, row: Columns, found: Record<string, unknown>): void {
  for (const key in row) {
    if (!row[key]!.accepts(found[key])) {
      throw new Error(`${name}: column ${key} is not ${row[key]!.label}${found[key] === null ? ' but null' : ''}`)
    }
  }
}
