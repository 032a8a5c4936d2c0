// The rules that keep tenants apart, read from the server's own catalogue. Checked at every start and in the tests: a
// database that breaks one is not served.
import type pg from 'pg'

/** The whole list of tables without a tenant; everything else is a tenant's and is isolated. */
export const GLOBAL_TABLES = [
  'tenant',
  'credential',
  // In which tenants an e-mail address is known: asked before the tenant is.
  'login_place',
  'bucket_lease',
  'worker',
  'schedule',
  'schema_version',
  // The installation's own root and timestamp signer, shared by all tenants.
  'installation_certificate',
  'installation_key',
  // What is published about every authority, asked for by people who belong to no tenant.
  'published_authority',
  'published_status',
  // Outside services that do not answer: the same for every tenant.
  'trouble',
  // How much waits and when certificates end, over all tenants: numbers alone.
  'measurement',
  // The log over the events of all tenants: hashes alone, and public.
  'log_tile',
  'log_head',
  'log_checkpoint',
] as const

/** Private keys: for the worker alone. */
const KEY_TABLES = ['installation_key', 'certificate_key']

const RUNTIME_ROLES = ['countersign_request', 'countersign_worker']

/** Tables whose rows of all tenants the worker may see, to claim work. */
export const CLAIMED_TABLES: readonly string[] = ['job', 'outbox', 'lane', 'log_queue', 'log_entry']

const RULES: { rule: string; sql: string }[] = [
  {
    rule: 'a runtime role is a superuser, bypasses row-level security, can log in or can make roles',
    sql: `select rolname as offender from pg_roles
           where rolname = any($1) and (rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb)`,
  },
  {
    rule: 'a runtime role owns something',
    sql: `select c.relname as offender from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = any($1)`,
  },
  {
    rule: 'a tenant table has no tenant_id, or may be without one',
    sql: `select t.relname as offender from tenant_tables t
           where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'tenant_id'
                                and a.attnotnull and a.atttypid = 'uuid'::regtype)`,
  },
  {
    rule: 'row-level security is not enabled and forced on a tenant table',
    sql: `select relname as offender from tenant_tables
           where not (relrowsecurity and relforcerowsecurity) and not relname = any($4)`,
  },
  {
    rule: 'tenant_id is not the first column of a primary key or unique index',
    sql: `select i.indexrelid::regclass::text as offender from tenant_tables t join pg_index i on i.indrelid = t.oid
           where i.indisunique and i.indkey[0] is distinct from
                 (select attnum from pg_attribute where attrelid = t.oid and attname = 'tenant_id')`,
  },
  {
    rule: 'a foreign key between tenant tables does not start with tenant_id',
    sql: `select c.conname as offender from pg_constraint c join tenant_tables t on t.oid = c.conrelid
           where c.contype = 'f' and
                 (c.conkey[1] <> (select attnum from pg_attribute where attrelid = c.conrelid and attname = 'tenant_id')
               or c.confkey[1] is distinct from
                  (select attnum from pg_attribute where attrelid = c.confrelid and attname = 'tenant_id'))`,
  },
  {
    rule: 'a policy does not compare the tenant',
    sql: `select p.polrelid::regclass || '.' || p.polname as offender from pg_policy p join tenant_tables t on t.oid = p.polrelid
           where not (pg_get_expr(p.polqual, p.polrelid) = '(tenant_id = current_tenant())'
                      and pg_get_expr(p.polwithcheck, p.polrelid) = '(tenant_id = current_tenant())')
             and not (t.relname = any($3) and p.polroles = array[(select oid from pg_roles where rolname = 'countersign_worker')])`,
  },
  {
    rule: 'a runtime role may truncate, trigger or reference, or reaches a partition directly',
    sql: `select t.relname as offender from all_tables t, unnest($1::text[]) role
           where has_table_privilege(role, t.oid, 'truncate, trigger, references')
              or (t.relispartition and has_table_privilege(role, t.oid, 'select, insert, update, delete'))`,
  },
  {
    rule: 'a runtime role may change or delete events',
    sql: `select t.relname as offender from all_tables t, unnest($1::text[]) role
           where t.relname = 'event' and has_table_privilege(role, t.oid, 'update, delete')`,
  },
  {
    rule: 'the server may write to the log, or somebody may change what is in it',
    sql: `select t.relname as offender from all_tables t, unnest($1::text[]) role
           where (t.relname = 'log_entry' and has_table_privilege(role, t.oid, 'update, delete'))
              or (t.relname = 'log_tile' and has_table_privilege(role, t.oid, 'delete'))
              or (t.relname = 'log_checkpoint' and has_table_privilege(role, t.oid, 'update, delete'))
              or (t.relname in ('log_tile', 'log_head', 'log_checkpoint')
                  and has_table_privilege('countersign_request', t.oid, 'insert, update, delete'))`,
  },
  {
    rule: 'the server may reach private keys',
    sql: `select t.relname as offender from all_tables t
           where t.relname in (${KEY_TABLES.map((name) => `'${name}'`).join(', ')})
             and has_table_privilege('countersign_request', t.oid, 'select, insert, update, delete')`,
  },
  {
    rule: 'a view does not run with the rights of its caller',
    sql: `select c.relname as offender from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
             and not coalesce('security_invoker=true' = any(c.reloptions), false)
             -- Those of an extension tell nothing of tenants' rows.
             and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  },
  {
    rule: 'a function runs with the rights of its owner',
    sql: `select p.proname as offender from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`,
  },
]

const TABLES = `with all_tables as (
  select c.oid, c.relname, c.relispartition, c.relrowsecurity, c.relforcerowsecurity from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
), tenant_tables as (
  select * from all_tables where not relname = any($2)
), parameters as (select $1::text[], $2::text[], $3::text[], $4::text[])`

/**
 * Every place where the database breaks a rule of isolation; empty for one that may be served. Tables that are spread
 * over machines have no row-level security: there a statement without its tenant is refused as one for all machines.
 */
export async function listIsolationFaults(client: pg.ClientBase, spreadTables: string[] = []): Promise<string[]> {
  const faults: string[] = []
  for (const { rule, sql } of RULES) {
    const text = `${TABLES} ${sql}`
    const { rows } = await client.query(text, [RUNTIME_ROLES, GLOBAL_TABLES, CLAIMED_TABLES, spreadTables])
    for (const row of rows) faults.push(`${rule}: ${row.offender}`)
  }
  return faults
}
