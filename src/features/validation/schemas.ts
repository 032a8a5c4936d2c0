import { LEVELS } from '#pades/validate/report.ts'
import { DateTime, Named, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'

const CODE_LENGTH = 43

export const PdfBody = Type.Unsafe<Buffer>({ type: 'string', format: 'binary', description: 'The PDF itself.' })

export const EvidenceQuery = Type.Object({
  evidence: Optional(
    Text(CODE_LENGTH, { description: 'The last part of the link on an evidence page: was the file sealed for that?' }),
  ),
})

const Finding = Named('ValidationFinding', {
  weight: Words(['failure', 'doubt', 'note']),
  message: Type.String({ description: 'In plain English.' }),
})

const Certificate = Named('ValidatedCertificate', {
  subject: Type.String(),
  issuer: Type.String(),
  serialNumber: Type.String(),
  notBefore: DateTime(),
  notAfter: DateTime(),
  sha256: Type.String(),
})

const Addition = Named('AdditionAfterSignature', {
  revision: Type.Integer({ description: 'Counted from 1.' }),
  kind: Words(['signature', 'timestamp', 'validation-data', 'empty-field', 'form-filling', 'metadata', 'extensions']),
  message: Type.String(),
})

export const CHAIN_ENDS = ['Installation', 'Trusted', 'Unknown'] as const

const Signature = Named('ValidatedSignature', {
  kind: Words(['signature', 'timestamp']),
  fieldName: Type.String(),
  indication: Words(['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE']),
  subIndication: Nullable(Type.String({ description: 'Of EN 319 102-1, clause 5.1.3.' })),
  level: Nullable(Words(LEVELS)),
  subject: Nullable(Type.String({ description: 'The name in the certificate.' })),
  claimedTime: Nullable(DateTime()),
  provenTime: Nullable(DateTime()),
  coverage: Type.Object({
    kind: Words(['whole-file', 'revision', 'none']),
    revision: Nullable(Type.Integer()),
    end: Nullable(Type.Integer()),
  }),
  changedAfterwards: Words(['no', 'explained', 'unexplained', 'unknown']),
  additions: Type.Array(Addition),
  chainEndsAt: Words(CHAIN_ENDS, {
    description: 'Installation: issued by this service itself; of a timestamp, stamped by its own embedded authority.',
  }),
  certificates: Type.Array(Certificate),
  findings: Type.Array(Finding),
})

export const ReportBody = Named('ValidationReport', {
  verdict: Words(['valid', 'indeterminate', 'invalid', 'unsigned']),
  validatedAt: DateTime(),
  sha256: Type.String({ description: 'Of the file, in hexadecimal.' }),
  sizeBytes: Type.Integer(),
  revisions: Type.Integer(),
  /** Why the file could not even be read, and so has no signatures here. */
  unreadable: Nullable(Words(['encrypted', 'damaged', 'unsupported'])),
  evidence: Nullable(
    Type.Object({
      signatureRequestId: Uuid(),
      isSealedHere: Type.Boolean({ description: 'This very file was sealed here for that request.' }),
    }),
  ),
  signatures: Type.Array(Signature),
  timestamps: Type.Array(Signature),
  findings: Type.Array(Finding),
})
