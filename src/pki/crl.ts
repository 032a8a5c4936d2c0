// Certificate revocation lists (RFC 5280 5): complete ones by the issuer itself. Delta and indirect lists are refused.
import { readSignatureIdentifier, signatureIdentifier, type SignatureScheme } from './algorithms.ts'
import { isSignedBy, keyIdentifier, parseCertificate, type Certificate } from './certificate.ts'
import {
  bitString,
  boolean,
  contextTag,
  element,
  enumerated,
  explicit,
  integer,
  sequence,
  sequenceOf,
  TAG,
  time,
} from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { malformed, unsupported } from './errors.ts'
import { readExtensions, type Extensions } from './extension-reader.ts'
import { authorityKeyIdentifier, extension } from './extension-writer.ts'
import { isSameName } from './names.ts'
import { OID } from './oids.ts'
import { signWith, type RawSigner } from './raw-signer.ts'
import { reasonFrom, reasonNumber, type Revocation } from './revocation-reason.ts'

export interface RevokedCertificate extends Revocation {
  serial: Buffer
}

export interface CrlContent {
  revoked: RevokedCertificate[]
  thisUpdate: Date
  nextUpdate: Date
  /** Grows with every list of the same issuer. */
  number: number | bigint
}

/** Builds and signs a complete list. */
export async function issueCrl(issuer: RawSigner, content: CrlContent): Promise<Buffer> {
  const certificate = parseCertificate(issuer.certificate)
  const algorithm = signatureIdentifier(issuer.algorithm)
  const keyId = certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.keyBits)
  const extensions = [authorityKeyIdentifier(keyId), extension(OID.crlNumber, integer(content.number))]
  const body = sequence(
    integer(1),
    algorithm,
    certificate.subject,
    time(content.thisUpdate),
    time(content.nextUpdate),
    // RFC 5280 5.1.2.6: absent when nothing is revoked.
    ...(content.revoked.length === 0 ? [] : [sequenceOf(content.revoked.map(revokedEntry))]),
    explicit(0, sequence(...extensions)),
  )
  return sequence(body, algorithm, bitString(await signWith(issuer, body)))
}

function revokedEntry({ serial, revokedAt, reason }: RevokedCertificate): Buffer {
  // RFC 5280 5.3.1: "unspecified" is told by leaving the reason out.
  const extensions =
    reason === 'unspecified' ? [] : [sequence(extension(OID.crlReason, enumerated(reasonNumber(reason))))]
  return sequence(element(TAG.integer, serial), time(revokedAt), ...extensions)
}

export interface Crl {
  raw: Buffer
  signedPart: Buffer
  issuer: Buffer
  thisUpdate: Date
  nextUpdate: Date | undefined
  scheme: SignatureScheme
  signature: Buffer
  /** What is revoked, by serial number in hexadecimal; decoded when asked for, since lists can be very long. */
  entries: ReadonlyMap<string, DerNode>
  scope: CrlScope
}

/** Which certificates of its issuer a list speaks about. */
export interface CrlScope {
  kind: 'all' | 'end-entities' | 'authorities'
  /** If there are any, only certificates that name one of these addresses. */
  addresses: string[]
}

const LIMITS = { maxBytes: 16 * 1024 * 1024, maxElements: 1_500_000 }

/** Parses one DER list. */
export function parseCrl(der: Buffer): Crl {
  const fields = readDer(der, LIMITS).fields()
  const body = fields.next(TAG.sequence)
  const outerAlgorithm = fields.next()
  const signature = fields.next().bitStringBytes
  fields.end()
  const { algorithm, extensions, ...parsed } = readBody(body)
  if (!algorithm.raw.equals(outerAlgorithm.raw)) throw malformed('The CRL names two different algorithms.')
  const scheme = readSignatureIdentifier(outerAlgorithm)
  return { raw: der, signedPart: body.raw, ...parsed, scheme, signature, scope: readScope(extensions) }
}

function readBody(body: DerNode) {
  const fields = body.fields()
  const version = fields.optional(TAG.integer)?.smallInteger() ?? 0
  const algorithm = fields.next()
  const issuer = fields.next(TAG.sequence).raw
  const thisUpdate = fields.next().time()
  const nextUpdate = fields.optional(TAG.utcTime, TAG.generalizedTime)?.time()
  const list = fields.optional(TAG.sequence)
  const extensionField = fields.optional(contextTag(0))
  fields.end()
  if (version > 1) throw malformed('The CRL has an unknown version.')
  const extensions: Extensions = extensionField ? readExtensions(extensionField.only) : new Map()
  requireComplete(extensions)
  return { algorithm, issuer, thisUpdate, nextUpdate, extensions, entries: list ? readEntries(list) : new Map() }
}

