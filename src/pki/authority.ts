// The certificates of the authority that the product runs itself: a root, an issuing authority for each tenant, and
// below them seals, one-time signatory certificates, timestamp and OCSP signers. Pure: keys, names and time come in,
// certificates go out. Who keeps the private keys, and where, is the caller's business.
import type { KeyObject } from 'node:crypto'
import { parseCertificate, keyIdentifier, type Certificate } from './certificate.ts'
import { PkiError } from './errors.ts'
import {
  authorityConstraints,
  authorityInformation,
  certificatePolicy,
  crlDistributionPoint,
  endEntityConstraints,
  extendedKeyUsage,
  keyUsage,
  noRevocationAvailable,
  ocspNoCheck,
  validityAssuredShortTerm,
} from './extension-writer.ts'
import { issueCertificate, issuerFrom, selfIssuer } from './issue-certificate.ts'
import { encodeName, fitCommonName, fitUserId } from './names.ts'
import { OID, PRODUCT_POLICY } from './oids.ts'
import type { RawSigner, SignatureKey } from './raw-signer.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const YEAR_MS = 365.25 * DAY_MS
const ROOT_YEARS = 30
const ISSUING_YEARS = 20
const TIMESTAMP_YEARS = 10
const SEAL_YEARS = 3
const RESPONDER_DAYS = 400
const SIGNATORY_HOURS = 24
/** Clocks of others may be behind ours; their timestamps must not lie before the certificate begins. */
const BACKDATING_MS = 5 * 60 * 1000

interface Subject {
  publicKey: KeyObject
  now: Date
}

interface Published {
  /** Where `/pki/…` is reachable from outside; without it certificates name no address. */
  baseUrl?: string
}

/** A self-signed root. */
export function makeRoot({
  publicKey,
  key,
  name,
  now,
}: Subject & { key: SignatureKey; name: string }): Promise<Buffer> {
  const subject = encodeName([['commonName', fitCommonName(name)]])
  const extensions = [authorityConstraints(1), keyUsage('keyCertSign', 'cRLSign')]
  const request = { subject, publicKey, ...lifetime(now, ROOT_YEARS * YEAR_MS), extensions }
  return issueCertificate(request, selfIssuer(subject, publicKey, key))
}

/** A tenant's issuing authority; no further authority can follow below it. */
export function makeIssuingAuthority(
  root: RawSigner,
  { publicKey, name, organization, now, baseUrl }: Subject & Published & { name: string; organization: string },
): Promise<Buffer> {
  const subject = encodeName([
    ['organizationName', fitCommonName(organization)],
    ['commonName', fitCommonName(name)],
  ])
  const extensions = [authorityConstraints(0), keyUsage('keyCertSign', 'cRLSign'), certificatePolicy(OID.anyPolicy)]
  return issueBelow(root, { subject, publicKey, now, lifeMs: ISSUING_YEARS * YEAR_MS, extensions, baseUrl })
}

export interface SealSubject extends Subject, Published {
  /** The department, as the seal will show it. */
  name: string
  organization: string
  organizationIdentifier?: string
  country?: string
}

/** A department's seal certificate. */
export function makeSealCertificate(issuing: RawSigner, seal: SealSubject): Promise<Buffer> {
  const subject = encodeName([
    ['countryName', seal.country],
    ['organizationName', fitCommonName(seal.organization)],
    ['organizationIdentifier', seal.organizationIdentifier],
    ['commonName', fitCommonName(seal.name)],
  ])
  const extensions = [...signingExtensions(), certificatePolicy(PRODUCT_POLICY.seal)]
  return issueBelow(issuing, { ...seal, subject, lifeMs: SEAL_YEARS * YEAR_MS, extensions })
}

export interface SignatorySubject extends Subject, Published {
  name: string
  requestId: string
  /** Only where the tenant wants it in the certificate, which everybody can read. */
  personalIdentifier?: string
  /** What was really done to authenticate the person, in words; at most 200 characters. */
  authentication: string
  /** Says that no revocation information will exist (RFC 9608, ETSI EN 319 412-1). Off unless asked for. */
  isRevocationFree?: boolean
}

