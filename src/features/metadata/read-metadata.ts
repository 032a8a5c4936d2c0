import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { readEntityType, requireEntity } from './entity.ts'
import { listMetadata } from './metadata-statements.ts'

export type NamedEntity = { caller: Caller; entityType: string; entityId: string }

/** Everything that is attached to an entity within the caller's reach. */
export async function readMetadata(tx: Tx, { caller, entityType, entityId }: NamedEntity) {
  const entity = { tenantId: caller.tenantId, entityType: readEntityType(entityType), entityId }
  // Asked together: one round trip for both.
  const [items] = await Promise.all([listMetadata.many(tx, entity), requireEntity(tx, caller, entity)])
  return { total: items.length, items }
}
