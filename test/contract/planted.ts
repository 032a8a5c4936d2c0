// Fields that belong to the service: who wrote a thing, when, and whose it is. Planted wherever a body has room for them,
// with values that can be recognised in whatever row they end up in.
import type { TestDatabase } from '../database.ts'

const MARK = '0bad0bad-0000-7000-8000-'
const DAY = '1987-06-05'
const WORD = 'planted'

/** In the id the number of the one who planted it. */
function fieldsOf(number: number): Record<string, unknown> {
  const id = MARK + String(number).padStart(12, '0')
  const date = `${DAY}T00:00:00Z`
  const ids = { id, _id: id, tenantId: id, tenant_id: id, creatorId: id, creator_id: id, ownerId: id }
  const dates = { createdDate: date, createdAt: date, created_at: date, modifiedDate: date, sealedAt: date }
  return { ...ids, ...dates, state: WORD, isAdmin: WORD, version: 99 }
}

type Schema = { properties?: Record<string, Schema>; items?: Schema }

/** The body with those fields in every object of it whose schema does not know them. */
export function plantIn(schema: Schema, value: unknown, number: number): unknown {
  if (Array.isArray(value) && schema.items) return value.map((item) => plantIn(schema.items!, item, number))
  if (typeof value !== 'object' || value === null || !schema.properties) return value
  const known = schema.properties
  const given = Object.entries(value).map(([name, part]) => [
    name,
    known[name] ? plantIn(known[name], part, number) : part,
  ])
  const foreign = Object.entries(fieldsOf(number)).filter(([name]) => known[name] === undefined)
  return { ...Object.fromEntries(foreign), ...Object.fromEntries(given) }
}

export const isPlanted = (text: string): boolean => [MARK, DAY, WORD].some((mark) => text.includes(mark))

/** Every row of every table that tells something planted, as text or in bytes. */
export async function listPlantedRows(database: TestDatabase): Promise<string[]> {
  const tables = await database.asOwner(
    `select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`,
  )
  const marks = [MARK, DAY, WORD].flatMap((mark) => [mark, Buffer.from(mark).toString('hex')])
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.asOwner(`select t::text as row from ${String(name)} t where t::text ~ $1`, [
      marks.join('|'),
    ])
    found.push(...rows.map(({ row }) => `${String(name)}: ${String(row)}`))
  }
  return found
}
