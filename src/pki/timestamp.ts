// The client's side of RFC 3161. Nothing is believed before it is checked: status, imprint, nonce, policy, the
// authority's certificate and the token's signature. How bytes travel is the caller's business.
import { createHash, randomBytes } from 'node:crypto'
import { findAlgorithmWeakness, findHashWeakness } from './algorithm-policy.ts'
import { hashIdentifier, readHashIdentifier, type HashName } from './algorithms.ts'
import { isValidAt, publicKeyOf, type Certificate } from './certificate.ts'
import { parseSignedData, type SignedData } from './cms-reader.ts'
import { verifySignedData, type CmsFinding } from './cms-verify.ts'
import { boolean, contextTag, integer, octetString, oid, sequence, TAG } from './der.ts'
import { readDer, type DerFields, type DerNode } from './der-reader.ts'
import { malformed, PkiError } from './errors.ts'
import { OID } from './oids.ts'

export interface TimestampRequest {
  hash: HashName
  digest: Buffer
  nonce: Buffer | undefined
  policy: string | undefined
  wantsCertificate: boolean
  hasExtensions: boolean
}

const NONCE_BYTES = 16
const MAX_NONCE_BYTES = 64
const MAX_REQUEST_BYTES = 16 * 1024
const MAX_RESPONSE_BYTES = 256 * 1024

/** A TimeStampReq that asks for the authority's certificate in the token (RFC 3161 2.4.1). */
export function buildTimestampRequest({
  hash,
  digest,
  nonce,
  policy,
}: Pick<TimestampRequest, 'hash' | 'digest' | 'nonce' | 'policy'>): Buffer {
  return sequence(
    integer(1),
    sequence(hashIdentifier(hash), octetString(digest)),
    ...(policy === undefined ? [] : [oid(policy)]),
    ...(nonce === undefined ? [] : [integer(nonce)]),
    boolean(true),
  )
}

/** Reads a TimeStampReq. */
export function parseTimestampRequest(der: Buffer): TimestampRequest {
  const fields = readDer(der, { maxBytes: MAX_REQUEST_BYTES, maxElements: 100 }).fields()
  if (fields.next().smallInteger() !== 1) throw malformed('A timestamp request has version 1.')
  const imprint = readImprint(fields.next())
  const policy = fields.optional(TAG.oid)?.oid
  const nonce = fields.optional(TAG.integer)?.integerBytes
  const wantsCertificate = fields.optional(TAG.boolean)?.boolean ?? false
  const hasExtensions = fields.optional(contextTag(0)) !== undefined
  fields.end()
  if (nonce && nonce.length > MAX_NONCE_BYTES) throw malformed('The nonce is too long.')
  return { ...imprint, policy, nonce, wantsCertificate, hasExtensions }
}

function readImprint(node: DerNode): { hash: HashName; digest: Buffer } {
  const fields = node.fields()
  const hash = readHashIdentifier(fields.next())
  const digest = fields.next().octets
  fields.end()
  return { hash, digest }
}

/** What a token states (RFC 3161 2.4.2, TSTInfo). */
export interface TimestampInfo {
  policy: string
  hash: HashName
  digest: Buffer
  serial: Buffer
  time: Date
  nonce: Buffer | undefined
}

export interface TimestampToken {
  der: Buffer
  info: TimestampInfo
  signedData: SignedData
}

/** Parses a token, which may be followed by zero padding as in a PDF. Says nothing about its truth. */
export function parseTimestampToken(padded: Buffer): TimestampToken {
  const signedData = parseSignedData(padded)
  if (signedData.contentType !== OID.timestampInfo || signedData.content === undefined) {
    throw malformed('The CMS is not a timestamp token.')
  }
  return { der: signedData.der, info: readInfo(signedData.content), signedData }
}

function readInfo(der: Buffer): TimestampInfo {
  const fields = readDer(der, { maxElements: 500 }).fields()
  if (fields.next().smallInteger() !== 1) throw malformed('A timestamp has version 1.')
  const policy = fields.next().oid
  const imprint = readImprint(fields.next())
  const serial = fields.next().integerBytes
  const time = fields.next(TAG.generalizedTime).time({ withFraction: true })
  const nonce = readAfterTime(fields)
  return { policy, ...imprint, serial, time, nonce }
}

function readAfterTime(fields: DerFields): Buffer | undefined {
  fields.optional(TAG.sequence) // accuracy
  fields.optional(TAG.boolean) // ordering
  const nonce = fields.optional(TAG.integer)?.integerBytes
  fields.optional(contextTag(0)) // the authority's name, which its certificate tells better
  fields.optional(contextTag(1)) // extensions
  fields.end()
  return nonce
}

export type TimestampFinding =
  | CmsFinding
  | 'imprint-mismatch'
  | 'weak-imprint-hash'
  | 'key-usage-not-timestamping'
  | 'certificate-not-valid-at-time'
  | 'weak-algorithm'

