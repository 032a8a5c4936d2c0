// Which signature algorithms we know, how they are written (RFC 5754, RFC 5758, RFC 4055) and how they are checked.
import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { contextTag, explicit, integer, nullValue, oid, sequence, TAG } from './der.ts'
import type { DerNode } from './der-reader.ts'
import { malformed, PkiError, unsupported } from './errors.ts'
import { OID } from './oids.ts'

export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512'

/** What we sign with. */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'PS256' | 'RS256'

/** What others signed with, weak ones included: whether to accept it is the policy's decision, not the parser's. */
export interface SignatureScheme {
  family: 'ecdsa' | 'rsa-pss' | 'rsa-pkcs1'
  hash: HashName
  /** Only RSA-PSS has one. */
  saltBytes?: number
}

const MAX_RSA_BITS = 8192
/** All authorities use 65,537; a long exponent makes checking as slow as signing, a hundred times over. */
const MAX_RSA_EXPONENT = 2n ** 33n
/** Those that certificates are made with, weak ones included; the hundreds of others are slow, and nobody's. */
const CURVES = [
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
  'prime192v1',
  'secp224r1',
  'secp256k1',
]
const PSS_SALT_BYTES = 32

const SCHEMES: Record<SignatureAlgorithm, SignatureScheme> = {
  ES256: { family: 'ecdsa', hash: 'sha256' },
  ES384: { family: 'ecdsa', hash: 'sha384' },
  PS256: { family: 'rsa-pss', hash: 'sha256', saltBytes: PSS_SALT_BYTES },
  RS256: { family: 'rsa-pkcs1', hash: 'sha256' },
}

const HASH_BY_OID = new Map<string, HashName>([
  [OID.md5, 'md5'],
  [OID.sha1, 'sha1'],
  [OID.sha256, 'sha256'],
  [OID.sha384, 'sha384'],
  [OID.sha512, 'sha512'],
])

const SCHEME_BY_OID = new Map<string, SignatureScheme>([
  [OID.ecdsaWithSha1, { family: 'ecdsa', hash: 'sha1' }],
  [OID.ecdsaWithSha256, { family: 'ecdsa', hash: 'sha256' }],
  [OID.ecdsaWithSha384, { family: 'ecdsa', hash: 'sha384' }],
  [OID.ecdsaWithSha512, { family: 'ecdsa', hash: 'sha512' }],
  [OID.md5WithRsa, { family: 'rsa-pkcs1', hash: 'md5' }],
  [OID.sha1WithRsa, { family: 'rsa-pkcs1', hash: 'sha1' }],
  [OID.sha256WithRsa, { family: 'rsa-pkcs1', hash: 'sha256' }],
  [OID.sha384WithRsa, { family: 'rsa-pkcs1', hash: 'sha384' }],
  [OID.sha512WithRsa, { family: 'rsa-pkcs1', hash: 'sha512' }],
])

export const schemeOf = (algorithm: SignatureAlgorithm) => SCHEMES[algorithm]

/** The hash that belongs to an algorithm of ours: what is signed with ES384 is hashed with SHA-384 throughout. */
export const hashOf = (algorithm: SignatureAlgorithm) => SCHEMES[algorithm].hash

const HASH_IDENTIFIERS: Record<HashName, Buffer> = {
  md5: sequence(oid(OID.md5)),
  sha1: sequence(oid(OID.sha1)),
  sha256: sequence(oid(OID.sha256)),
  sha384: sequence(oid(OID.sha384)),
  sha512: sequence(oid(OID.sha512)),
}

/** Hash AlgorithmIdentifier; the parameters are absent, as RFC 5754 2 asks of writers. */
export const hashIdentifier = (hash: HashName) => HASH_IDENTIFIERS[hash]

const SIGNATURE_IDENTIFIERS: Record<SignatureAlgorithm, Buffer> = {
  ES256: sequence(oid(OID.ecdsaWithSha256)),
  ES384: sequence(oid(OID.ecdsaWithSha384)),
  PS256: sequence(oid(OID.rsaPss), pssParameters()),
  RS256: sequence(oid(OID.sha256WithRsa), nullValue()),
}

