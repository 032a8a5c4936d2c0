// Decryption under a password as PKCS #8 and PKCS #12 use it (RFC 8018 PBES2, RFC 7292 appendix B and C). The rounds
// are bounded over a whole file: whoever uploads it must not choose how long we work.
import { createDecipheriv, hash as hashOnce, pbkdf2Sync } from 'node:crypto'
import type { HashName } from './algorithms.ts'
import { TAG } from './der.ts'
import type { DerNode } from './der-reader.ts'
import { malformed, PkiError, unsupported } from './errors.ts'
import { OID } from './oids.ts'

/** NSS, the most careful of the usual writers, asks for 600,000 rounds three times. */
const MAX_ROUNDS = 3_000_000
const MAX_SALT_BYTES = 1024

export const RE_EXPORT_HINT =
  'Export it again with a current program, for example: openssl pkcs12 -export -in certificate.pem -inkey key.pem -out new.p12'

/** A password, and the work that may still be spent on it. */
export class PasswordAttempt {
  readonly password: string
  #roundsLeft = MAX_ROUNDS

  constructor(password: string) {
    this.password = password
  }

  /** Passes if this many rounds more are bearable. */
  spend(rounds: number, salt: Buffer): number {
    this.#roundsLeft -= rounds
    if (rounds >= 1 && this.#roundsLeft >= 0 && salt.length <= MAX_SALT_BYTES) return rounds
    throw unsupported(`The file asks for more than ${MAX_ROUNDS} rounds of work on its password. ${RE_EXPORT_HINT}`)
  }
}

interface Cipher {
  name: string
  keyBytes: number
  ivBytes: number
}

const CIPHERS = new Map<string, Cipher>([
  [OID.aes128Cbc, { name: 'aes-128-cbc', keyBytes: 16, ivBytes: 16 }],
  [OID.aes192Cbc, { name: 'aes-192-cbc', keyBytes: 24, ivBytes: 16 }],
  [OID.aes256Cbc, { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 }],
  [OID.tripleDesCbc, { name: 'des-ede3-cbc', keyBytes: 24, ivBytes: 8 }],
])

export const HMAC_HASHES = new Map<string, string>([
  [OID.hmacSha1, 'sha1'],
  [OID.hmacSha256, 'sha256'],
  [OID.hmacSha384, 'sha384'],
  [OID.hmacSha512, 'sha512'],
])

/** Decrypts data under an AlgorithmIdentifier and a password; a wrong password is told as such. */
export function decryptWithPassword(algorithm: DerNode, data: Buffer, attempt: PasswordAttempt): Buffer {
  const fields = algorithm.fields()
  const id = fields.next().oid
  const parameters = fields.next()
  fields.end()
  if (id === OID.pbes2) return decryptPbes2(parameters, data, attempt)
  if (id === OID.pbeSha1TripleDes) return decryptTripleDes(parameters, data, attempt)
  if (id === OID.pbeSha1Rc2With40Bits || id === OID.pbeSha1Rc2With128Bits) {
    throw unsupported(`The file is encrypted with RC2, which is broken. ${RE_EXPORT_HINT}`)
  }
  throw unsupported(`The file is encrypted in a way that is not supported (${id}). ${RE_EXPORT_HINT}`)
}

function decryptPbes2(parameters: DerNode, data: Buffer, attempt: PasswordAttempt): Buffer {
  const fields = parameters.fields()
  const derivation = fields.next()
  const scheme = fields.next().fields()
  fields.end()
  const id = scheme.next().oid
  const iv = scheme.next().octets
  const cipher = CIPHERS.get(id)
  if (cipher === undefined) throw unsupported(`The cipher ${id} is not supported. ${RE_EXPORT_HINT}`)
  if (iv.length !== cipher.ivBytes) throw malformed('The initialisation vector has a wrong length.')
  return decipher(cipher.name, { key: derivePbkdf2(derivation, attempt, cipher.keyBytes), iv, data })
}

/** Derives a key by PBKDF2 from its AlgorithmIdentifier (RFC 8018 5.2). */
export function derivePbkdf2(algorithm: DerNode, attempt: PasswordAttempt, keyBytes: number): Buffer {
  const outer = algorithm.fields()
  if (outer.next().oid !== OID.pbkdf2) throw unsupported(`Only PBKDF2 is supported. ${RE_EXPORT_HINT}`)
  const fields = outer.next().fields()
  const salt = fields.next().octets
  const iterations = attempt.spend(fields.next().smallInteger(), salt)
  const length = fields.optional(TAG.integer)?.smallInteger()
  const functionId = fields.optional(TAG.sequence)?.fields().next().oid ?? OID.hmacSha1
  fields.end()
  const hash = HMAC_HASHES.get(functionId)
  if (hash === undefined) throw unsupported(`The hash ${functionId} is not supported for passwords.`)
  if (length !== undefined && length !== keyBytes) throw malformed('The key length does not fit the cipher.')
  return pbkdf2Sync(Buffer.from(attempt.password, 'utf8'), salt, iterations, keyBytes, hash)
}

function decryptTripleDes(parameters: DerNode, data: Buffer, attempt: PasswordAttempt): Buffer {
  const fields = parameters.fields()
  const salt = fields.next().octets
  const iterations = fields.next().smallInteger()
  fields.end()
  const derive = (purpose: 1 | 2, bytes: number) =>
    derivePkcs12({ hash: 'sha1', salt, iterations, purpose, bytes }, attempt)
  return decipher('des-ede3-cbc', { key: derive(1, 24), iv: derive(2, 8), data })
}

function decipher(name: string, { key, iv, data }: { key: Buffer; iv: Buffer; data: Buffer }): Buffer {
  try {
    const stream = createDecipheriv(name, key, iv)
    return Buffer.concat([stream.update(data), stream.final()])
  } catch (cause) {
    throw new PkiError('wrong-password', 'The password is wrong.', { cause })
  }
}

export interface Pkcs12Derivation {
  hash: HashName
  salt: Buffer
  iterations: number
  /** RFC 7292 B.3: 1 for keys, 2 for initialisation vectors, 3 for MACs. */
  purpose: 1 | 2 | 3
  bytes: number
}

/** The key derivation of RFC 7292 B.2. */
export function derivePkcs12({ hash, salt, iterations, purpose, bytes }: Pkcs12Derivation, attempt: PasswordAttempt) {
  const blockBytes = hash === 'sha384' || hash === 'sha512' ? 128 : 64
  const diversifier = Buffer.alloc(blockBytes, purpose)
  const input = Buffer.concat([fillBlocks(salt, blockBytes), fillBlocks(passwordBytes(attempt.password), blockBytes)])
  const blocks: Buffer[] = []
  for (let made = 0; made < bytes; made += blocks.at(-1)?.length ?? bytes) {
    let block = Buffer.concat([diversifier, input])
    attempt.spend(iterations, salt)
    for (let round = 0; round < iterations; round++) block = hashOnce(hash, block, 'buffer')
    blocks.push(block)
    addToEachBlock(input, fillBlocks(block, blockBytes).subarray(0, blockBytes))
  }
  return Buffer.concat(blocks).subarray(0, bytes)
}

/** RFC 7292 B.1: UTF-16 big-endian with a closing zero. */
const passwordBytes = (password: string) => Buffer.from(`${password}\0`, 'utf16le').swap16()

function fillBlocks(bytes: Buffer, blockBytes: number): Buffer {
  const length = blockBytes * Math.ceil(bytes.length / blockBytes)
  return length === 0 ? Buffer.alloc(0) : Buffer.alloc(length, bytes)
}

/** I_j = (I_j + B + 1) mod 2^v for each block of the input. */
function addToEachBlock(input: Buffer, addend: Buffer): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1
    for (let at = addend.length - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0)
      input[start + at] = carry & 0xff
      carry >>= 8
    }
  }
}
