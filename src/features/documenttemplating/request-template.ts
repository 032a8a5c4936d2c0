// What a request template may preset: the top-level fields of a request, each held to the same rules as in the request
// itself. Left out on purpose: ids, which name one request alone; creatorId, because whoever uses a template acts in
// their own name; and the documents' bytes.
import type { Static } from 'typebox'
import { LARGE_AREA } from '#pades/validate/field-rules.ts'
import { invalidArgument } from '#platform/errors.ts'
import { readBody } from '#platform/http/read-input.ts'
import {
  DateTime,
  Email,
  Int32,
  Language,
  NAME_LENGTH,
  Optional,
  Phone,
  Text,
  Type,
  Uuid,
  Words,
} from '#platform/http/schema.ts'

export const REQUEST_TEMPLATE_KINDS = ['signature', 'sealing'] as const
export type RequestTemplateKind = (typeof REQUEST_TEMPLATE_KINDS)[number]

const MOST_SIGNATORIES = 1000
const MOST_PLACEMENTS = 1000
const MOST_DOCUMENTS = 500
const SUBJECT_LENGTH = 500

/** ISO 32000-1 Annex C: no side of a page is longer, in points. */
const LONGEST_SIDE = 14_400

const STRENGTHS = [
  'None',
  'Email',
  'Low',
  'Basic',
  'Weak',
  'Sms',
  'Medium',
  'Substantial',
  'Strong',
  'High',
  'Eid',
] as const
const Subject = () => Text(SUBJECT_LENGTH, { minLength: 1 })

const Signatory = Type.Object({
  firstName: Optional(Text()),
  lastName: Optional(Text()),
  email: Optional(Email()),
  mobilePhone: Optional(Phone()),
  isMandatory: Optional(Type.Boolean()),
  authenticationAreaCode: Optional(Text()),
  personalIdentifier: Optional(Text()),
  signatoryGroupSigningOrder: Optional(Int32()),
  externalReference: Optional(Text()),
})

/** Where the mark of a signatory shows, in points from the top left of a page; documents and signatories count from 0, pages from 1. */
const Placement = Type.Object({
  documentIndex: Type.Integer({ minimum: 0, maximum: MOST_DOCUMENTS - 1 }),
  signatoryIndex: Type.Integer({ minimum: 0, maximum: MOST_SIGNATORIES - 1 }),
  page: Type.Integer({ minimum: 1, maximum: 100_000 }),
  x: Type.Number({ minimum: 0, maximum: LONGEST_SIDE }),
  y: Type.Number({ minimum: 0, maximum: LONGEST_SIDE }),
  width: Type.Number({ minimum: 1, maximum: LONGEST_SIDE }),
  height: Type.Number({ minimum: 1, maximum: LONGEST_SIDE }),
})

export const SignatureFields = Type.Object({
  subject: Optional(Subject()),
  status: Optional(Words(['Draft', 'Open'])),
  languageCode: Optional(Language()),
  departmentId: Optional(Uuid()),
  readingAuthenticationStrength: Optional(Words(STRENGTHS)),
  signingAuthenticationStrength: Optional(Words(STRENGTHS)),
  externalReference: Optional(Text()),
  expirationDate: Optional(DateTime()),
  deliveryMethods: Optional(Type.Array(Words(['Email', 'Sms', 'Link']), { maxItems: 3 })),
  signatories: Optional(Type.Array(Signatory, { maxItems: MOST_SIGNATORIES })),
  placements: Optional(Type.Array(Placement, { maxItems: MOST_PLACEMENTS })),
})

export const SealingFields = Type.Object({
  subject: Optional(Subject()),
  status: Optional(Words(['Draft', 'Open'])),
  languageCode: Optional(Language()),
  departmentId: Optional(Uuid()),
  creatorName: Optional(Text(NAME_LENGTH)),
  externalReference: Optional(Text()),
})

export type TemplatePlacement = Static<typeof Placement>
export type SignatureTemplateFields = Static<typeof SignatureFields>
export type SealingTemplateFields = Static<typeof SealingFields>
export type RequestTemplateFields = SignatureTemplateFields | SealingTemplateFields
export type FieldsOf<K extends RequestTemplateKind> = K extends 'signature'
  ? SignatureTemplateFields
  : SealingTemplateFields

/** The fields that a template of this kind presets, cleaned; throws `InvalidArgument` naming `fields.…`. */
export function readTemplateFields(kind: RequestTemplateKind, fields: unknown): RequestTemplateFields {
  const schema = kind === 'signature' ? SignatureFields : SealingFields
  const read = readBody(Type.Object({ fields: schema }), { fields }) as { fields: RequestTemplateFields }
  const placements = ('placements' in read.fields && read.fields.placements) || []
  for (const [at, placement] of placements.entries()) requireSmall(placement, at)
  return read.fields
}

/** A field that is filled after others have signed must not be one that could cover what they signed. */
function requireSmall({ width, height }: TemplatePlacement, at: number): void {
  if (width * height <= LARGE_AREA) return
  throw invalidArgument(`fields.placements[${at}]`, `width times height must be at most ${LARGE_AREA} square points`)
}
