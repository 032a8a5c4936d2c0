// A device that holds passkeys, as far as a service gets to see of one (WebAuthn 6): ES256, no attestation, a counter.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const USER_PRESENT = 0x01
const HOLDS_CREDENTIAL = 0x40

type Offer = { rp: { id: string }; challenge: string }
type Request = { rpId: string; challenge: string }

/** What a test may have go wrong. */
export type Lies = { origin?: string; type?: string; rpId?: string; format?: string; flags?: number; counter?: number }

export class PasskeyDevice {
  readonly credentialId = randomBytes(16)
  readonly #origin: string
  readonly #privateKey: KeyObject
  readonly #publicKey: { x: string; y: string }
  counter = 0

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#origin = origin
    this.#privateKey = privateKey
    this.#publicKey = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  }

  /** What navigator.credentials.create would answer with. */
  create({ rp, challenge }: Offer, lies: Lies = {}) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.#coseKey()])
    const data = this.#authenticatorData(rp.id, lies, attested)
    const statement = cborMap([
      [cborText('fmt'), cborText(lies.format ?? 'none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ])
    const clientDataJSON = this.#clientData('webauthn.create', challenge, lies).toString('base64url')
    const response = { clientDataJSON, attestationObject: statement.toString('base64url'), transports: ['internal'] }
    return { id: this.credentialId.toString('base64url'), response }
  }

  /** What navigator.credentials.get would answer with. */
  get({ rpId, challenge }: Request, lies: Lies = {}) {
    this.counter++
    const data = this.#authenticatorData(rpId, lies)
    const client = this.#clientData('webauthn.get', challenge, lies)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    }
    return { id: this.credentialId.toString('base64url'), response }
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const { origin = this.#origin } = lies
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin, crossOrigin: false }))
  }

  /** WebAuthn 6.1: whose it is, what was checked, how often the device was used, and the key where it is new. */
  #authenticatorData(rpId: string, lies: Lies, attested = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5)
    head[0] = (lies.flags ?? USER_PRESENT) | (attested.length > 0 ? HOLDS_CREDENTIAL : 0)
    head.writeUInt32BE(lies.counter ?? this.counter, 1)
    const hash = createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest()
    return Buffer.concat([hash, head, attested])
  }

  /** RFC 9053 7.1.1: an elliptic curve key, for ES256, on P-256. */
  #coseKey(): Buffer {
    const { x, y } = this.#publicKey
    return cborMap([
      [cborNumber(1), cborNumber(2)],
      [cborNumber(3), cborNumber(-7)],
      [cborNumber(-1), cborNumber(1)],
      [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

// RFC 8949 3.1, as much of it as an answer needs.

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

const cborNumber = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (value: Buffer) => Buffer.concat([cborHead(2, value.length), value])
const cborText = (value: string) => Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
