import { readPage } from '#platform/http/paging.ts'
import { route } from '#platform/http/route.ts'
import { Listing } from '#platform/http/schema.ts'
import { changeDocumentTemplate, deleteDocumentTemplate } from './change-document-template.ts'
import { changeRequestTemplate, deleteRequestTemplate, getRequestTemplate } from './change-request-template.ts'
import { createDocumentTemplate } from './create-document-template.ts'
import { createRequestTemplate } from './create-request-template.ts'
import { listDocumentTemplates, listRequestTemplates } from './list-templates.ts'
import {
  DocumentTemplate,
  DocumentTemplateChange,
  DocumentTemplateQuery,
  NewDocumentTemplate,
  NewRequestTemplate,
  RequestTemplate,
  RequestTemplateChange,
  RequestTemplateQuery,
  TemplatePath,
} from './schemas.ts'
import { takeContent } from './template-content.ts'

const tag = 'Document templating'
const knowsUserInactive = true

const documentTemplateRoutes = [
  route({
    operation: 9,
    method: 'GET',
    url: '/documenttemplating/template',
    summary: 'List document templates',
    tag,
    knowsUserInactive,
    permission: 'template:read',
    query: DocumentTemplateQuery,
    response: { 200: Listing(DocumentTemplate) },
    handle: ({ tx }, { caller, query: { DepartmentId, Skip, Take } }) =>
      listDocumentTemplates(tx, { caller, departmentId: DepartmentId, page: readPage({ skip: Skip, take: Take }) }),
  }),
  route({
    method: 'POST',
    url: '/documenttemplating/template',
    summary: 'Create a document template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    body: NewDocumentTemplate,
    bodyKind: 'documents',
    response: { 200: DocumentTemplate },
    prepare: ({ platform }, { caller, body }) => takeContent(platform, caller, body),
    handle: ({ tx, now }, { caller, body, prepared }) =>
      createDocumentTemplate(tx, { caller, given: body, content: prepared, now }),
  }),
  route({
    method: 'PUT',
    url: '/documenttemplating/template/:id',
    summary: 'Change a document template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    params: TemplatePath,
    body: DocumentTemplateChange,
    bodyKind: 'documents',
    response: { 200: DocumentTemplate },
    prepare: ({ platform }, { caller, body }) => takeContent(platform, caller, body),
    handle: ({ tx, now }, { caller, params, body, prepared }) =>
      changeDocumentTemplate(tx, { caller, templateId: params.id, given: body, content: prepared, now }),
  }),
  route({
    method: 'DELETE',
    url: '/documenttemplating/template/:id',
    summary: 'Delete a document template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    params: TemplatePath,
    response: { 200: DocumentTemplate },
    handle: ({ tx, now }, { caller, params }) => deleteDocumentTemplate(tx, { caller, templateId: params.id, now }),
  }),
]

const requestTemplateRoutes = [
  route({
    method: 'GET',
    url: '/documenttemplating/requesttemplate',
    summary: 'List request templates',
    tag,
    knowsUserInactive,
    permission: 'template:read',
    query: RequestTemplateQuery,
    response: { 200: Listing(RequestTemplate) },
    handle: ({ tx }, { caller, query: { departmentId, kind, skip, take } }) =>
      listRequestTemplates(tx, { caller, departmentId, kind, page: readPage({ skip, take }) }),
  }),
  route({
    method: 'POST',
    url: '/documenttemplating/requesttemplate',
    summary: 'Create a request template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    body: NewRequestTemplate,
    response: { 200: RequestTemplate },
    handle: ({ tx, now }, { caller, body }) => createRequestTemplate(tx, { caller, given: body, now }),
  }),
  route({
    method: 'GET',
    url: '/documenttemplating/requesttemplate/:id',
    summary: 'Read a request template',
    tag,
    knowsUserInactive,
    permission: 'template:read',
    params: TemplatePath,
    response: { 200: RequestTemplate },
    handle: ({ tx }, { caller, params }) => getRequestTemplate(tx, { caller, templateId: params.id }),
  }),
  route({
    method: 'PUT',
    url: '/documenttemplating/requesttemplate/:id',
    summary: 'Change a request template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    params: TemplatePath,
    body: RequestTemplateChange,
    response: { 200: RequestTemplate },
    handle: ({ tx, now }, { caller, params, body }) =>
      changeRequestTemplate(tx, { caller, templateId: params.id, given: body, now }),
  }),
  route({
    method: 'DELETE',
    url: '/documenttemplating/requesttemplate/:id',
    summary: 'Delete a request template',
    tag,
    knowsUserInactive,
    permission: 'template:write',
    params: TemplatePath,
    response: { 200: RequestTemplate },
    handle: ({ tx, now }, { caller, params }) => deleteRequestTemplate(tx, { caller, templateId: params.id, now }),
  }),
]

export const documentTemplatingRoutes = [...documentTemplateRoutes, ...requestTemplateRoutes]
