import * as certificates from '#features/certificates/index.ts'
import { countRequests, type CountedKind } from '#features/counts/index.ts'
import * as documenttemplating from '#features/documenttemplating/index.ts'
import * as hooks from '#features/hooks/index.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { countBelow } from './department-statements.ts'
import { getDepartment } from './department-tree.ts'

/** A department, and what lies in it and below it: all that a forced deletion would reach. */
export async function readDepartment(tx: Tx, { caller, departmentId }: { caller: Caller; departmentId: string }) {
  const { path: _path, ...department } = await getDepartment(tx, { caller, departmentId })
  const contents = await readContents(tx, { tenantId: caller.tenantId, departmentId: department.id })
  return { ...department, contents }
}

async function readContents(tx: Tx, { tenantId, departmentId }: { tenantId: string; departmentId: string }) {
  const { departmentIds, ...inside } = await countBelow.one(tx, { tenantId, departmentId })
  const departments = { tenantId, departmentIds }
  const unfinished = (kind: CountedKind) => countUnfinished(tx, { ...departments, kind })
  return {
    departments: departmentIds.length - 1,
    ...inside,
    subscriptions: await hooks.countSubscriptionsOfDepartments(tx, departments),
    templates: await documenttemplating.countTemplatesOfDepartments(tx, departments),
    certificates: await certificates.countSealsOfDepartments(tx, departments),
    unfinishedSignatureRequests: await unfinished('signaturerequest'),
    unfinishedSealingRequests: await unfinished('sealingrequest'),
  }
}

/** What would be canceled. */
const UNFINISHED = ['Draft', 'Open']

type Unfinished = { tenantId: string; departmentIds: string[]; kind: CountedKind }

async function countUnfinished(tx: Tx, wanted: Unfinished): Promise<number> {
  const counts = await Promise.all(UNFINISHED.map((status) => countRequests(tx, { ...wanted, status })))
  return counts.reduce((sum, amount) => sum + amount, 0)
}
