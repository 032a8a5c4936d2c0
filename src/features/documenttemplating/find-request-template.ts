import { isDepartmentBelow } from '#platform/auth/auth-statements.ts'
import { hasReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { FieldsOf, RequestTemplateKind } from './request-template.ts'
import { findTemplateRow } from './template-statements.ts'

/**
 * What a template presets, for a request that names it. Undefined where the caller can't use such a template: unknown,
 * hidden, of the other kind, or of a department that is neither the caller's own, nor above it, nor below it.
 */
export async function findRequestTemplate<K extends RequestTemplateKind>(
  tx: Tx,
  { caller, templateId, kind }: { caller: Caller; templateId: string; kind: K },
): Promise<{ fields: FieldsOf<K> } | undefined> {
  const template = await findTemplateRow.maybeOne(tx, { tenantId: caller.tenantId, templateId })
  if (template === undefined || template.kind !== kind) return undefined
  if (!(await mayUse(tx, caller, template.departmentId))) return undefined
  return { fields: template.fields }
}

/** A department inherits the templates of those above it, though it can neither list nor change them. */
async function mayUse(tx: Tx, caller: Caller, templateDepartmentId: string): Promise<boolean> {
  if (await hasReach(tx, caller, templateDepartmentId)) return true
  const { tenantId, departmentId } = caller
  const own = await isDepartmentBelow.maybeOne(tx, { tenantId, departmentId, above: templateDepartmentId })
  return own !== undefined
}
