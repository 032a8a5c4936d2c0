// Reads CMS SignedData strictly (RFC 5652 5) into what a validator needs. Judging it is in cms-verify.ts.
import { readHashIdentifier, readSignatureIdentifier, type HashName, type SignatureScheme } from './algorithms.ts'
import { contextTag, TAG } from './der.ts'
import { cutDer, readDer, type DerNode } from './der-reader.ts'
import { malformed, unsupported } from './errors.ts'
import { OID } from './oids.ts'

export interface SignedData {
  /** The exact bytes, without padding. */
  der: Buffer
  contentType: string
  /** Absent in a detached signature. */
  content: Buffer | undefined
  /** X.509 certificates, DER, unparsed: a broken one beside the signer's must not spoil the signature. */
  certificates: Buffer[]
  crls: Buffer[]
  signer: SignerInfo
}

export type SignerReference = { issuer: Buffer; serial: Buffer } | { keyId: Buffer }

export interface SignerInfo {
  reference: SignerReference
  digestHash: HashName
  /** With the tag of SET OF: the bytes that the signature covers. */
  signedAttributes: Buffer
  /** Identifiers of all signed attributes, in order. */
  signedAttributeTypes: string[]
  contentType: string
  messageDigest: Buffer
  signingCertificate: SigningCertificate | undefined
  /** Forbidden in PAdES baseline, but others write it. */
  signingTime: Date | undefined
  scheme: SignatureScheme
  signature: Buffer
  unsignedAttributeTypes: string[]
  timestampTokens: Buffer[]
}

/** The certificate that the signed attributes name (RFC 5035). */
export interface SigningCertificate {
  hash: HashName
  digest: Buffer
  issuerSerial: { issuer: Buffer; serial: Buffer } | undefined
}

const MAX_CMS_BYTES = 8 * 1024 * 1024
const MAX_CERTIFICATES = 100
const MAX_ATTRIBUTES = 50

/** Parses a CMS that may be followed by zero padding, as in a PDF; exactly one signer, signed attributes required. */
export function parseSignedData(padded: Buffer): SignedData {
  const der = cutDer(padded)
  const outer = readDer(der, { maxBytes: MAX_CMS_BYTES }).fields()
  if (outer.next().oid !== OID.signedData) throw malformed('The CMS is not SignedData.')
  const fields = outer.next(contextTag(0)).only.fields()
  outer.end()

  const version = fields.next().smallInteger()
  if (![1, 3, 4, 5].includes(version)) throw malformed(`SignedData has no version ${version}.`)
  const digestHashes = fields.next().items(TAG.set).map(readHashIdentifier)
  const content = readContent(fields.next())
  const certificates = fields.optional(contextTag(0))?.children ?? []
  const crls = fields.optional(contextTag(1))?.children ?? []
  const signers = fields.next().items(TAG.set)
  fields.end()

  if (certificates.length > MAX_CERTIFICATES) throw malformed('The CMS carries too many certificates.')
  const signer = readSigner(requireOneSigner(signers))
  if (!digestHashes.includes(signer.digestHash)) throw malformed('The digest algorithm of the signer is not announced.')
  return { der, ...content, certificates: rawSequences(certificates), crls: rawSequences(crls), signer }
}

function requireOneSigner(signers: DerNode[]): DerNode {
  const [signer, ...others] = signers
  if (signer === undefined || others.length > 0) throw malformed('A signature has exactly one signer.')
  return signer
}

/** Plain certificates and CRLs; the other choices (attribute certificates, OCSP beside CRLs) carry context tags. */
const rawSequences = (nodes: DerNode[]) => nodes.filter(({ tag }) => tag === TAG.sequence).map(({ raw }) => raw)

function readContent(node: DerNode) {
  const fields = node.fields()
  const contentType = fields.next().oid
  const content = fields.optional(contextTag(0))?.only.octets
  fields.end()
  return { contentType, content }
}

