import { count, integer, json, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { REQUEST_TEMPLATE_KINDS, type RequestTemplateFields } from './request-template.ts'

const documentTemplate = {
  id: uuid,
  name: text,
  templateUri: uuid,
  departmentId: uuid,
  documentTypeId: nullable(uuid),
  language: nullable(text),
}
const DOCUMENT_TEMPLATE = `id, name, document_id as "templateUri", department_id as "departmentId",
               document_type_id as "documentTypeId", language`

export const insertDocumentTemplate = statement({
  name: 'insertDocumentTemplate',
  params: {
    tenantId: uuid,
    id: uuid,
    departmentId: uuid,
    name: text,
    documentId: uuid,
    documentTypeId: nullable(uuid),
    language: nullable(text),
    now: time,
  },
  sql: `insert into document_template (tenant_id, id, department_id, name, document_id, document_type_id, language, created_at, modified_at)
        values (:tenantId, :id, :departmentId, :name, :documentId, :documentTypeId, :language, :now, :now)`,
})

export const lockDocumentTemplate = statement({
  name: 'lockDocumentTemplate',
  params: { tenantId: uuid, templateId: uuid },
  row: documentTemplate,
  sql: `select ${DOCUMENT_TEMPLATE}
          from document_template
         where tenant_id = :tenantId and id = :templateId and deleted_at is null
           for update`,
})

export const updateDocumentTemplate = statement({
  name: 'updateDocumentTemplate',
  params: {
    tenantId: uuid,
    templateId: uuid,
    departmentId: uuid,
    name: text,
    documentId: uuid,
    documentTypeId: nullable(uuid),
    language: nullable(text),
    now: time,
  },
  sql: `update document_template
           set department_id = :departmentId, name = :name, document_id = :documentId,
               document_type_id = :documentTypeId, language = :language, modified_at = :now
         where tenant_id = :tenantId and id = :templateId`,
})

export const hideDocumentTemplate = statement({
  name: 'hideDocumentTemplate',
  params: { tenantId: uuid, templateId: uuid, now: time },
  sql: `update document_template set deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and id = :templateId`,
})

/** Without departments: those of the whole tenant. */
export const listDocumentTemplates = statement({
  name: 'listDocumentTemplates',
  params: { tenantId: uuid, departmentIds: nullable(uuids), skip: integer, take: integer },
  row: documentTemplate,
  sql: `select ${DOCUMENT_TEMPLATE}
          from document_template
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
         order by created_at desc, id desc
        offset :skip limit :take`,
})

export const countDocumentTemplates = statement({
  name: 'countDocumentTemplates',
  params: { tenantId: uuid, departmentIds: nullable(uuids) },
  row: { total: count },
  sql: `select count(id) as total
          from document_template
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))`,
})

const requestTemplate = {
  id: uuid,
  kind: oneOf(REQUEST_TEMPLATE_KINDS),
  name: text,
  departmentId: uuid,
  fields: json<RequestTemplateFields>(),
  creationDate: time,
  modifiedDate: time,
}
const REQUEST_TEMPLATE = `id, kind, name, department_id as "departmentId", fields,
               created_at as "creationDate", modified_at as "modifiedDate"`

export const insertRequestTemplate = statement({
  name: 'insertRequestTemplate',
  params: {
    tenantId: uuid,
    id: uuid,
    kind: oneOf(REQUEST_TEMPLATE_KINDS),
    departmentId: uuid,
    name: text,
    fields: json<RequestTemplateFields>(),
    now: time,
  },
  sql: `insert into request_template (tenant_id, id, kind, department_id, name, fields, created_at, modified_at)
        values (:tenantId, :id, :kind, :departmentId, :name, :fields, :now, :now)`,
})

export const findTemplateRow = statement({
  name: 'findTemplateRow',
  params: { tenantId: uuid, templateId: uuid },
  row: requestTemplate,
  sql: `select ${REQUEST_TEMPLATE}
          from request_template
         where tenant_id = :tenantId and id = :templateId and deleted_at is null`,
})

export const lockRequestTemplate = statement({
  name: 'lockRequestTemplate',
  params: { tenantId: uuid, templateId: uuid },
  row: requestTemplate,
  sql: `select ${REQUEST_TEMPLATE}
          from request_template
         where tenant_id = :tenantId and id = :templateId and deleted_at is null
           for update`,
})

export const updateRequestTemplate = statement({
  name: 'updateRequestTemplate',
  params: {
    tenantId: uuid,
    templateId: uuid,
    departmentId: uuid,
    name: text,
    fields: json<RequestTemplateFields>(),
    now: time,
  },
  sql: `update request_template
           set department_id = :departmentId, name = :name, fields = :fields, modified_at = :now
         where tenant_id = :tenantId and id = :templateId`,
})

export const hideRequestTemplate = statement({
  name: 'hideRequestTemplate',
  params: { tenantId: uuid, templateId: uuid, now: time },
  sql: `update request_template set deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and id = :templateId`,
})

/** Without departments: those of the whole tenant; without a kind: of both. */
export const listRequestTemplates = statement({
  name: 'listRequestTemplates',
  params: {
    tenantId: uuid,
    departmentIds: nullable(uuids),
    kind: nullable(oneOf(REQUEST_TEMPLATE_KINDS)),
    skip: integer,
    take: integer,
  },
  row: requestTemplate,
  sql: `select ${REQUEST_TEMPLATE}
          from request_template
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
           and (:kind::text is null or kind = :kind)
         order by created_at desc, id desc
        offset :skip limit :take`,
})

export const countRequestTemplates = statement({
  name: 'countRequestTemplates',
  params: { tenantId: uuid, departmentIds: nullable(uuids), kind: nullable(oneOf(REQUEST_TEMPLATE_KINDS)) },
  row: { total: count },
  sql: `select count(id) as total
          from request_template
         where tenant_id = :tenantId and deleted_at is null
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
           and (:kind::text is null or kind = :kind)`,
})

export const hideDocumentTemplatesOfDepartments = statement({
  name: 'hideDocumentTemplatesOfDepartments',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  sql: `update document_template set deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and department_id = any(:departmentIds::uuid[]) and deleted_at is null`,
})

export const hideRequestTemplatesOfDepartments = statement({
  name: 'hideRequestTemplatesOfDepartments',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  sql: `update request_template set deleted_at = :now, modified_at = :now
         where tenant_id = :tenantId and department_id = any(:departmentIds::uuid[]) and deleted_at is null`,
})
