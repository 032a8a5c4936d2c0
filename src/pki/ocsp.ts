// OCSP responses (RFC 6960 4.2): making, reading and judging them. Requests are in ocsp-request.ts.
import { readSignatureIdentifier, signatureIdentifier, type SignatureScheme } from './algorithms.ts'
import {
  isIssuedBy,
  isSameCertificate,
  isSignedBy,
  isValidAt,
  keyIdentifier,
  parseCertificate,
  type Certificate,
} from './certificate.ts'
import { parseThoseReadable } from './cms-verify.ts'
import {
  bitString,
  contextTag,
  element,
  enumerated,
  explicit,
  generalizedTime,
  octetString,
  oid,
  sequence,
  TAG,
} from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { malformed, PkiError } from './errors.ts'
import { readExtensions } from './extension-reader.ts'
import { isSameName } from './names.ts'
import { encodeCertificateId, isIdOf, readCertificateId, type CertificateId } from './ocsp-id.ts'
import { findNonce, nonceExtension } from './ocsp-request.ts'
import { OID } from './oids.ts'
import { signWith, type RawSigner } from './raw-signer.ts'
import { reasonFrom, reasonNumber, type Revocation } from './revocation-reason.ts'

export type CertificateStatus = 'good' | 'unknown' | Revocation

export interface SingleResponse {
  id: CertificateId
  status: CertificateStatus
  thisUpdate: Date
  nextUpdate: Date | undefined
}

export interface OcspContent {
  responses: SingleResponse[]
  producedAt: Date
  /** That of the request, if it had one. */
  nonce?: Buffer
}

/** Builds and signs a response. The responder names itself by its key and sends its certificate along. */
export async function issueOcspResponse(responder: RawSigner, content: OcspContent): Promise<Buffer> {
  const { keyBits } = parseCertificate(responder.certificate)
  const extensions = content.nonce === undefined ? [] : [explicit(1, sequence(nonceExtension(content.nonce)))]
  const body = sequence(
    explicit(2, octetString(keyIdentifier(keyBits))),
    generalizedTime(content.producedAt),
    sequence(...content.responses.map(encodeSingle)),
    ...extensions,
  )
  const signature = bitString(await signWith(responder, body))
  const certificates = explicit(0, sequence(responder.certificate))
  const basic = sequence(body, signatureIdentifier(responder.algorithm), signature, certificates)
  return sequence(enumerated(0), explicit(0, sequence(oid(OID.ocspBasic), octetString(basic))))
}

function encodeSingle({ id, status, thisUpdate, nextUpdate }: SingleResponse): Buffer {
  const until = nextUpdate === undefined ? [] : [explicit(0, generalizedTime(nextUpdate))]
  return sequence(encodeCertificateId(id), encodeStatus(status), generalizedTime(thisUpdate), ...until)
}

function encodeStatus(status: CertificateStatus): Buffer {
  if (status === 'good') return element(contextTag(0, 'primitive'))
  if (status === 'unknown') return element(contextTag(2, 'primitive'))
  const { revokedAt, reason } = status
  const why = reason === 'unspecified' ? [] : [explicit(0, enumerated(reasonNumber(reason)))]
  return element(contextTag(1), generalizedTime(revokedAt), ...why)
}

const ERRORS = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const

/** An unsigned answer for a request that cannot be served (RFC 6960 2.3). */
export const ocspError = (error: keyof typeof ERRORS) => sequence(enumerated(ERRORS[error]))

export interface OcspResponse {
  raw: Buffer
  signedPart: Buffer
  responder: { name: Buffer } | { keyHash: Buffer }
  producedAt: Date
  responses: SingleResponse[]
  nonce: Buffer | undefined
  scheme: SignatureScheme
  signature: Buffer
  certificates: Certificate[]
}

const LIMITS = { maxBytes: 1024 * 1024, maxElements: 20_000 }
const MAX_RESPONSES = 100

/** Parses a successful response; an answer that only tells of an error is refused with it. */
export function parseOcspResponse(der: Buffer): OcspResponse {
  const outer = readDer(der, LIMITS).fields()
  const status = outer.next().smallInteger(TAG.enumerated)
  const bytes = outer.optional(contextTag(0))?.only.fields()
  outer.end()
  if (status !== 0 || bytes === undefined) throw malformed(`The OCSP responder answered with error ${status}.`)
  if (bytes.next().oid !== OID.ocspBasic) throw malformed('The OCSP response is not a basic one.')
  const fields = readDer(bytes.next().octets, LIMITS).fields()
  bytes.end()
  const body = fields.next(TAG.sequence)
  const scheme = readSignatureIdentifier(fields.next())
  const signature = fields.next().bitStringBytes
  const certificates = fields.optional(contextTag(0))?.only.items() ?? []
  fields.end()
  const readable = parseThoseReadable(certificates.map(({ raw }) => raw))
  return { raw: der, signedPart: body.raw, ...readBody(body), scheme, signature, certificates: readable }
}

