// Writes CMS SignedData (RFC 5652 5) for PAdES and for timestamp tokens. Everything that depends only on the signer's
// certificates is encoded once, in a template; and signing can pause between the signed attributes and the signature,
// which may come from a remote key hours later.
import { createHash } from 'node:crypto'
import { hashIdentifier, hashOf, signatureIdentifier } from './algorithms.ts'
import { parseCertificate } from './certificate.ts'
import {
  contextTag,
  element,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
  sortEncodings,
  TAG,
} from './der.ts'
import { PkiError } from './errors.ts'
import { OID } from './oids.ts'
import { signWith, type RawSigner, type SignerIdentity } from './raw-signer.ts'

/** What is the same in every CMS of one signer. */
export interface CmsTemplate {
  /** The hash for the content and for everything else in this CMS. */
  hash: ReturnType<typeof hashOf>
  signerIdentifier: Buffer
  digestIdentifier: Buffer
  signatureIdentifier: Buffer
  signingCertificateAttribute: Buffer
  certificates: Buffer
}

/** Encodes what all signatures of this signer share. */
export function cmsTemplate({ certificate, chain, algorithm }: SignerIdentity): CmsTemplate {
  const { issuer, serial } = parseCertificate(certificate)
  const hash = hashOf(algorithm)
  return {
    hash,
    signerIdentifier: sequence(issuer, element(TAG.integer, serial)),
    digestIdentifier: hashIdentifier(hash),
    signatureIdentifier: signatureIdentifier(algorithm),
    signingCertificateAttribute: signingCertificateAttribute({ certificate, issuer, serial, hash }),
    certificates: element(contextTag(0), ...sortEncodings([certificate, ...chain])),
  }
}

interface CertificateToName {
  certificate: Buffer
  issuer: Buffer
  serial: Buffer
  hash: CmsTemplate['hash']
}

/** RFC 5035 3: binds the certificate into what is signed. SHA-256 is the default there and so absent in DER. */
function signingCertificateAttribute({ certificate, issuer, serial, hash }: CertificateToName): Buffer {
  const hashField = hash === 'sha256' ? [] : [hashIdentifier(hash)]
  const issuerSerial = sequence(sequence(explicit(4, issuer)), element(TAG.integer, serial))
  const certificateId = sequence(...hashField, octetString(createHash(hash).update(certificate).digest()), issuerSerial)
  return attribute(OID.signingCertificateV2, sequence(sequence(certificateId)))
}

const attribute = (id: string, value: Buffer) => sequence(oid(id), setOf([value]))

const CONTENT_TYPE_DATA = attribute(OID.contentType, oid(OID.data))
const CONTENT_TYPE_TIMESTAMP = attribute(OID.contentType, oid(OID.timestampInfo))
const MESSAGE_DIGEST_ID = oid(OID.messageDigest)

/**
 * The signed attributes over a content's digest: content type, message digest, signing certificate, and no other (the
 * PAdES baseline forbids signing-time, EN 319 142-1 6.3). They carry the SET tag, so these are the bytes to sign.
 */
export function buildSignedAttributes(template: CmsTemplate, digest: Buffer, kind: ContentKind = 'data'): Buffer {
  if (digest.length !== HASH_BYTES[template.hash]) {
    throw new PkiError('bad-argument', `The digest is not one of ${template.hash}.`)
  }
  const contentType = kind === 'data' ? CONTENT_TYPE_DATA : CONTENT_TYPE_TIMESTAMP
  const messageDigest = sequence(MESSAGE_DIGEST_ID, setOf([octetString(digest)]))
  return setOf([contentType, messageDigest, template.signingCertificateAttribute])
}

export type ContentKind = 'data' | 'timestamp'

const HASH_BYTES: Record<CmsTemplate['hash'], number> = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

export interface CmsParts {
  /** As buildSignedAttributes() gave them. */
  signedAttributes: Buffer
  signature: Buffer
  /** A checked token over the signature value, for level B-T. */
  timestampToken?: Buffer
}

/** Puts a detached PAdES signature together. */
export function assembleCms(template: CmsTemplate, parts: CmsParts): Buffer {
  // RFC 5652 5.1: version 1 for id-data when all certificates are plain X.509.
  return signedData(template, { version: VERSION_1, contentInfo: DETACHED_DATA, parts })
}

/** Puts a CMS together that carries a TSTInfo (RFC 3161 2.4.2): a timestamp token. */
export function assembleTimestampToken(template: CmsTemplate, info: Buffer, parts: CmsParts): Buffer {
  const contentInfo = sequence(TIMESTAMP_INFO_ID, explicit(0, octetString(info)))
  return signedData(template, { version: VERSION_3, contentInfo, parts })
}

const DETACHED_DATA = sequence(oid(OID.data))
const SIGNED_DATA_ID = oid(OID.signedData)
const VERSION_1 = integer(1)
const VERSION_3 = integer(3)
const TIMESTAMP_INFO_ID = oid(OID.timestampInfo)
const TIMESTAMP_TOKEN_ID = oid(OID.signatureTimestampToken)

function signedData(
  template: CmsTemplate,
  { version, contentInfo, parts }: { version: Buffer; contentInfo: Buffer; parts: CmsParts },
): Buffer {
  const body = sequence(
    version,
    element(TAG.set, template.digestIdentifier),
    contentInfo,
    template.certificates,
    element(TAG.set, signerInfo(template, parts)),
  )
  return sequence(SIGNED_DATA_ID, explicit(0, body))
}

function signerInfo(template: CmsTemplate, { signedAttributes, signature, timestampToken }: CmsParts): Buffer {
  const unsigned = timestampToken ? [element(contextTag(1), sequence(TIMESTAMP_TOKEN_ID, setOf([timestampToken])))] : []
  return sequence(
    VERSION_1,
    template.signerIdentifier,
    template.digestIdentifier,
    // RFC 5652 5.4: stored with the tag [0], hashed with the tag of SET OF.
    implicit(0, signedAttributes),
    template.signatureIdentifier,
    octetString(signature),
    ...unsigned,
  )
}

/** Signs a content's digest in one go; for keys that answer at once. */
export async function signCms(signer: RawSigner, digest: Buffer, template = cmsTemplate(signer)): Promise<Buffer> {
  const signedAttributes = buildSignedAttributes(template, digest)
  return assembleCms(template, { signedAttributes, signature: await signWith(signer, signedAttributes) })
}
