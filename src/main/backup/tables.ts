// Which tables a backup carries.
import type pg from 'pg'
import { GLOBAL_TABLES } from '#platform/db/catalogue.ts'

/** Kept by the migrations themselves, or about processes that will not be there any more. */
const LEFT_OUT = ['schema_version', 'bucket_lease', 'worker', 'measurement']

export type Table = { name: string; hasTenant: boolean }

/** Every table whose rows are part of a backup, in the order of the alphabet. Partitions come with their parents. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      order by relname`,
  )
  const names = (rows as { name: string }[]).map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name))
  for (const name of names) if (!/^[a-z_]+$/.test(name)) throw new Error(`the table ${name} is none of ours`)
  const globals: readonly string[] = GLOBAL_TABLES
  return names.map((name) => ({ name, hasTenant: !globals.includes(name) }))
}
