import { Named, DateTime, Int32, Language, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'
import { PAGE_STATES, PROGRESS } from './page-state.ts'
import { PURPOSES } from './signer-statements.ts'

const TOKEN_LENGTH = 100
const URL_LENGTH = 2000
const REASON_LENGTH = 500
const MARK_LENGTH = 100
const MOST_STROKES = 500
/** Farther than any screen reaches, in its pixels; a hand may leave the field that it draws in. */
const FARTHEST_PX = 100_000
const MOST_DOCUMENTS = 500

const Sha256 = () => Text(64, { description: 'In hexadecimal.' })

export const SessionBody = Type.Object({
  token: Text(TOKEN_LENGTH, { description: 'The last part of the personal link.' }),
  returnUrl: Optional(Text(URL_LENGTH, { description: 'From the link’s query, where it has one.' })),
  isFramed: Optional(Type.Boolean({ description: 'The page stands in a frame of another site.' })),
})

export const ReportBody = Type.Object({
  token: Text(TOKEN_LENGTH, { description: 'The token of the personal link, as for a session.' }),
})

export const PurposeBody = Type.Object({ purpose: Words(PURPOSES) })
export const VerifyBody = Type.Object({
  purpose: Words(PURPOSES),
  code: Type.String({ minLength: 6, maxLength: 6, description: 'Six digits.' }),
})

export const IdentificationBody = Type.Object({
  redirectTo: Type.String({ description: 'Where the browser has to go; it comes back by itself.' }),
})

const ANSWER_LENGTH = 4000

/** OpenID Connect Core 3.1.2.5 and 3.1.2.6, RFC 9207. */
export const ProviderAnswerQuery = Type.Object({
  code: Optional(Text(ANSWER_LENGTH)),
  state: Optional(Text(TOKEN_LENGTH)),
  iss: Optional(Text(URL_LENGTH)),
  error: Optional(Text(TOKEN_LENGTH)),
  error_description: Optional(Text(ANSWER_LENGTH)),
})

export const DocumentPath = Type.Object({ id: Uuid('Id of the document.') })
export const DocumentQuery = Type.Object({
  sha256: Optional(Sha256()),
  download: Optional(Type.Boolean({ description: 'Sends it as an attachment.' })),
})

/** Whom the page was made for: another tab may have opened somebody else’s link since. */
const Shown = () => Optional(Uuid('Of the signatory that the page was shown to.'))

const Coordinate = () => Type.Number({ minimum: -FARTHEST_PX, maximum: FARTHEST_PX })

export const SignBody = Type.Object({
  signatoryId: Shown(),
  documents: Type.Array(Type.Object({ id: Uuid(), sha256: Sha256() }), { maxItems: MOST_DOCUMENTS }),
  mark: Optional(
    Type.Object({
      kind: Words(['typed', 'drawn']),
      text: Optional(Text(MARK_LENGTH)),
      strokes: Optional(
        Type.Array(Type.Array(Coordinate(), { description: 'x, y, x, y …' }), { maxItems: MOST_STROKES }),
      ),
    }),
  ),
})

export const DeclineBody = Type.Object({
  signatoryId: Shown(),
  reason: Type.String({ minLength: 1, maxLength: REASON_LENGTH }),
})
export const LanguageBody = Type.Object({ language: Language() })

const Strength = Type.Object({ strength: Type.String(), isMet: Type.Boolean() })

export const PageBody = Named('SigningPage', {
  state: Words(PAGE_STATES),
  reading: Strength,
  signing: Strength,
  language: Type.String(),
  returnUrl: Nullable(Type.String()),
  sender: Nullable(
    Type.Object({ organisation: Type.String(), department: Type.String(), person: Nullable(Type.String()) }),
  ),
  subject: Nullable(Type.String()),
  expirationDate: Nullable(DateTime()),
  signatoryId: Uuid(),
  signatory: Nullable(Type.Object({ firstName: Nullable(Type.String()), lastName: Nullable(Type.String()) })),
  others: Nullable(Type.Array(Type.Object({ name: Type.String(), state: Type.String() }))),
  progress: Nullable(Words(PROGRESS)),
  documents: Nullable(
    Type.Array(
      Type.Object({
        id: Uuid(),
        title: Nullable(Type.String()),
        fileName: Type.String(),
        sizeBytes: Type.Integer(),
        sha256: Type.String(),
        url: Type.String(),
      }),
    ),
  ),
  signedAt: Nullable(DateTime()),
  declineReason: Nullable(Type.String()),
  canDownload: Type.Boolean(),
})

export const CodeBody = Type.Object({
  channel: Words(['email', 'sms']),
  sentTo: Type.String({ description: 'The address, mostly hidden.' }),
  expiresAt: DateTime(),
  codesLeft: Int32(),
})

export const DocumentBytes = Type.String({ format: 'binary' })
