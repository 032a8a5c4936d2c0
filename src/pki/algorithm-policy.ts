// Which algorithms count as strong, and until when (ETSI TS 119 312 and the dates of the EU's validator).
import type { KeyObject } from 'node:crypto'
import type { HashName, SignatureAlgorithm, SignatureScheme } from './algorithms.ts'
import { PkiError } from './errors.ts'

const RSA_PKCS1_SUNSET = new Date('2029-01-01T00:00:00Z')
const SHORT_RSA_SUNSET = new Date('2029-01-01T00:00:00Z')
// The EU's validator counts RSA keys of 3000 bits and more as long.
const LONG_RSA_BITS = 3000
const SMALLEST_RSA_BITS = 2048
const SIGNING_RSA_BITS = 3072
const WEAK_HASHES: HashName[] = ['md5', 'sha1']
const STRONG_CURVES = ['prime256v1', 'secp384r1', 'secp521r1', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1']

export interface AlgorithmUse {
  scheme: SignatureScheme
  publicKey: KeyObject
  /** When the signature is known to have existed. */
  time: Date
}

/** What is wrong with an algorithm or key at a time, in words; undefined if nothing is. */
export function findAlgorithmWeakness({ scheme, publicKey, time }: AlgorithmUse): string | undefined {
  return findHashWeakness(scheme.hash) ?? findKeyWeakness(publicKey, time) ?? findSchemeWeakness(scheme, time)
}

/** What is wrong with a hash, in words. */
export function findHashWeakness(hash: HashName): string | undefined {
  return WEAK_HASHES.includes(hash) ? `The hash ${hash} is broken and proves nothing.` : undefined
}

/** When the first part of this signature stops being accepted, or undefined while no such date is known. */
export function findAlgorithmSunset({ scheme, publicKey }: Omit<AlgorithmUse, 'time'>): Date | undefined {
  if (scheme.family === 'rsa-pkcs1') return RSA_PKCS1_SUNSET
  return scheme.family === 'rsa-pss' && bitsOf(publicKey) < LONG_RSA_BITS ? SHORT_RSA_SUNSET : undefined
}

const bitsOf = (key: KeyObject) => key.asymmetricKeyDetails?.modulusLength ?? 0

function findKeyWeakness(key: KeyObject, time: Date): string | undefined {
  if (key.asymmetricKeyType === 'ec') {
    const curve = key.asymmetricKeyDetails?.namedCurve ?? 'unknown'
    return STRONG_CURVES.includes(curve) ? undefined : `The curve ${curve} is not accepted.`
  }
  const bits = bitsOf(key)
  if (bits < SMALLEST_RSA_BITS) return `RSA keys of ${bits} bits are too short.`
  if (bits < LONG_RSA_BITS && time >= SHORT_RSA_SUNSET) return `RSA keys of ${bits} bits are too short since 2029.`
  return undefined
}

function findSchemeWeakness(scheme: SignatureScheme, time: Date): string | undefined {
  const isSunset = scheme.family === 'rsa-pkcs1' && time >= RSA_PKCS1_SUNSET
  return isSunset ? 'RSA with PKCS #1 v1.5 padding is not accepted since 2029.' : undefined
}

/** Passes if we are willing to make new signatures with this key and algorithm. */
export function requireSigningStrength(key: KeyObject, algorithm: SignatureAlgorithm): void {
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  const isEc = key.asymmetricKeyType === 'ec'
  if (algorithm === 'ES256' && isEc && namedCurve === 'prime256v1') return
  if (algorithm === 'ES384' && isEc && namedCurve === 'secp384r1') return
  const isRsaAlgorithm = algorithm === 'PS256' || algorithm === 'RS256'
  if (isRsaAlgorithm && key.asymmetricKeyType === 'rsa' && bitsOf(key) >= SIGNING_RSA_BITS) return
  throw new PkiError(
    'weak-algorithm',
    `${algorithm} cannot sign with this key: ES256 needs P-256, ES384 P-384, PS256 and RS256 RSA of ${SIGNING_RSA_BITS} bits or more.`,
  )
}