export interface TimestampVerdict {
  findings: TimestampFinding[]
  time: Date
  authority: Certificate | undefined
  certificates: Certificate[]
}

/** Checks all that a token says about itself; whether its authority is trusted is for path validation to say. */
export function verifyTimestampToken(
  { info, signedData }: TimestampToken,
  digestOf: (hash: HashName) => Buffer,
): TimestampVerdict {
  const content = signedData.content ?? Buffer.alloc(0)
  const contentDigest = createHash(signedData.signer.digestHash).update(content).digest()
  const { findings, signerCertificate, certificates } = verifySignedData(signedData, contentDigest)
  const verdict: TimestampFinding[] = [...findings]
  if (!digestOf(info.hash).equals(info.digest)) verdict.push('imprint-mismatch')
  if (findHashWeakness(info.hash)) verdict.push('weak-imprint-hash')
  // A key that made the signature is one that can be judged.
  if (signerCertificate && !findings.includes('signature-invalid')) {
    verdict.push(...judgeAuthority(signerCertificate, { info, signedData }))
  }
  return { findings: verdict, time: info.time, authority: signerCertificate, certificates }
}

function judgeAuthority(
  certificate: Certificate,
  { info, signedData }: Pick<TimestampToken, 'info' | 'signedData'>,
): TimestampFinding[] {
  const findings: TimestampFinding[] = []
  if (!isTimestampCertificate(certificate)) findings.push('key-usage-not-timestamping')
  if (!isValidAt(certificate, info.time)) findings.push('certificate-not-valid-at-time')
  const use = { scheme: signedData.signer.scheme, publicKey: publicKeyOf(certificate), time: info.time }
  if (findAlgorithmWeakness(use)) findings.push('weak-algorithm')
  return findings
}

/** RFC 3161 2.3: the extended key usage must be critical and name timestamping alone. */
export function isTimestampCertificate({ extendedKeyUsage, extensions }: Certificate): boolean {
  const isExclusive = extendedKeyUsage?.length === 1 && extendedKeyUsage[0] === OID.timeStamping
  return isExclusive && extensions.get(OID.extendedKeyUsage)?.isCritical === true
}

export interface TimestampService {
  /** Carries a request to the authority and brings back what it answered. */
  send: (request: Buffer) => Promise<Buffer>
  /** If given, the token must be under this policy. */
  policy?: string
  /** Throws or passes: path validation of the authority's certificate at the token's time. */
  requireTrusted?: (authority: Certificate, certificates: Certificate[], time: Date) => void
  /** How far the token's time may be from `now`; five minutes unless given. */
  toleranceMs?: number
}

const DEFAULT_TOLERANCE_MS = 5 * 60 * 1000

/** Obtains a token over a digest; it is returned only if every check passes. */
export async function requestTimestamp(
  { hash, digest, now }: { hash: HashName; digest: Buffer; now: Date },
  service: TimestampService,
): Promise<TimestampToken> {
  const nonce = newNonce()
  const response = await service.send(buildTimestampRequest({ hash, digest, nonce, policy: service.policy }))
  const token = parseTimestampResponse(response)
  const { findings, authority, certificates } = verifyTimestampToken(token, () => digest)
  if (token.info.hash !== hash) throw untrue('it is over another hash algorithm')
  // RFC 3161 2.4.2: the nonce must come back unchanged, or the token may be a replay.
  if (!token.info.nonce?.equals(nonce)) throw untrue('it does not carry our nonce')
  if (service.policy !== undefined && token.info.policy !== service.policy) throw untrue('it is under another policy')
  if (authority === undefined || findings.length > 0) throw untrue(findings.join(', '))
  const offMs = Math.abs(token.info.time.getTime() - now.getTime())
  if (offMs > (service.toleranceMs ?? DEFAULT_TOLERANCE_MS)) throw untrue('its time is far from ours')
  service.requireTrusted?.(authority, certificates, token.info.time)
  return token
}

const untrue = (why: string) => new PkiError('timestamp-invalid', `The timestamp was refused: ${why}.`)

/** A random number of 128 bits; its first two are fixed, so that it is a positive INTEGER that returns as it went. */
function newNonce(): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  return nonce
}

/** Reads a TimeStampResp; anything but "granted" is a refusal that carries the authority's own words. */
export function parseTimestampResponse(der: Buffer): TimestampToken {
  const fields = readDer(der, { maxBytes: MAX_RESPONSE_BYTES }).fields()
  const status = fields.next().fields()
  const code = status.next().smallInteger()
  const texts = status.optional(TAG.sequence)?.children.map(({ text }) => text) ?? []
  const token = fields.optional(TAG.sequence)
  fields.end()
  // 0 is granted, 1 is granted with modifications; both carry a token.
  if ((code !== 0 && code !== 1) || token === undefined) {
    throw new PkiError(
      'timestamp-refused',
      `The timestamp authority refused (${code}): ${texts.join(' ').slice(0, 200)}`,
    )
  }
  return parseTimestampToken(token.raw)
}
