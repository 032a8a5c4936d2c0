import { Skip, Take } from '#platform/http/paging.ts'
import {
  Named,
  DateTime,
  FileName,
  Int32,
  Language,
  Nullable,
  Optional,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'
import { SEALING_STATUSES } from './sealing-request.ts'

const SUBJECT_LENGTH = 500

export const RequestPath = Type.Object({ sealingRequestId: Uuid('Id of the sealing request.') })
export const DocumentPath = Type.Object({ sealingRequestId: Uuid(), documentId: Uuid() })

export const RequestInput = Type.Object({
  tenantId: Optional(Uuid('Must be the caller’s own.')),
  departmentId: Optional(Uuid()),
  creatorId: Optional(Uuid()),
  creatorName: Optional(Text()),
  sealingRequestTemplateId: Optional(Uuid()),
  subject: Optional(Text(SUBJECT_LENGTH)),
  languageCode: Optional(Language()),
  status: Optional(Words(SEALING_STATUSES)),
  externalReference: Optional(Text()),
})

export const RequestBody = Named('SealingRequest', {
  id: Uuid(),
  tenantId: Uuid(),
  departmentId: Uuid(),
  creatorId: Uuid(),
  creatorName: Nullable(Type.String()),
  sealingRequestTemplateId: Nullable(Uuid()),
  subject: Nullable(Type.String()),
  languageCode: Nullable(Type.String()),
  status: Words(SEALING_STATUSES),
  statusReason: Nullable(Type.String()),
  externalReference: Nullable(Type.String()),
  creationDate: DateTime(),
  modifiedDate: DateTime(),
})

export const ListingQuery = Type.Object({
  skip: Skip(),
  take: Take(),
  status: Optional(Words(SEALING_STATUSES)),
  departmentId: Optional(Uuid()),
  externalReference: Optional(Text()),
})

export const RequestListing = Type.Object({
  total: Int32(),
  totalIsCapped: Optional(Type.Boolean({ description: 'True where there are more than total says.' })),
  items: Type.Array(RequestBody),
})

export const DocumentInput = Type.Object({
  documentURI: Type.String({ minLength: 1, maxLength: 255, description: 'The uri of a stored document.' }),
  fileName: Optional(FileName()),
  title: Optional(Text()),
  documentTypeId: Optional(Uuid()),
  creatorId: Optional(Uuid()),
  creatorName: Optional(Text()),
})

export const DocumentBody = Named('SealingDocument', {
  id: Uuid(),
  documentURI: Type.String(),
  sourceDocumentURI: Type.String(),
  fileName: Type.String(),
  title: Nullable(Type.String()),
  documentTypeId: Nullable(Uuid()),
  creatorId: Uuid(),
  creatorName: Nullable(Type.String()),
})