/** Signature AlgorithmIdentifier as it stands in certificates and in CMS. */
export const signatureIdentifier = (algorithm: SignatureAlgorithm) => SIGNATURE_IDENTIFIERS[algorithm]

function pssParameters(): Buffer {
  // RFC 4055 2.1 and 3.1: inside PSS parameters the hash carries an explicit NULL.
  const hash = sequence(oid(OID.sha256), nullValue())
  const maskGeneration = sequence(oid(OID.mgf1), hash)
  return sequence(explicit(0, hash), explicit(1, maskGeneration), explicit(2, integer(PSS_SALT_BYTES)))
}

/** Reads a hash AlgorithmIdentifier; parameters may be absent or NULL (RFC 5754 2). */
export function readHashIdentifier(node: DerNode): HashName {
  const fields = node.fields()
  const hashOid = fields.next().oid
  requireNoParameters(fields.optional(TAG.null))
  fields.end()
  const hash = HASH_BY_OID.get(hashOid)
  if (hash === undefined) throw unsupported(`The hash algorithm ${hashOid} is not supported.`)
  return hash
}

function requireNoParameters(parameters: DerNode | undefined): void {
  if (parameters !== undefined && parameters.content.length > 0) throw malformed('NULL parameters are not empty.')
}

/**
 * Reads a signature AlgorithmIdentifier. In CMS the signature may be named by its key alone (rsaEncryption, RFC 3370
 * 3.2), and then the digest algorithm beside it decides.
 */
export function readSignatureIdentifier(node: DerNode, digestHash?: HashName): SignatureScheme {
  const fields = node.fields()
  const algorithmOid = fields.next().oid
  if (algorithmOid === OID.rsaPss) {
    const scheme = readPssParameters(fields.next())
    fields.end()
    return scheme
  }
  requireNoParameters(fields.optional(TAG.null))
  fields.end()
  if (algorithmOid === OID.rsaEncryption && digestHash !== undefined) return { family: 'rsa-pkcs1', hash: digestHash }
  const scheme = SCHEME_BY_OID.get(algorithmOid)
  if (scheme === undefined) throw unsupported(`The signature algorithm ${algorithmOid} is not supported.`)
  return scheme
}

function readPssParameters(node: DerNode): SignatureScheme {
  const fields = node.fields()
  const hashField = fields.optional(contextTag(0))
  const maskField = fields.optional(contextTag(1))
  const saltField = fields.optional(contextTag(2))
  const trailerField = fields.optional(contextTag(3))
  fields.end()
  const hash = hashField ? readHashIdentifier(hashField.only) : 'sha1'
  if ((maskField ? readMaskHash(maskField.only) : 'sha1') !== hash) {
    throw unsupported('RSA-PSS with two different hashes is not supported.')
  }
  if (trailerField && trailerField.only.smallInteger() !== 1) throw malformed('The RSA-PSS trailer must be 1.')
  const saltBytes = saltField ? saltField.only.smallInteger() : 20
  if (saltBytes < 0 || saltBytes > 512) throw malformed('The RSA-PSS salt length is out of range.')
  return { family: 'rsa-pss', hash, saltBytes }
}

function readMaskHash(node: DerNode): HashName {
  const fields = node.fields()
  const maskOid = fields.next().oid
  const hash = readHashIdentifier(fields.next())
  fields.end()
  if (maskOid !== OID.mgf1) throw unsupported(`The mask generation function ${maskOid} is not supported.`)
  return hash
}

// Importing a key costs about as much as a verification, and the same few authorities come again and again.
const importedKeys = new Map<string, KeyObject>()
const MAX_IMPORTED_KEYS = 500

