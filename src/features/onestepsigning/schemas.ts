import type { Static } from 'typebox'
import {
  Named,
  DateTime,
  DocumentContent,
  Email,
  FileName,
  Int32,
  Language,
  Optional,
  Phone,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'

const SUBJECT_LENGTH = 500
const WORD_LENGTH = 50
const MOST_METHODS = 10

const SignatoryPayload = Named('NewSignatory', {
  firstName: Optional(Text()),
  lastName: Optional(Text()),
  email: Optional(Email()),
  mobilePhone: Optional(Phone()),
  isMandatory: Optional(Type.Boolean({ default: true })),
  authenticationAreaCode: Optional(Text()),
  personalIdentifier: Optional(Text()),
  signatoryGroupSigningOrder: Optional(Int32()),
  externalReference: Optional(Text()),
})

const SignatureDocumentPayload = Named('NewSignatureDocument', {
  title: Optional(Text()),
  fileName: Optional(FileName()),
  documentTypeId: Optional(Uuid()),
  externalReference: Optional(Text()),
  contentBase64: DocumentContent(),
})

const Strength = () =>
  Text(WORD_LENGTH, {
    description: 'None, Email (or Low, Basic, Weak), Sms (or Medium, Substantial) or Strong (or High, Eid).',
  })

/** Only what a payload contains is checked here; what it must contain depends on its status and its template. */
export const SignatureRequestPayload = Type.Object({
  id: Optional(Uuid('Chosen by the caller: the same call again then gets the same answer, for ever.')),
  subject: Optional(Text(SUBJECT_LENGTH, { minLength: 1 })),
  status: Optional(Words(['Draft', 'Open'])),
  languageCode: Optional(Language()),
  creatorId: Optional(Uuid()),
  departmentId: Optional(Uuid()),
  signatureRequestTemplateId: Optional(Uuid('Fills in whatever the payload leaves out.')),
  readingAuthenticationStrength: Optional(Strength()),
  signingAuthenticationStrength: Optional(Strength()),
  externalReference: Optional(Text()),
  expirationDate: Optional(DateTime()),
  deliveryMethods: Optional(
    Type.Array(Text(WORD_LENGTH), { maxItems: MOST_METHODS, description: 'Email, Sms, Link.' }),
  ),
  signatories: Optional(Type.Array(SignatoryPayload)),
  documents: Optional(Type.Array(SignatureDocumentPayload)),
})

/** Other content for a Draft: all of it. Whose it is and which it is stay as they are. */
export const DraftPayload = Type.Omit(SignatureRequestPayload, ['id', 'creatorId'])

export const DraftPath = Type.Object({ id: Uuid() })

export type Payload = Static<typeof SignatureRequestPayload>

export const CreatedRequest = Type.Object({ id: Uuid() })
