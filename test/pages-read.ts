// How many pages of the database a statement looks at: unlike time, that is the same on a busy machine.
import type pg from 'pg'
import type { Statement } from '#platform/db/statement.ts'

export type Param = string | number | null | readonly (string | number)[]

/** Runs a statement by a plan that knows nothing of the values, and answers with the pages that it looked at. */
export async function countPages(
  client: pg.Client,
  { name, text, order }: Statement<any, any>, // eslint-disable-line typescript/no-explicit-any
  params: Record<string, Param>,
): Promise<number> {
  const values = order.map((key) => literal(params[key] ?? null))
  await client.query(`set plan_cache_mode = force_generic_plan`)
  await client.query(`prepare "${name}" as ${text}`)
  const { rows } = await client.query(`explain (analyze, buffers, format json) execute "${name}"(${values.join(', ')})`)
  await client.query(`deallocate "${name}"`)
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

function literal(value: Param): string {
  if (value === null || typeof value === 'number') return String(value)
  return `'${typeof value === 'string' ? value : `{${value.join(',')}}`}'`
}
