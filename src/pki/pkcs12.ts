// Reads PKCS #12 files (RFC 7292): a private key and certificates under a password, as OpenSSL, Windows, macOS and Java
// write them. The MAC is checked first: it tells a wrong password from a broken file.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { contextTag, TAG } from './der.ts'
import { readDer, type DerNode } from './der-reader.ts'
import { DerError, malformed, PkiError, unsupported } from './errors.ts'
import { OID } from './oids.ts'
import {
  decryptWithPassword,
  derivePbkdf2,
  derivePkcs12,
  HMAC_HASHES,
  RE_EXPORT_HINT,
  PasswordAttempt,
} from './password-encryption.ts'
import { readHashIdentifier } from './algorithms.ts'

export interface Pkcs12Content {
  /** PKCS #8, DER. */
  privateKeys: Buffer[]
  certificates: Buffer[]
}

const LIMITS = { maxBytes: 1024 * 1024, maxElements: 20_000 }
const MAX_BAGS = 200

/** Opens a file with its password. */
export function parsePkcs12(bytes: Buffer, password: string): Pkcs12Content {
  const fields = readFile(bytes).fields()
  if (fields.next().smallInteger() !== 3) throw malformed('The file is not PKCS #12 of version 3.')
  const authenticated = readContent(fields.next(), OID.data)
  const mac = fields.optional(TAG.sequence)
  fields.end()
  if (mac === undefined) throw unsupported(`The file is not protected by a password. ${RE_EXPORT_HINT}`)
  const attempt = new PasswordAttempt(password)
  verifyMac(mac, authenticated, attempt)
  const bags = readDer(authenticated, LIMITS)
    .items()
    .flatMap((safe) => readSafe(safe, attempt))
  if (bags.length > MAX_BAGS) throw malformed('The file holds too many things.')
  return {
    privateKeys: bags.flatMap((bag) => readKeyBag(bag, attempt)),
    certificates: bags.flatMap(readCertificateBag),
  }
}

function readFile(bytes: Buffer): DerNode {
  try {
    return readDer(bytes, LIMITS)
  } catch (error) {
    const isBer = error instanceof DerError && error.reason === 'indefinite-length'
    if (isBer) throw unsupported(`The file is written in BER, not DER. ${RE_EXPORT_HINT}`)
    throw error
  }
}

/** The content of a ContentInfo of the type expected. */
function readContent(node: DerNode, type: string): Buffer {
  const fields = node.fields()
  const found = fields.next().oid
  if (found !== type)
    throw unsupported(`The file is protected in a way that is not supported (${found}). ${RE_EXPORT_HINT}`)
  const content = fields.next(contextTag(0)).only.octets
  fields.end()
  return content
}

function verifyMac(node: DerNode, authenticated: Buffer, attempt: PasswordAttempt): void {
  const fields = node.fields()
  const digestInfo = fields.next().fields()
  const algorithm = digestInfo.next()
  const expected = digestInfo.next().octets
  digestInfo.end()
  const salt = fields.next().octets
  const iterations = fields.optional(TAG.integer)?.smallInteger() ?? 1
  fields.end()
  const { hash, key } = macKey(algorithm, { salt, iterations }, attempt)
  const actual = createHmac(hash, key).update(authenticated).digest()
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new PkiError('wrong-password', 'The password is wrong, or the file has been changed.')
  }
}

interface MacKey {
  hash: string
  key: Buffer
}

interface MacParameters {
  salt: Buffer
  iterations: number
}

function macKey(algorithm: DerNode, { salt, iterations }: MacParameters, attempt: PasswordAttempt): MacKey {
  if (algorithm.fields().next().oid === OID.pbmac1) return pbmac1Key(algorithm, attempt)
  const hash = readHashIdentifier(algorithm)
  const bytes = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 }[hash]
  return { hash, key: derivePkcs12({ hash, salt, iterations, purpose: 3, bytes }, attempt) }
}

/** RFC 9579: the salt and the rounds stand inside the algorithm; the ones beside it do not count. */
function pbmac1Key(algorithm: DerNode, attempt: PasswordAttempt): MacKey {
  const outer = algorithm.fields()
  outer.next()
  const fields = outer.next().fields()
  const derivation = fields.next()
  const functionId = fields.next().fields().next().oid
  fields.end()
  const hash = HMAC_HASHES.get(functionId)
  if (hash === undefined) throw unsupported(`The MAC ${functionId} is not supported. ${RE_EXPORT_HINT}`)
  const bytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }[hash] ?? 32
  return { hash, key: derivePbkdf2(derivation, attempt, bytes) }
}

interface Bag {
  type: string
  value: DerNode
}

function readSafe(node: DerNode, attempt: PasswordAttempt): Bag[] {
  const type = node.fields().next().oid
  const content = type === OID.encryptedData ? decryptSafe(node, attempt) : readContent(node, OID.data)
  return readDer(content, LIMITS).items().map(readBag)
}

/** EncryptedData (RFC 5652 8): the content sits under an implicit tag. */
function decryptSafe(node: DerNode, attempt: PasswordAttempt): Buffer {
  const outer = node.fields()
  outer.next()
  const fields = outer.next(contextTag(0)).only.fields()
  fields.next(TAG.integer)
  const info = fields.next().fields()
  info.next(TAG.oid)
  const algorithm = info.next()
  const encrypted = info.next(contextTag(0, 'primitive')).content
  return decryptWithPassword(algorithm, encrypted, attempt)
}

function readBag(node: DerNode): Bag {
  const fields = node.fields()
  const type = fields.next().oid
  const value = fields.next(contextTag(0)).only
  return { type, value }
}

function readKeyBag({ type, value }: Bag, attempt: PasswordAttempt): Buffer[] {
  if (type === OID.keyBag) return [value.raw]
  return type === OID.shroudedKeyBag ? [decryptPrivateKey(value, attempt)] : []
}

/** Opens an EncryptedPrivateKeyInfo (RFC 5958 3) to PKCS #8. */
export function decryptPrivateKey(node: DerNode, attempt: PasswordAttempt): Buffer {
  const fields = node.fields()
  const algorithm = fields.next()
  const encrypted = fields.next().octets
  fields.end()
  return decryptWithPassword(algorithm, encrypted, attempt)
}

function readCertificateBag({ type, value }: Bag): Buffer[] {
  if (type !== OID.certificateBag) return []
  const fields = value.fields()
  const kind = fields.next().oid
  return kind === OID.x509Certificate ? [fields.next(contextTag(0)).only.octets] : []
}
