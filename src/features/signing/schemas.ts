import { Skip, Take } from '#platform/http/paging.ts'
import { Named, DateTime, Int32, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'
import { DELIVERY_METHODS, STRENGTHS } from './authentication.ts'
import { REQUEST_STATUSES, SIGNATORY_STATES } from './signature-request.ts'

const REASON_LENGTH = 500
const SEARCH_LENGTH = 200
const URL_LENGTH = 2000

export const RequestPath = Type.Object({ id: Uuid('Id of the signature request.') })

/** The interface calls this id a text: whatever is not a known id is simply not found. */
export const AnyRequestPath = Type.Object({ id: Type.String({ description: 'Id of the signature request.' }) })

export const SignatoryPath = Type.Object({
  id: Uuid('Id of the signature request.'),
  signatoryId: Uuid('Id of the signatory.'),
})

export const LinkQuery = Type.Object({
  returnUrl: Optional(
    Text(URL_LENGTH, {
      description: 'Where the signatory goes afterwards: an address of one of the tenant’s returnOrigins.',
    }),
  ),
})

export const EvidenceBytes = Type.String({ format: 'binary' })

export const LinkBody = Type.Object({ url: Type.String() })
export const RemindedBody = Type.Object({ reminded: Type.Array(Uuid(), { description: 'Ids of signatories.' }) })

export const CancelBody = Type.Object({
  reason: Optional(Text(REASON_LENGTH, { description: 'Becomes the request’s statusReason.' })),
})

export const ListQuery = Type.Object({
  skip: Skip(),
  take: Take(),
  status: Optional(Words(REQUEST_STATUSES)),
  departmentId: Optional(Uuid('Requests of this department alone, without those below it.')),
  externalReference: Optional(Text()),
  search: Optional(
    Text(SEARCH_LENGTH, {
      description: 'Words of the subject, the reference, or a signatory’s name or e-mail; the last may be cut short.',
    }),
  ),
})

export const AuthenticationChoices = Named('AuthenticationChoices', {
  strengths: Type.Array(Words(STRENGTHS), { description: 'That signatories can be asked for here.' }),
  deliveryMethods: Type.Array(Words(DELIVERY_METHODS)),
  areaCodes: Type.Array(Type.String(), {
    description: 'Of the configured identity providers, for a signatory’s authenticationAreaCode.',
  }),
})

const OptionalText = () => Nullable(Type.String())
const OptionalDate = () => Nullable(DateTime())

const SignatoryBody = Named('Signatory', {
  id: Uuid(),
  firstName: OptionalText(),
  lastName: OptionalText(),
  email: OptionalText(),
  mobilePhone: OptionalText(),
  isMandatory: Type.Boolean(),
  authenticationAreaCode: OptionalText(),
  personalIdentifier: OptionalText(),
  signatoryGroupSigningOrder: Int32(),
  externalReference: OptionalText(),
  state: Words(SIGNATORY_STATES),
  invitedDate: OptionalDate(),
  viewedDate: OptionalDate(),
  signedDate: OptionalDate(),
  declinedDate: OptionalDate(),
  declineReason: OptionalText(),
})

const SignatureDocumentBody = Named('SignatureDocument', {
  id: Uuid(),
  title: OptionalText(),
  fileName: Type.String(),
  documentTypeId: Nullable(Uuid()),
  externalReference: OptionalText(),
  documentURI: Type.String({ description: 'The latest revision, for GET /storage/document/{uri}.' }),
  sourceDocumentURI: Type.String({ description: 'The document as it was given.' }),
  sha256: Type.String({ description: 'Of the latest revision, in hexadecimal.' }),
  levelAsked: Type.String({ description: 'The PAdES level that the document is meant to reach.' }),
  levelReached: OptionalText(),
})

export const SignatureRequestBody = Named('SignatureRequest', {
  id: Uuid(),
  subject: Type.String(),
  status: Words(REQUEST_STATUSES),
  statusReason: OptionalText(),
  languageCode: OptionalText(),
  creatorId: Uuid(),
  departmentId: Uuid(),
  signatureRequestTemplateId: Nullable(Uuid()),
  readingAuthenticationStrength: Words(STRENGTHS),
  signingAuthenticationStrength: Words(STRENGTHS),
  externalReference: OptionalText(),
  expirationDate: OptionalDate(),
  deliveryMethods: Type.Array(Words(DELIVERY_METHODS)),
  archivingError: Nullable(Type.Object({ code: OptionalText(), name: OptionalText(), detail: OptionalText() })),
  creationDate: DateTime(),
  modifiedDate: DateTime(),
  openedDate: OptionalDate(),
  finishedDate: OptionalDate(),
  signatories: Type.Array(SignatoryBody),
  documents: Type.Array(SignatureDocumentBody),
})

export const SignatureRequestListing = Type.Object({
  total: Int32(),
  totalIsCapped: Optional(
    Type.Boolean({ description: 'There are more than total; beyond that they are not counted.' }),
  ),
  items: Type.Array(SignatureRequestBody),
})
