// How many requests there are, by department and status. A writer takes a slot that nobody holds at the moment, so that
// writers do not wait for each other's commits; readers add the slots up. No listing ever counts its table.
import { randomInt } from 'node:crypto'
import { count, integer, json, nullable, oneOf, text, uuid, uuids } from '#platform/db/columns.ts'
import type { Tx } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'

export const COUNTED_KINDS = ['signaturerequest', 'sealingrequest'] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** So many writers of one department at once need not wait. There are only as many slots as were ever needed. */
const SLOTS = 16

export type CountChange = { departmentId: string; status: string; by: number }

/** Records that requests came, went or moved. One order for everybody, so that two writers never wait in a circle. */
export async function changeCounts(tx: Tx, tenantId: string, kind: CountedKind, changes: CountChange[]): Promise<void> {
  const slot = randomInt(SLOTS)
  const sorted = sumUp(changes).sort((a, b) => (a.departmentId + a.status < b.departmentId + b.status ? -1 : 1))
  tx.withoutWaiting(addToCounts.run(tx, { tenantId, kind, slot, changes: sorted }))
}

/** Each department and status once. */
export function sumUp(changes: readonly CountChange[]): CountChange[] {
  const sums = new Map<string, CountChange>()
  for (const { departmentId, status, by } of changes) {
    const key = `${departmentId} ${status}`
    sums.set(key, { departmentId, status, by: (sums.get(key)?.by ?? 0) + by })
  }
  return [...sums.values()]
}

export type CountFilter = {
  tenantId: string
  kind: CountedKind
  /** Undefined stands for all departments of the tenant. */
  departmentIds: string[] | undefined
  status: string | undefined
}

export async function countRequests(tx: Tx, { tenantId, kind, departmentIds, status }: CountFilter): Promise<number> {
  const { total } = await sumCounts.one(tx, {
    tenantId,
    kind,
    departmentIds: departmentIds ?? null,
    status: status ?? null,
  })
  return total
}

const addToCounts = statement({
  name: 'addToCounts',
  params: { tenantId: uuid, kind: oneOf(COUNTED_KINDS), slot: integer, changes: json<CountChange[]>() },
  // Rows of JSON, not of arrays: the planner knows an array's length and would plan anew each time.
  sql: `insert into request_count as c (tenant_id, kind, department_id, status, slot, amount)
        select :tenantId::uuid, :kind::text, g."departmentId", g.status, coalesce(free.slot, :slot::int), g.by
          from rows from (jsonb_to_recordset(:changes::jsonb) as ("departmentId" uuid, status text, by int))
               with ordinality as g ("departmentId", status, by, position)
          left join lateral (
               select slot
                 from request_count
                where tenant_id = :tenantId::uuid and kind = :kind::text and department_id = g."departmentId"
                  and status = g.status
                limit 1
                  for update skip locked) free on true
         order by g.position
        on conflict (tenant_id, kind, department_id, status, slot) do update set amount = c.amount + excluded.amount`,
})

const sumCounts = statement({
  name: 'sumCounts',
  params: { tenantId: uuid, kind: oneOf(COUNTED_KINDS), departmentIds: nullable(uuids), status: nullable(text) },
  row: { total: count },
  sql: `select coalesce(sum(amount), 0)::bigint as total
          from request_count
         where tenant_id = :tenantId and kind = :kind
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
           and (:status::text is null or status = :status)`,
})
