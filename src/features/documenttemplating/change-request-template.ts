import type { Static } from 'typebox'
import { recordActivity } from '#features/activity/index.ts'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import { kindIsFixed } from './errors.ts'
import { readTemplateFields } from './request-template.ts'
import type { RequestTemplateChange } from './schemas.ts'
import {
  findTemplateRow,
  hideRequestTemplate,
  lockRequestTemplate,
  updateRequestTemplate,
} from './template-statements.ts'

type Named = { caller: Caller; templateId: string }

export type ChangeRequestTemplate = Named & { given: Static<typeof RequestTemplateChange>; now: Date }

/** A request template within the caller's reach. */
export async function getRequestTemplate(tx: Tx, { caller, templateId }: Named) {
  const template = await findTemplateRow.maybeOne(tx, { tenantId: caller.tenantId, templateId })
  if (template === undefined) throw entityNotFound('request template', templateId)
  await requireReach(tx, caller, template.departmentId)
  return template
}

/** Changes what is given and leaves the rest; `fields` is replaced whole, so that a preset can be taken out again. */
export async function changeRequestTemplate(tx: Tx, { caller, templateId, given, now }: ChangeRequestTemplate) {
  const template = await lockReachable(tx, { caller, templateId })
  if (given.kind !== undefined && given.kind !== template.kind) throw kindIsFixed(template.kind)
  const departmentId = given.departmentId ?? template.departmentId
  const name = given.name ?? template.name
  const fields = given.fields === undefined ? template.fields : readTemplateFields(template.kind, given.fields)
  if (departmentId !== template.departmentId) await requireDepartment(tx, { caller, departmentId })
  if (fields.departmentId !== undefined && fields.departmentId !== template.fields.departmentId) {
    await requireDepartment(tx, { caller, departmentId: fields.departmentId, field: 'fields.departmentId' })
  }
  await updateRequestTemplate.run(tx, { tenantId: caller.tenantId, templateId, departmentId, name, fields, now })
  await recordActivity(tx, {
    caller,
    action: 'requesttemplate.changed',
    target: { id: templateId, name },
    departmentId,
    details: { fields: Object.keys(given) },
    now,
  })
  return { ...template, departmentId, name, fields, modifiedDate: now }
}

/** Hides a template from everybody and answers with what it was. */
export async function deleteRequestTemplate(tx: Tx, { caller, templateId, now }: Named & { now: Date }) {
  const template = await lockReachable(tx, { caller, templateId })
  await hideRequestTemplate.run(tx, { tenantId: caller.tenantId, templateId, now })
  const { departmentId } = template
  await recordActivity(tx, { caller, action: 'requesttemplate.deleted', target: template, departmentId, now })
  return template
}

async function lockReachable(tx: Tx, { caller, templateId }: Named) {
  const template = await lockRequestTemplate.maybeOne(tx, { tenantId: caller.tenantId, templateId })
  if (template === undefined) throw entityNotFound('request template', templateId)
  await requireReach(tx, caller, template.departmentId)
  return template
}
