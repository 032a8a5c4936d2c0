// What a caller may say about a sealing request, and what must hold of it before it is believed.
import type { Static } from 'typebox'
import { requireCreator, requireDepartment } from '#platform/auth/references.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { referenceNotFound } from '#platform/errors.ts'
import type { RequestInput } from './schemas.ts'

export type GivenRequest = Static<typeof RequestInput>

export const FIELDS = [
  'departmentId',
  'creatorId',
  'creatorName',
  'sealingRequestTemplateId',
  'subject',
  'languageCode',
  'externalReference',
] as const

export type Fields = Pick<GivenRequest, (typeof FIELDS)[number]>

export function requireOwnTenant(caller: Caller, { tenantId }: GivenRequest): void {
  if (tenantId !== undefined && tenantId !== caller.tenantId) throw referenceNotFound('tenantId', 'tenant')
}

/** Passes where the department and the person named exist, and the caller may name them. */
export async function requireReferences(tx: Tx, caller: Caller, { departmentId, creatorId }: Fields): Promise<void> {
  if (departmentId !== undefined) await requireDepartment(tx, { caller, departmentId })
  if (creatorId !== undefined) await requireCreator(tx, { caller, creatorId })
}