function readSigner(node: DerNode): SignerInfo {
  const fields = node.fields()
  const version = fields.next().smallInteger()
  const reference = readReference(fields.next())
  // RFC 5652 5.3: version 1 goes with issuer and serial number, version 3 with a key identifier.
  if (version !== ('keyId' in reference ? 3 : 1)) throw malformed('The version of the signer does not fit.')
  const digestHash = readHashIdentifier(fields.next())
  const signed = fields.optional(contextTag(0))
  if (signed === undefined) throw malformed('The signature has no signed attributes.')
  const scheme = readSignatureIdentifier(fields.next(), digestHash)
  const signature = fields.next().octets
  const unsigned = readAttributes(fields.optional(contextTag(1))?.children ?? [])
  fields.end()
  return {
    reference,
    digestHash,
    ...readSignedAttributes(signed),
    scheme,
    signature,
    unsignedAttributeTypes: [...unsigned.keys()],
    timestampTokens: (unsigned.get(OID.signatureTimestampToken) ?? []).map(({ raw }) => raw),
  }
}

function readReference(node: DerNode): SignerReference {
  if (node.tag === contextTag(0, 'primitive')) return { keyId: node.content }
  const fields = node.fields()
  const issuer = fields.next(TAG.sequence).raw
  const serial = fields.next().integerBytes
  fields.end()
  return { issuer, serial }
}

type Attributes = Map<string, DerNode[]>

function readAttributes(nodes: DerNode[]): Attributes {
  if (nodes.length > MAX_ATTRIBUTES) throw malformed('The signature has too many attributes.')
  const found: Attributes = new Map()
  for (const node of nodes) {
    const fields = node.fields()
    const type = fields.next().oid
    const values = fields.next().items(TAG.set)
    fields.end()
    // Unsigned timestamps may come as one attribute each; a signed attribute may come only once (RFC 5652 11).
    found.set(type, [...(found.get(type) ?? []), ...values])
  }
  return found
}

function readSignedAttributes(node: DerNode) {
  const nodes = node.children
  const attributes = readAttributes(nodes)
  if (attributes.size !== nodes.length) throw malformed('A signed attribute appears twice.')
  const signedAttributes = Buffer.from(node.raw)
  signedAttributes[0] = TAG.set
  return {
    signedAttributes,
    signedAttributeTypes: [...attributes.keys()],
    contentType: requireSingle(attributes, OID.contentType).oid,
    messageDigest: requireSingle(attributes, OID.messageDigest).octets,
    signingCertificate: readSigningCertificate(attributes),
    signingTime: findSingle(attributes, OID.signingTime)?.time(),
  }
}

function findSingle(attributes: Attributes, type: string): DerNode | undefined {
  const values = attributes.get(type)
  if (values !== undefined && values.length !== 1) throw malformed(`The attribute ${type} must have one value.`)
  return values?.[0]
}

function requireSingle(attributes: Attributes, type: string): DerNode {
  const value = findSingle(attributes, type)
  if (value === undefined) throw malformed(`The signed attribute ${type} is missing.`)
  return value
}

function readSigningCertificate(attributes: Attributes): SigningCertificate | undefined {
  const second = findSingle(attributes, OID.signingCertificateV2)
  const first = findSingle(attributes, OID.signingCertificate)
  // Both may be there while the world changes from one to the other; the newer decides.
  if (second) return readCertificateId(second, 'sha256')
  return first && readCertificateId(first, 'sha1')
}

/** The first certificate named is the signer's (RFC 5035 4); the ones after it limit the path and are not used. */
function readCertificateId(attribute: DerNode, defaultHash: HashName): SigningCertificate {
  const [first] = attribute.fields().next().items()
  if (first === undefined) throw malformed('The signing certificate attribute is empty.')
  const fields = first.fields()
  const hashField = defaultHash === 'sha256' ? fields.optional(TAG.sequence) : undefined
  const digest = fields.next().octets
  const issuerSerial = fields.optional(TAG.sequence)
  fields.end()
  const hash = hashField ? readHashIdentifier(hashField) : defaultHash
  return { hash, digest, issuerSerial: issuerSerial && readIssuerSerial(issuerSerial) }
}

function readIssuerSerial(node: DerNode) {
  const fields = node.fields()
  const [name, ...others] = fields.next().items()
  const serial = fields.next().integerBytes
  fields.end()
  if (name?.tag !== contextTag(4) || others.length > 0) throw unsupported('The signing certificate is named unusually.')
  return { issuer: name.only.raw, serial }
}
