import { recordActivity } from '#features/activity/index.ts'
import type { Authenticator } from '#platform/auth/authenticate.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import { findDepartment, measureSubtree, moveSubtree, updateDepartment } from './department-statements.ts'
import { getDepartment, getParent, lockTree, requireLevels } from './department-tree.ts'
import { rootStays, wouldBeCircle } from './errors.ts'
import type { DepartmentChangeFields } from './schemas.ts'
import { refuseDuplicate } from './unique-constraints.ts'

const PARENT = 'parentDepartmentId'

export type ChangeDepartment = {
  caller: Caller
  departmentId: string
  fields: DepartmentChangeFields
  authenticator: Authenticator
  now: Date
}

/** Renames a department, moves it with everything below it, or sets how long its requests are kept. */
export async function changeDepartment(tx: Tx, { caller, departmentId, fields, authenticator, now }: ChangeDepartment) {
  const { tenantId } = caller
  if (fields.parentDepartmentId !== undefined) await lockTree(tx, tenantId)
  const department = await getDepartment(tx, { caller, departmentId })
  const { parentDepartmentId: parentId } = fields
  const isMoved = parentId !== undefined && parentId !== department.parentDepartmentId
  if (isMoved) {
    await moveDepartment(tx, { caller, department, parentId, now })
    tx.afterCommit(() => authenticator.forget())
  }
  await refuseDuplicate('externalReference', () =>
    updateDepartment.run(tx, {
      tenantId,
      departmentId: department.id,
      name: fields.name ?? null,
      shortName: fields.shortName ?? null,
      contactEmail: fields.contactEmail ?? null,
      businessId: fields.businessId ?? null,
      externalReference: fields.externalReference ?? null,
      subscriptionTier: fields.subscriptionTier ?? null,
      retentionDays: fields.retentionDays ?? null,
      now,
    }),
  )
  const changed = await readChanged(tx, { tenantId, departmentId: department.id })
  await recordActivity(tx, {
    caller,
    action: isMoved ? 'department.moved' : 'department.changed',
    target: changed,
    departmentId: changed.id,
    details: { fields: Object.keys(fields) },
    now,
  })
  return changed
}

type Move = { caller: Caller; department: { id: string; path: string[] }; parentId: string; now: Date }

async function moveDepartment(tx: Tx, { caller, department, parentId, now }: Move): Promise<void> {
  const { tenantId } = caller
  const position = department.path.length
  if (position === 1) throw rootStays('moved')
  const parent = await getParent(tx, { caller, parentId, field: PARENT })
  if (parent.path.includes(department.id)) throw wouldBeCircle()
  const { levels } = await measureSubtree.one(tx, { tenantId, departmentId: department.id })
  requireLevels(parent.path.length + levels - position + 1, PARENT)
  await moveSubtree.run(tx, { tenantId, departmentId: department.id, parentId, parentPath: parent.path, position, now })
}

/** Somebody may have deleted it while it was being changed: then it is as unknown as any other. */
async function readChanged(tx: Tx, { tenantId, departmentId }: { tenantId: string; departmentId: string }) {
  const found = await findDepartment.maybeOne(tx, { tenantId, departmentId })
  if (found === undefined) throw entityNotFound('department', departmentId)
  const { path: _path, ...department } = found
  return department
}