/** A certificate for one person and one signing, valid for 24 hours in all. */
export function makeSignatoryCertificate(issuing: RawSigner, signatory: SignatorySubject): Promise<Buffer> {
  const subject = encodeName([
    ['commonName', fitCommonName(signatory.name)],
    ['serialNumber', signatory.requestId],
    ['userId', fitUserId(signatory.personalIdentifier ?? '')],
  ])
  const extensions = [
    ...signingExtensions(),
    certificatePolicy(PRODUCT_POLICY.signatory, signatory.authentication),
    ...(signatory.isRevocationFree ? [noRevocationAvailable(), validityAssuredShortTerm()] : []),
  ]
  const now = new Date(signatory.now.getTime() - BACKDATING_MS)
  const lifeMs = SIGNATORY_HOURS * 60 * 60 * 1000
  return issueBelow(issuing, { ...signatory, now, subject, lifeMs, extensions })
}

/** For nonRepudiation alone see ETSI EN 319 412-2 4.3.2; NSS and older readers want emailProtection among the usages. */
const signingExtensions = () => [
  endEntityConstraints(),
  keyUsage('nonRepudiation'),
  extendedKeyUsage([OID.documentSigning, OID.emailProtection]),
]

/** A timestamp signer; RFC 3161 2.3: its extended key usage is critical and says nothing else. */
export function makeTimestampCertificate(
  root: RawSigner,
  { publicKey, name, now, baseUrl }: Subject & Published & { name: string },
): Promise<Buffer> {
  const subject = encodeName([['commonName', fitCommonName(name)]])
  const extensions = [
    endEntityConstraints(),
    keyUsage('digitalSignature'),
    extendedKeyUsage([OID.timeStamping], { isCritical: true }),
    certificatePolicy(PRODUCT_POLICY.timestamp),
  ]
  return issueBelow(root, { subject, publicKey, now, lifeMs: TIMESTAMP_YEARS * YEAR_MS, extensions, baseUrl })
}

/** A delegated OCSP responder for the certificates of one authority (RFC 6960 4.2.2.2). */
export function makeOcspResponderCertificate(
  authority: RawSigner,
  { publicKey, name, now }: Subject & { name: string },
): Promise<Buffer> {
  const subject = encodeName([['commonName', fitCommonName(name)]])
  const extensions = [
    endEntityConstraints(),
    keyUsage('digitalSignature'),
    extendedKeyUsage([OID.ocspSigning]),
    ocspNoCheck(),
  ]
  return issueBelow(authority, { subject, publicKey, now, lifeMs: RESPONDER_DAYS * DAY_MS, extensions })
}

interface RequestBelow extends Subject, Published {
  subject: Buffer
  lifeMs: number
  extensions: Buffer[]
}

function issueBelow(authority: RawSigner, request: RequestBelow): Promise<Buffer> {
  const certificate = parseCertificate(authority.certificate)
  const { notBefore, notAfter } = lifetime(request.now, request.lifeMs)
  if (notBefore >= certificate.notAfter) throw new PkiError('not-valid-now', 'The issuing authority has expired.')
  const extensions = [...request.extensions, ...addressExtensions(certificate, request.baseUrl)]
  const { subject, publicKey } = request
  // A certificate that outlives its issuer cannot be validated at its end.
  const capped = notAfter < certificate.notAfter ? notAfter : certificate.notAfter
  return issueCertificate(
    { subject, publicKey, notBefore, notAfter: capped, extensions },
    issuerFrom(authority, certificate),
  )
}

function lifetime(now: Date, lifeMs: number) {
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000)
  return { notBefore, notAfter: new Date(notBefore.getTime() + lifeMs) }
}

/** Where an authority's certificate, CRL and OCSP responder are published. */
export function authorityAddresses(authority: Certificate, baseUrl: string) {
  const keyId = authority.subjectKeyIdentifier ?? keyIdentifier(authority.keyBits)
  const base = `${baseUrl.replace(/\/+$/, '')}/pki/${keyId.toString('hex')}`
  return { issuer: `${base}/authority.cer`, crl: `${base}/authority.crl`, ocsp: `${base}/ocsp` }
}

function addressExtensions(authority: Certificate, baseUrl: string | undefined): Buffer[] {
  if (baseUrl === undefined) return []
  const { issuer, crl, ocsp } = authorityAddresses(authority, baseUrl)
  return [authorityInformation({ ocsp, issuer }), crlDistributionPoint(crl)]
}