/** A public key from its SubjectPublicKeyInfo: RSA or a named NIST curve; everything else is refused. */
export function readPublicKey(spki: Buffer): KeyObject {
  const id = spki.toString('latin1')
  const known = importedKeys.get(id)
  if (known) return known
  const key = requireSupported(importPublicKey(spki))
  const [oldest] = importedKeys.keys()
  if (oldest !== undefined && importedKeys.size >= MAX_IMPORTED_KEYS) importedKeys.delete(oldest)
  importedKeys.set(id, key)
  return key
}

function importPublicKey(spki: Buffer): KeyObject {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch (cause) {
    throw new PkiError('malformed', 'The public key cannot be read.', { cause })
  }
}

function requireSupported(key: KeyObject): KeyObject {
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = key.asymmetricKeyDetails ?? {}
  const isRsa = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss'
  if (isRsa && publicExponent > MAX_RSA_EXPONENT) throw unsupported('RSA keys with a long exponent are not supported.')
  if (isRsa && modulusLength <= MAX_RSA_BITS) return key
  if (key.asymmetricKeyType === 'ec') {
    if (namedCurve !== undefined && CURVES.includes(namedCurve)) return key
    throw unsupported(`Keys on the curve ${namedCurve ?? 'of their own'} are not supported.`)
  }
  throw unsupported(`Public keys of type ${key.asymmetricKeyType ?? 'unknown'} are not supported.`)
}

export interface SignatureToVerify {
  scheme: SignatureScheme
  publicKey: KeyObject
  message: Buffer
  signature: Buffer
}

/** Told before each check of a signature; it may throw to put an end to them. */
export type VerificationMeter = (check: SignatureToVerify) => void

/** Of signatures that were found right, from one round to the next. */
export interface VerificationMemory {
  has(check: SignatureToVerify): boolean
  add(check: SignatureToVerify): void
}

interface Round {
  readonly count: VerificationMeter
  readonly memory: VerificationMemory | undefined
  /** What was found before, by the bytes that were signed. */
  readonly known: WeakMap<Buffer, { readonly check: SignatureToVerify; readonly isRight: boolean }[]>
}

let round: Round | undefined

/**
 * Runs `work` with every check of a signature inside it reported to `count` and none made twice: a stranger's file
 * decides how many there are. Only for work that does not wait, so that nobody else's checks fall into it.
 */
export function meterVerifications<T>(count: VerificationMeter, work: () => T, memory?: VerificationMemory): T {
  const outer = round
  round = { count, memory, known: new WeakMap() }
  try {
    return work()
  } finally {
    round = outer
  }
}

/** True if the signature over the message is right; a key that cannot belong to the scheme makes it wrong. */
export function verifySignature(check: SignatureToVerify): boolean {
  if (round === undefined) return isRight(check)
  const known = round.known.get(check.message) ?? []
  const before = known.find((found) => isSameCheck(found.check, check))
  if (before !== undefined) return before.isRight
  round.count(check)
  const found = { check, isRight: isRightAgain(check, round.memory) }
  round.known.set(check.message, [...known, found])
  return found.isRight
}

function isRightAgain(check: SignatureToVerify, memory: VerificationMemory | undefined): boolean {
  if (memory?.has(check)) return true
  const answer = isRight(check)
  if (answer) memory?.add(check)
  return answer
}

const isSameCheck = (one: SignatureToVerify, other: SignatureToVerify) =>
  one.signature === other.signature && one.publicKey === other.publicKey && one.scheme === other.scheme

function isRight({ scheme, publicKey, message, signature }: SignatureToVerify): boolean {
  const isEcKey = publicKey.asymmetricKeyType === 'ec'
  if (isEcKey !== (scheme.family === 'ecdsa')) return false
  try {
    return verify(scheme.hash, message, verificationKey(scheme, publicKey), signature)
  } catch {
    return false
  }
}

function verificationKey(scheme: SignatureScheme, key: KeyObject) {
  // DER is the default of ECDSA, and the bare key is the quick way in.
  if (scheme.family === 'ecdsa') return key
  if (scheme.family === 'rsa-pkcs1') return { key, padding: constants.RSA_PKCS1_PADDING }
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.saltBytes }
}
