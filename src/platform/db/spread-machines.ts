// What the machines of a spread database must be like. A Citus cluster that is set up otherwise works at first, and then
// loses what nobody looks at: so it is refused before the first row moves, and before the first call is answered.
import type pg from 'pg'

type Rule = { fault: string; sql: string }

/** The first machine can tell these by itself, whether the others answer or not. */
const RULES: Rule[] = [
  {
    fault: 'no worker node is known: citus_add_node',
    sql: `select from pg_dist_node having count(*) filter (where groupid <> 0) = 0`,
  },
  {
    // Tables that stay there have row-level security, and Citus would read them over a connection that has no tenant.
    fault: `the coordinator takes rows of tenants: citus_set_node_property('…', …, 'shouldhaveshards', false)`,
    sql: `select from pg_dist_node where groupid = 0 and shouldhaveshards`,
  },
]

/** Asked on every worker; an answer other than `t` is a fault. */
const QUESTIONS: Rule[] = [
  {
    fault: 'max_prepared_transactions is 0 on a worker: changes commit in two phases',
    sql: `select current_setting('max_prepared_transactions')::int > 0`,
  },
  {
    fault: 'the coordinator can’t come in on a worker with the roles of the service: alter role … login',
    sql: `select count(*) = 2 from pg_roles where rolname in ('countersign_request', 'countersign_worker') and rolcanlogin`,
  },
]

/** What the operator says of the database must be so: a server that takes it for one machine can't ask it anything. */
export async function requireSpreadAsSet(client: pg.ClientBase, isSetAsSpread: boolean): Promise<void> {
  if (isSetAsSpread) return
  const { rows: tables } = await client.query(`select from pg_class where relname = 'pg_dist_partition'`)
  if (tables.length === 0) return
  const { rows } = await client.query(`select from pg_dist_partition where partmethod = 'h' limit 1`)
  if (rows.length > 0) throw new Error('the database is spread over machines: set COUNTERSIGN_DATABASE_SPREAD=true')
}

/** Empty where the first machine knows of nothing against serving the database. */
export async function listClusterFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return ['the database has no citus extension']
  const faults: string[] = []
  for (const { fault, sql } of RULES) if ((await client.query(sql)).rows.length > 0) faults.push(fault)
  return faults
}

/** Empty where every worker is ready to take rows. */
export async function listWorkerFaults(client: pg.ClientBase): Promise<string[]> {
  const faults: string[] = []
  for (const { fault, sql } of QUESTIONS) {
    const { rows } = await client.query<{ where: string; result: string }>(
      `select nodename || ':' || nodeport as where, result from run_command_on_workers($1)`,
      [sql],
    )
    for (const { where, result } of rows) if (result !== 't') faults.push(`${fault} (${where} says ${result})`)
  }
  return faults
}
