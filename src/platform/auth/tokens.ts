// Access tokens: ES256 JSON web tokens of one hour. The signing key of each quarter is derived from the secret key, so
// every process of the service has the same one and none is stored; the quarter before stays good for verification.
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { exportJWK, jwtVerify, SignJWT, type JWK } from 'jose'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'

export const TOKEN_LIFETIME_S = 3600
const ISSUER = 'countersign'
const AUDIENCE = 'countersign-api'
const TYPE = 'at+jwt'
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

export type TokenClaims = { userId: string; tenantId: string; departmentId: string; role: string }
export type VerifiedToken = TokenClaims & { tokenId: string; issuedAt: Date; expiresAt: Date }

export type Tokens = {
  issue(claims: TokenClaims, now: Date): Promise<string>
  /** The token's claims, or undefined for one that is not ours, not yet or no longer valid. */
  verify(token: string, now: Date): Promise<VerifiedToken | undefined>
  publicKeys(now: Date): Promise<JWK[]>
}

type SigningKey = { id: string; privateKey: KeyObject; publicKey: KeyObject }

export function makeTokens(keyring: Keyring): Tokens {
  const cache = new Map<string, SigningKey[]>()
  const keysOfQuarter = (quarter: string) => {
    if (!cache.has(quarter)) {
      cache.set(
        quarter,
        keyring.keysFor(`token ${quarter}`, 48).map((seed) => deriveKey(seed)),
      )
    }
    return cache.get(quarter)!
  }
  const liveKeys = (now: Date) =>
    [now, new Date(now.getTime() - 2 * TOKEN_LIFETIME_S * 1000)].map(quarterOf).flatMap(keysOfQuarter)

  return {
    issue({ userId, tenantId, departmentId, role }, now) {
      const { id, privateKey } = keysOfQuarter(quarterOf(now))[0]!
      // With milliseconds (RFC 7519 2 allows them): a password change ends just the tokens from before it.
      const issuedAt = now.getTime() / 1000
      return new SignJWT({ tenant: tenantId, department: departmentId, role })
        .setProtectedHeader({ alg: 'ES256', kid: id, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setJti(newId())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_S)
        .sign(privateKey)
    },
    async verify(token, now) {
      try {
        const keys = liveKeys(now)
        const { payload } = await jwtVerify(token, (header) => findKey(keys, header.kid), {
          algorithms: ['ES256'],
          issuer: ISSUER,
          audience: AUDIENCE,
          typ: TYPE,
          requiredClaims: ['exp', 'iat', 'sub', 'jti', 'tenant', 'department', 'role'],
          currentDate: now,
          clockTolerance: 5,
        })
        return {
          userId: String(payload.sub),
          tenantId: String(payload.tenant),
          departmentId: String(payload.department),
          role: String(payload.role),
          tokenId: String(payload.jti),
          issuedAt: new Date(Math.round(payload.iat! * 1000)),
          expiresAt: new Date(Math.round(payload.exp! * 1000)),
        }
      } catch {
        return undefined
      }
    },
    publicKeys: (now) =>
      Promise.all(
        [...new Map(liveKeys(now).map((key) => [key.id, key])).values()].map(async ({ id, publicKey }) => ({
          ...(await exportJWK(publicKey)),
          kid: id,
          alg: 'ES256',
          use: 'sig',
        })),
      ),
  }
}

function findKey(keys: SigningKey[], id: string | undefined): KeyObject {
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) throw new Error('unknown key id')
  return key.publicKey
}

function quarterOf(moment: Date): string {
  return `${moment.getUTCFullYear()}-${Math.floor(moment.getUTCMonth() / 3) + 1}`
}

/** FIPS 186-5 A.2.1: 64 bits more than the order has make the remainder uniform. */
function deriveKey(seed: Buffer): SigningKey {
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (P256_ORDER - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: d.toString('base64url'),
  }
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  const id = createHash('sha256').update(point).digest('base64url').slice(0, 16)
  return { id, privateKey, publicKey: createPublicKey(privateKey) }
}
