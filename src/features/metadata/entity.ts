// The things that metadata is attached to. They belong to other features, which say where they are and in what state.
import { findSealingDocumentDepartment } from '#features/sealing/index.ts'
import { findEntityDepartment } from '#features/signing/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import { unknownEntityType } from './errors.ts'

export const ENTITY_TYPES = ['SignatureRequest', 'Signee', 'Document', 'Archive'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

export type Entity = { tenantId: string; entityType: EntityType; entityId: string }

const NOUNS = {
  SignatureRequest: 'signature request',
  Signee: 'signatory',
  Document: 'document',
  Archive: 'archived signature request',
} as const satisfies Record<EntityType, string>

/** The type as it is written in answers, however the caller spelled it. */
export function readEntityType(text: string): EntityType {
  const found = ENTITY_TYPES.find((type) => type.toLowerCase() === text.toLowerCase())
  if (found === undefined) throw unknownEntityType(ENTITY_TYPES)
  return found
}

/** Passes where the entity exists within the caller's reach. */
export async function requireEntity(tx: Tx, caller: Caller, entity: Entity): Promise<void> {
  const departmentId = await findDepartment(tx, entity)
  if (departmentId === undefined) throw entityNotFound(NOUNS[entity.entityType], entity.entityId)
  await requireReach(tx, caller, departmentId)
}

async function findDepartment(tx: Tx, { tenantId, entityType, entityId }: Entity): Promise<string | undefined> {
  if (entityType === 'Archive') {
    const request = await findEntityDepartment(tx, { tenantId, entityType: 'SignatureRequest', entityId })
    return request?.status === 'Archived' ? request.departmentId : undefined
  }
  const signing = await findEntityDepartment(tx, { tenantId, entityType, entityId })
  if (signing !== undefined || entityType !== 'Document') return signing?.departmentId
  return (await findSealingDocumentDepartment(tx, { tenantId, documentId: entityId }))?.departmentId
}
