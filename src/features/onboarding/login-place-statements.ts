// In which tenants an address is known, for whoever signs in and names none. The database keeps it by a trigger as well;
// a database that is spread over several machines has no such trigger.
import { bytes, uuid, uuids } from '#platform/db/columns.ts'
import type { Tx } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { createHash } from 'node:crypto'

type Place = { tenantId: string; userId: string; emailKey: string }

/** The person is found by this address from now on, and by no other. */
export async function setLoginPlace(tx: Tx, { tenantId, userId, emailKey }: Place): Promise<void> {
  const emailHash = createHash('sha256').update(emailKey).digest()
  await deleteLoginPlaces.run(tx, { tenantId, userIds: [userId] })
  await insertLoginPlace.run(tx, { tenantId, userId, emailHash })
}

export const deleteLoginPlaces = statement({
  name: 'deleteLoginPlaces',
  isGlobal: true,
  params: { tenantId: uuid, userIds: uuids },
  sql: `delete from login_place where tenant_id = :tenantId and user_id = any(:userIds)`,
})

const insertLoginPlace = statement({
  name: 'insertLoginPlace',
  isGlobal: true,
  params: { tenantId: uuid, userId: uuid, emailHash: bytes },
  sql: `insert into login_place (email_hash, tenant_id, user_id) values (:emailHash, :tenantId, :userId)
        on conflict (email_hash, tenant_id) do update set user_id = excluded.user_id`,
})
