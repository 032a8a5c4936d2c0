// Everything that the secret key is used for, each purpose with a key of its own. Values made under the previous secret
// key can still be read, so that an operator can change it without a stop.
import {
  createHash,
  createHmac,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

export type Keyring = {
  /** Encrypts a secret. The context (what it is and whose) must be given again to read it. */
  seal(plain: Buffer, context: string): Buffer
  /** Reads what `seal` made; throws where anything was changed or the context is another. */
  open(sealed: Buffer, context: string): Buffer
  /** What `seal` made under the previous key, sealed under the present one; undefined where it is so already. */
  renew(sealed: Buffer, context: string): Buffer | undefined
  /** Which secret key is the present one, without telling it. */
  readonly presentKey: string
  /** A keyed hash for values that need not be read again: links, codes, tokens that we make ourselves. */
  mac(purpose: string, value: string | Buffer): Buffer
  /** Key material for one purpose: the present one first, then the previous one where there is one. */
  keysFor(purpose: string, sizeBytes: number): Buffer[]
}

const VERSION = 1
const KEY_ID_BYTES = 4
const SALT_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES + SALT_BYTES

export function makeKeyring(secretKey: string, previousSecretKey?: string): Keyring {
  const masters = [secretKey, previousSecretKey].filter((key) => key !== undefined)
  const sealingKeys = masters.map((master) => {
    const key = derive(master, 'seal', 32)
    return { id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES), key }
  })

  // Purposes are few and fixed, so their keys are derived once. As key objects they cost a sixth of what bytes cost.
  const macKeys = new Map<string, KeyObject>()
  const macKey = (purpose: string) => {
    const known = macKeys.get(purpose)
    if (known) return known
    const key = createSecretKey(derive(masters[0]!, `mac ${purpose}`, 32))
    macKeys.set(purpose, key)
    return key
  }

  const keyring: Keyring = {
    presentKey: sealingKeys[0]!.id.toString('hex'),
    seal(plain, context) {
      const { id, key } = sealingKeys[0]!
      const salt = randomBytes(SALT_BYTES)
      const own = keyOfValue(key, salt)
      const cipher = createCipheriv('aes-256-gcm', own.key, own.nonce).setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), id, salt, encrypted, cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== VERSION) throw new Error('not a sealed value')
      const id = sealed.subarray(1, 1 + KEY_ID_BYTES)
      const match = sealingKeys.find((candidate) => candidate.id.equals(id))
      if (!match) throw new Error('sealed under a secret key that is not configured')
      const own = keyOfValue(match.key, sealed.subarray(1 + KEY_ID_BYTES, HEADER_BYTES))
      const decipher = createDecipheriv('aes-256-gcm', own.key, own.nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()])
    },
    renew(sealed, context) {
      if (sealed.subarray(1, 1 + KEY_ID_BYTES).equals(sealingKeys[0]!.id)) return undefined
      return keyring.seal(keyring.open(sealed, context), context)
    },
    mac: (purpose, value) => createHmac('sha256', macKey(purpose)).update(value).digest(),
    keysFor: (purpose, sizeBytes) => masters.map((master) => derive(master, purpose, sizeBytes)),
  }
  return keyring
}

/** Each value has a key and a nonce of its own, so that no number of values wears out one key. */
function keyOfValue(key: Buffer, salt: Buffer): { key: Buffer; nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', key, salt, 'sealed value', 32 + NONCE_BYTES))
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) }
}

function derive(master: string, purpose: string, sizeBytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'countersign', purpose, sizeBytes))
}

/** The form in which keys, links and sessions are stored and looked up. */
export function secretHash(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

export function isSameSecret(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