const KNOWN_EXTENSIONS: string[] = [OID.authorityKeyIdentifier, OID.crlNumber, OID.issuingDistributionPoint]

function requireComplete(extensions: Extensions): void {
  if (extensions.has(OID.deltaCrlIndicator)) throw unsupported('Delta CRLs are not supported.')
  for (const [id, { isCritical }] of extensions) {
    if (isCritical && !KNOWN_EXTENSIONS.includes(id)) throw unsupported(`The CRL has the critical extension ${id}.`)
  }
}

const TRUE = boolean(true)

function readEntries(list: DerNode): Map<string, DerNode> {
  const entries = new Map(list.children.map((entry) => [entry.first.integerBytes.toString('hex'), entry]))
  // RFC 5280 5.3: one unknown critical extension in one entry spoils the list. Few lists have a TRUE anywhere.
  if (list.content.includes(TRUE)) for (const entry of entries.values()) readEntry(entry)
  return entries
}

function readEntry(node: DerNode): Revocation {
  const fields = node.fields()
  fields.next(TAG.integer)
  const revokedAt = fields.next().time()
  const extensionField = fields.optional(TAG.sequence)
  fields.end()
  return { revokedAt, reason: extensionField ? readReason(readExtensions(extensionField)) : 'unspecified' }
}

function readReason(extensions: Extensions) {
  if (extensions.has(OID.certificateIssuer)) throw unsupported('Indirect CRLs are not supported.')
  const known: string[] = [OID.crlReason, OID.invalidityDate]
  for (const [id, { isCritical }] of extensions) {
    if (isCritical && !known.includes(id)) throw unsupported(`A CRL entry has the critical extension ${id}.`)
  }
  const reason = extensions.get(OID.crlReason)
  return reasonFrom(reason && readDer(reason.value).smallInteger(TAG.enumerated))
}

/** RFC 5280 5.2.5, issuing distribution point. */
function readScope(extensions: Extensions): CrlScope {
  const found = extensions.get(OID.issuingDistributionPoint)
  if (found === undefined) return { kind: 'all', addresses: [] }
  const fields = readDer(found.value).fields()
  const point = fields.optional(contextTag(0))
  const onlyUsers = isSet(fields.optional(contextTag(1, 'primitive')))
  const onlyAuthorities = isSet(fields.optional(contextTag(2, 'primitive')))
  const onlyReasons = fields.optional(contextTag(3, 'primitive'))
  const isIndirect = isSet(fields.optional(contextTag(4, 'primitive')))
  const onlyAttributes = isSet(fields.optional(contextTag(5, 'primitive')))
  fields.end()
  if (onlyReasons || isIndirect || onlyAttributes || (onlyUsers && onlyAuthorities)) {
    throw unsupported('Indirect or partial CRLs are not supported.')
  }
  const kind = onlyUsers ? 'end-entities' : onlyAuthorities ? 'authorities' : 'all'
  return { kind, addresses: point ? readAddresses(point.only) : [] }
}

const isSet = (flag: DerNode | undefined) => flag !== undefined && flag.content[0] !== 0

function readAddresses(name: DerNode): string[] {
  if (name.tag !== contextTag(0)) throw unsupported('The CRL names its distribution point relatively.')
  return name.children.map(({ content }) => content.toString('latin1'))
}

/** True if this issuer signed the list and was allowed to. */
export function isCrlFrom(crl: Crl, issuer: Certificate): boolean {
  const { scheme, signature, signedPart: message } = crl
  const mayIssue = issuer.keyUsage === undefined || issuer.keyUsage.includes('cRLSign')
  return mayIssue && isSameName(crl.issuer, issuer.subject) && isSignedBy({ scheme, signature, message }, issuer)
}

/** True if the list speaks about this certificate of its issuer at all. */
export function isInScope({ scope, issuer }: Crl, certificate: Certificate): boolean {
  if (!isSameName(issuer, certificate.issuer)) return false
  const isAuthority = certificate.basicConstraints?.isAuthority === true
  if (scope.kind === 'end-entities' && isAuthority) return false
  if (scope.kind === 'authorities' && !isAuthority) return false
  return scope.addresses.length === 0 || scope.addresses.some((address) => certificate.crlAddresses.includes(address))
}

/** What the list says about a certificate in its scope: a revocation, or undefined for none. */
export function findRevocation(crl: Crl, certificate: Certificate): Revocation | undefined {
  const entry = crl.entries.get(certificate.serial.toString('hex'))
  return entry && readEntry(entry)
}
