import { Skip, Take } from '#platform/http/paging.ts'
import {
  Named,
  DateTime,
  DocumentContent,
  FileName,
  Language,
  Nullable,
  Optional,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'
import { REQUEST_TEMPLATE_KINDS } from './request-template.ts'

export const TemplatePath = Type.Object({ id: Uuid('Id of the template.') })

/** The interface writes these names with a capital; like all query names they are read in any case. */
export const DocumentTemplateQuery = Type.Object({ DepartmentId: Optional(Uuid()), Skip: Skip(), Take: Take() })

export const DocumentTemplate = Named('DocumentTemplate', {
  id: Uuid(),
  name: Type.String(),
  templateUri: Type.String(),
  departmentId: Uuid(),
  documentTypeId: Nullable(Uuid()),
  language: Nullable(Type.String()),
})

const changeable = {
  departmentId: Optional(Uuid()),
  documentTypeId: Optional(Uuid()),
  language: Optional(Language()),
  templateUri: Optional(Text(255, { description: 'The uri of a stored document.' })),
  contentBase64: Optional(DocumentContent()),
  fileName: Optional(FileName()),
}

export const NewDocumentTemplate = Type.Object({ name: Text(255, { minLength: 1 }), ...changeable })
export const DocumentTemplateChange = Type.Object({ name: Optional(Text(255, { minLength: 1 })), ...changeable })

export const RequestTemplateQuery = Type.Object({
  kind: Optional(Words(REQUEST_TEMPLATE_KINDS)),
  departmentId: Optional(Uuid()),
  skip: Skip(),
  take: Take(),
})

/** Which fields there are depends on the kind, so they are held against their schema once the kind is known. */
const Fields = () =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 50,
    description:
      'Preset top-level fields of a one-step signature request (with `placements`), or of a sealing request. They fill in what a request leaves out; lists are replaced whole. A placement covers at most 125,000 square points.',
  })

export const NewRequestTemplate = Type.Object({
  kind: Words(REQUEST_TEMPLATE_KINDS),
  name: Text(255, { minLength: 1 }),
  departmentId: Optional(Uuid()),
  fields: Fields(),
})

export const RequestTemplateChange = Type.Object({
  kind: Optional(Words(REQUEST_TEMPLATE_KINDS)),
  name: Optional(Text(255, { minLength: 1 })),
  departmentId: Optional(Uuid()),
  fields: Optional(Fields()),
})

export const RequestTemplate = Named('RequestTemplate', {
  id: Uuid(),
  kind: Words(REQUEST_TEMPLATE_KINDS),
  name: Type.String(),
  departmentId: Uuid(),
  fields: Fields(),
  creationDate: DateTime(),
  modifiedDate: DateTime(),
})
