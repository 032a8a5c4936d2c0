import type { Static } from 'typebox'
import { requireCreator, requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { readEntityType, requireEntity, type Entity } from './entity.ts'
import { keyGivenTwice, tooManyKeys } from './errors.ts'
import { countMetadata, deleteMetadata, listMetadata, lockMetadata, putMetadata } from './metadata-statements.ts'
import type { NamedEntity } from './read-metadata.ts'
import { MOST_KEYS, type MetadataChange } from './schemas.ts'

type Change = Static<typeof MetadataChange>

export type ChangeMetadata = NamedEntity & { change: Change; now: Date }

/** Adds and overwrites the keys named, removes those whose value is null, and leaves every other key alone. */
export async function changeMetadata(tx: Tx, { caller, entityType, entityId, change, now }: ChangeMetadata) {
  const entity = { tenantId: caller.tenantId, entityType: readEntityType(entityType), entityId }
  requireDistinctKeys(change.metadata)
  await requireEntity(tx, caller, entity)
  if (change.departmentId !== undefined) await requireDepartment(tx, { caller, departmentId: change.departmentId })
  if (change.creatorId !== undefined) await requireCreator(tx, { caller, creatorId: change.creatorId })

  await lockMetadata.run(tx, entity)
  await write(tx, entity, change, now)
  const { total } = await countMetadata.one(tx, entity)
  if (total > MOST_KEYS) throw tooManyKeys(MOST_KEYS)
  return answer(entity, change, await listMetadata.many(tx, entity))
}

function requireDistinctKeys(metadata: Change['metadata']): void {
  const seen = new Set<string>()
  for (const [index, { key }] of metadata.entries()) {
    if (seen.has(key)) throw keyGivenTwice(index, key)
    seen.add(key)
  }
}

async function write(tx: Tx, entity: Entity, { metadata, referenceId }: Change, now: Date): Promise<void> {
  const kept = metadata.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]))
  const removed = metadata.filter(({ value }) => value === null).map(({ key }) => key)
  if (removed.length > 0) await deleteMetadata.run(tx, { ...entity, keys: removed })
  if (kept.length === 0) return
  const keys = kept.map(({ key }) => key)
  const values = kept.map(({ value }) => value)
  await putMetadata.run(tx, { ...entity, keys, values, referenceId: referenceId ?? null, now })
}

type Entry = Awaited<ReturnType<typeof listMetadata.many>>[number]

/** The interface promises one entry for a body that may hold many: the first. The others stand beside it. */
function answer({ entityType, entityId }: Entity, { metadata }: Change, items: Entry[]) {
  const { key } = metadata[0]!
  const first = items.find((item) => item.key === key) ?? { key, value: null, entityId, entityType, referenceId: null }
  return { ...first, total: items.length, items }
}
