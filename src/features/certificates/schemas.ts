import { Named, DateTime, Int32, Nullable, Optional, Text, Type, Uuid, Words } from '#platform/http/schema.ts'
import { CERTIFICATE_ORIGINS, CERTIFICATE_STATES } from './certificate-statements.ts'

/** Generous for a key with a long chain; the files of all issuers that we know are far smaller. */
const LONGEST_FILE = 256 * 1024
const LONGEST_PASSWORD = 1024

export const CertificatePath = Type.Object({ id: Uuid('Id of the seal certificate.') })

export const CertificateQuery = Type.Object({
  departmentId: Optional(Uuid('Only the certificates of this department.')),
})

export const CertificateInput = Type.Object({
  departmentId: Optional(Uuid('Whose seal it becomes; by default that of the caller’s department.')),
  generate: Optional(Type.Boolean({ description: 'true: the service makes the key and issues the certificate.' })),
  pkcs12: Optional(Text(LONGEST_FILE, { description: 'A PKCS #12 file (.p12, .pfx) encoded as Base64.' })),
  pem: Optional(Text(LONGEST_FILE, { description: 'Certificate, chain and private key as PEM text.' })),
  remoteKey: Optional(
    Text(255, {
      description: 'The name of a key with a remote signing service that the operator has set up for the tenant.',
    }),
  ),
  password: Optional(Text(LONGEST_PASSWORD, { description: 'Of the file or the key, where it has one.' })),
})

export const CertificateBody = Named('SealCertificate', {
  id: Uuid(),
  departmentId: Uuid(),
  state: Words(CERTIFICATE_STATES),
  stateReason: Nullable(Type.String()),
  origin: Words(CERTIFICATE_ORIGINS),
  subject: Nullable(Type.String()),
  issuer: Nullable(Type.String()),
  serialNumber: Nullable(Type.String({ description: 'In hexadecimal.' })),
  sha256: Nullable(Type.String({ description: 'Of the certificate, in hexadecimal.' })),
  notBefore: Nullable(DateTime()),
  notAfter: Nullable(DateTime()),
  creationDate: DateTime(),
  revocationDate: Nullable(DateTime()),
})

const Authority = Named('Authority', {
  subject: Type.String(),
  issuer: Type.String(),
  serialNumber: Type.String({ description: 'In hexadecimal.' }),
  sha256: Type.String({ description: 'Of the certificate, in hexadecimal.' }),
  notBefore: DateTime(),
  notAfter: DateTime(),
  keyId: Type.String({ description: 'Its name at GET /pki/{keyId}/authority.cer.' }),
})

export const AuthorityListing = Type.Object({
  issuing: Type.Array(Authority, {
    description: 'The tenant’s own; the first issues. Empty until the worker made it.',
  }),
  root: Type.Array(Authority, { description: 'Of this installation, above every tenant’s.' }),
  timestamp: Type.Object({
    origin: Words(['own', 'outside']),
    host: Nullable(Type.String({ description: 'Of an outside authority.' })),
    certificates: Type.Array(Authority, { description: 'Of our own authority; the first stamps.' }),
  }),
})

export const CertificateListing = Type.Object({ total: Int32(), items: Type.Array(CertificateBody) })

export const AuthorityPath = Type.Object({ keyId: Text(64) })
export const StatusPath = Type.Object({ keyId: Text(64), request: Text(4096) })
