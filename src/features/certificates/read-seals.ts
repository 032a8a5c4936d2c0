import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { departmentsToList } from '#platform/auth/departments-to-list.ts'
import type { Tx } from '#platform/db/database.ts'
import { certificateNotFound } from './errors.ts'
import { sealBody } from './seal-body.ts'
import { listSealCertificates, lockSealCertificate, type SealRow } from './seal-statements.ts'

/** The seal certificates within reach, newest first; those of one department where it is named. */
export async function listSeals(tx: Tx, { caller, departmentId }: { caller: Caller; departmentId?: string }) {
  const departmentIds = (await departmentsToList(tx, { caller, departmentId })) ?? null
  const rows = await listSealCertificates.many(tx, { tenantId: caller.tenantId, departmentIds })
  return { total: rows.length, items: rows.map(sealBody) }
}

/** The seal certificate that the id names within reach, held until the transaction ends. */
export async function lockSeal(tx: Tx, { caller, id }: { caller: Caller; id: string }): Promise<SealRow> {
  const found = await lockSealCertificate.maybeOne(tx, { tenantId: caller.tenantId, id })
  if (found === undefined) throw certificateNotFound(id)
  await requireReach(tx, caller, found.departmentId)
  return found
}
