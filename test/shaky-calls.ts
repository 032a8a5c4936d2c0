// Citus refuses an UPDATE or DELETE that gives a column to a function whose answer depends on the session, as the reading
// of a time from text does on its time zone. PostgreSQL tells what a statement calls: its parse tree, kept as the body of
// a function, names every function by its number.
import type pg from 'pg'

const [UPDATE, DELETE] = ['2', '4']

type Call = { number: string } | { result: string; source: string | undefined }

/** The functions that a change calls with a column although their answers are not always the same. */
export async function findShakyCalls(client: pg.Client, text: string): Promise<string[]> {
  const calls = findCalls(await readTree(client, text))
  const { rows } = await client.query<{ name: string }>(
    `select distinct p.proname as name
       from unnest($1::oid[], $2::oid[], $3::oid[]) as c (number, result, source)
       left join pg_type r on r.oid = c.result
       left join pg_type s on s.oid = c.source
       join pg_proc p on p.oid in (c.number, r.typinput, s.typoutput)
      where p.provolatile <> 'i'
      order by 1`,
    [
      calls.map((call) => ('number' in call ? call.number : null)),
      calls.map((call) => ('number' in call ? null : call.result)),
      calls.map((call) => ('number' in call ? null : (call.source ?? null))),
    ],
  )
  return rows.map(({ name }) => name)
}

async function readTree(client: pg.Client, text: string): Promise<string> {
  await client.query(`prepare looked_at as ${text}`)
  const { rows } = await client.query<{ types: string }>(
    `select array_to_string(parameter_types::text[], ', ') as types from pg_prepared_statements where name = 'looked_at'`,
  )
  await client.query('deallocate looked_at')
  await client.query('begin') // Nothing of it is kept, so nothing is written to disk.
  await client.query(`create function looked_at(${rows[0]!.types}) returns void begin atomic ${text}; end`)
  const { rows: bodies } = await client.query<{ tree: string }>(
    `select prosqlbody::text as tree from pg_proc where proname = 'looked_at'`,
  )
  await client.query('rollback')
  return bodies[0]!.tree
}

/** Calls with a column among their arguments, inside of an update or a deletion. */
function findCalls(tree: string): Call[] {
  const calls: Call[] = []
  const open: { kind: string; at: number; isChange: boolean }[] = []
  for (const { 0: found, index } of tree.matchAll(/\{(\w+)|\}/g)) {
    if (found !== '}') {
      const isChange = open.at(-1)?.isChange ?? false
      open.push({ kind: found.slice(1), at: index, isChange: isChange || isChangingQuery(tree, found, index) })
      continue
    }
    const { kind, at, isChange } = open.pop()!
    const call = isChange ? readCall(kind, tree.slice(at, index)) : undefined
    if (call !== undefined) calls.push(call)
  }
  return calls
}

function isChangingQuery(tree: string, found: string, at: number): boolean {
  const command = found === '{QUERY' && /:commandType (\d)/.exec(tree.slice(at, at + 60))?.[1]
  return command === UPDATE || command === DELETE
}

function readCall(kind: string, node: string): Call | undefined {
  const column = /\{VAR .*?:vartype (\d+)/.exec(node)
  if (column === null) return undefined
  const result = /:resulttype (\d+)/.exec(node)?.[1]
  if (kind === 'COERCEVIAIO' && result !== undefined) return { result, source: column[1] }
  const number = (kind === 'FUNCEXPR' || kind === 'OPEXPR') && /:(?:funcid|opfuncid) (\d+)/.exec(node)?.[1]
  return number ? { number } : undefined
}
