// How the tables lie once the database is spread over several machines by tenant, with the Citus extension: every row of
// a tenant on the same machine, found by tenant_id. The rules are Citus's own; they are read from the catalogue, so that
// a table which breaks one is noticed long before anybody spreads anything.
import type pg from 'pg'
import { CLAIMED_TABLES, GLOBAL_TABLES } from './catalogue.ts'

/** Tables with a tenant that stay on the first machine all the same, with the reason. */
export const QUEUES_AT_THE_CENTRE: Readonly<Record<string, string>> = {
  job: 'a worker claims jobs of all tenants, and ends one only together with its lease',
  outbox: 'a worker takes events of all tenants, oldest first',
  log_queue: 'the log is one over all tenants: its places are given in one order',
  log_entry: 'given in one statement with what leaves the queue of the log',
}

/** Triggers that would have to reach another machine. What they keep is kept by the statements themselves, too. */
const TRIGGERS_TO_DROP: Readonly<Record<string, string>> = { keep_login_place: 'app_user' }

/** Where every tenant begins, and so the table that decides on which machine a tenant lies. */
const FIRST_TABLE = 'department'

/** Functions that policies name, and that every machine therefore has to know. */
const FUNCTIONS_EVERYWHERE = ['current_tenant()']

export type SpreadStep = {
  sql: string
  /** Why, in one sentence. */
  reason: string
}

/** Every table that would be spread, with those that it refers to before it. */
export async function listSpreadTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name,
            array(select distinct t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
                   where k.conrelid = c.oid and k.contype = 'f' and t.oid <> c.oid) as needs
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not c.relname = any($1)
      order by c.relname`,
    [centralTables()],
  )
  return inOrderOfNeed(new Map(rows.map(({ name, needs }) => [name, needs])))
}

export function centralTables(): string[] {
  return [...GLOBAL_TABLES, ...Object.keys(QUEUES_AT_THE_CENTRE)]
}

function inOrderOfNeed(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) throw new Error(`tables refer to each other in a circle: ${[...path, name].join(', ')}`)
    if (done.has(name)) return
    for (const needed of needs.get(name) ?? []) visit(needed, [...path, name])
    done.add(name)
  }
  for (const name of [FIRST_TABLE, ...needs.keys()]) visit(name, [])
  return [...done]
}

const RULES: { rule: string; sql: string }[] = [
  {
    rule: 'a unique index does not hold tenant_id',
    sql: `select i.indexrelid::regclass::text as offender from spread t join pg_index i on i.indrelid = t.oid
           where i.indisunique and not (t.tenant_column = any(i.indkey::smallint[]))`,
  },
  {
    rule: 'an exclusion constraint can’t be checked on one machine',
    sql: `select k.conname as offender from spread t join pg_constraint k on k.conrelid = t.oid where k.contype = 'x'`,
  },
  {
    rule: 'a foreign key does not compare tenant_id with tenant_id',
    sql: `select k.conname as offender from spread t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
           join spread r on r.oid = k.confrelid
           where array_position(k.conkey, t.tenant_column) is distinct from array_position(k.confkey, r.tenant_column)
              or not (t.tenant_column = any(k.conkey))`,
  },
  {
    rule: 'a foreign key leads from a table that is spread to one that is not, or back',
    sql: `select k.conname as offender from pg_constraint k
           where k.contype = 'f' and k.connamespace = 'public'::regnamespace and
                 (k.conrelid in (select oid from spread)) <> (k.confrelid in (select oid from spread))`,
  },
  {
    rule: 'a column counts by itself, which each machine would do alone',
    sql: `select t.relname || '.' || a.attname as offender from spread t join pg_attribute a on a.attrelid = t.oid
            left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
           where a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%'`,
  },
  {
    rule: 'a trigger would run on the machine of the row alone',
    sql: `select g.tgname as offender from spread t join pg_trigger g on g.tgrelid = t.oid
           where not g.tgisinternal and not g.tgname = any($2)`,
  },
]

/** Every place where the schema could not be spread; empty for one that can. */
export async function listSpreadFaults(client: pg.ClientBase): Promise<string[]> {
  const faults: string[] = []
  for (const { rule, sql } of RULES) {
    const text = `with given as (select $1::text[] as central, $2::text[] as dropped), spread as (
      select c.oid, c.relname,
             (select attnum from pg_attribute where attrelid = c.oid and attname = 'tenant_id') as tenant_column
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not c.relname = any($1)) ${sql}`
    const { rows } = await client.query<{ offender: string }>(text, [centralTables(), Object.keys(TRIGGERS_TO_DROP)])
    for (const { offender } of rows) faults.push(`${rule}: ${offender}`)
  }
  const misnamed = Object.keys(QUEUES_AT_THE_CENTRE).filter((name) => !CLAIMED_TABLES.includes(name))
  return [...faults, ...misnamed.map((name) => `a table stays at the centre although nobody claims from it: ${name}`)]
}

/** What an operator would run, in order. Nothing of it is done twice: what is spread already is left out. */
export async function planSpread(client: pg.ClientBase, alreadySpread: readonly string[]): Promise<SpreadStep[]> {
  const tables = (await listSpreadTables(client)).filter((name) => !alreadySpread.includes(name))
  if (tables.length === 0) return []
  return [
    ...FUNCTIONS_EVERYWHERE.map((name) => ({
      sql: `select create_distributed_function('${name}')`,
      reason: 'policies name it, and go with their tables',
    })),
    ...Object.entries(TRIGGERS_TO_DROP)
      .filter(([, table]) => tables.includes(table))
      .map(([name, table]) => ({
        sql: `drop trigger if exists ${name} on ${table}`,
        reason: 'it would have to write to the first machine from another; the statements do what it did',
      })),
    ...tables.map(spreadTable),
    ...tables.map((name) => ({
      sql: `alter table ${name} disable row level security`,
      reason: 'rows travel between machines by COPY, which such tables refuse',
    })),
  ]
}

function spreadTable(name: string): SpreadStep {
  const isFirst = name === FIRST_TABLE
  return {
    sql: `select create_distributed_table('${name}', 'tenant_id', colocate_with => '${isFirst ? 'none' : FIRST_TABLE}')`,
    reason: isFirst ? 'it decides where each tenant lies' : `where the tenant’s ${FIRST_TABLE} lies`,
  }
}