function readBody(body: DerNode) {
  const fields = body.fields()
  const version = fields.optional(contextTag(0))?.only.smallInteger() ?? 0
  const responder = readResponder(fields.next())
  const producedAt = fields.next(TAG.generalizedTime).time()
  const responses = fields.next().items()
  const extensionField = fields.optional(contextTag(1))
  fields.end()
  if (version !== 0 || responses.length > MAX_RESPONSES) throw malformed('The OCSP response has an unknown form.')
  const nonce = extensionField && findNonce(readExtensions(extensionField.only))
  return { responder, producedAt, responses: responses.map(readSingle), nonce }
}

function readResponder(node: DerNode): OcspResponse['responder'] {
  if (node.tag === contextTag(1)) return { name: node.only.raw }
  return { keyHash: node.expect(contextTag(2)).only.octets }
}

function readSingle(node: DerNode): SingleResponse {
  const fields = node.fields()
  const id = readCertificateId(fields.next())
  const status = readStatus(fields.next())
  const thisUpdate = fields.next(TAG.generalizedTime).time()
  const nextUpdate = fields.optional(contextTag(0))?.only.expect(TAG.generalizedTime).time()
  const extensionField = fields.optional(contextTag(1))
  fields.end()
  const extensions = extensionField ? readExtensions(extensionField.only) : new Map<string, { isCritical: boolean }>()
  for (const [name, { isCritical }] of extensions) {
    if (isCritical) throw new PkiError('unsupported', `The OCSP response has the critical extension ${name}.`)
  }
  return { id, status, thisUpdate, nextUpdate }
}

function readStatus(node: DerNode): CertificateStatus {
  if (node.tag === contextTag(0, 'primitive')) return 'good'
  if (node.tag === contextTag(2, 'primitive')) return 'unknown'
  const fields = node.fields(contextTag(1))
  const revokedAt = fields.next(TAG.generalizedTime).time()
  const reason = fields.optional(contextTag(0))?.only.smallInteger(TAG.enumerated)
  fields.end()
  return { revokedAt, reason: reasonFrom(reason) }
}

export interface JudgedOcsp extends SingleResponse {
  /** Who signed: the issuer itself, or its delegate. */
  responder: Certificate
  producedAt: Date
}

/** What the response says about a certificate, after its signature and its signer's authority have been checked. */
export function judgeOcspResponse(response: OcspResponse, certificate: Certificate, issuer: Certificate): JudgedOcsp {
  const single = response.responses.find(({ id }) => isIdOf(id, certificate, issuer))
  if (single === undefined) throw malformed('The OCSP response is about another certificate.')
  const responder = findResponder(response, issuer)
  if (responder === undefined) throw malformed('The OCSP response is not by an authorised responder.')
  const { scheme, signature, signedPart: message, producedAt } = response
  if (!isSignedBy({ scheme, signature, message }, responder))
    throw malformed('The signature of the OCSP response is wrong.')
  if (single.thisUpdate > producedAt) throw malformed('The OCSP response is older than what it says.')
  return { ...single, responder, producedAt }
}

/** RFC 6960 4.2.2.2: the issuer, or a certificate that the issuer itself signed for this purpose. */
function findResponder(
  { responder, certificates, producedAt }: OcspResponse,
  issuer: Certificate,
): Certificate | undefined {
  const isNamed = (candidate: Certificate) =>
    'name' in responder
      ? isSameName(responder.name, candidate.subject)
      : responder.keyHash.equals(keyIdentifier(candidate.keyBits))
  const isAuthorised = (candidate: Certificate) =>
    isSameCertificate(candidate, issuer) ||
    (candidate.extendedKeyUsage?.includes(OID.ocspSigning) === true &&
      isValidAt(candidate, producedAt) &&
      isIssuedBy(candidate, issuer))
  return [issuer, ...certificates].find((candidate) => isNamed(candidate) && isAuthorised(candidate))
}
