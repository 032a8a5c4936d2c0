// Keeps private keys and other secrets encrypted at rest (AES-256-GCM). A box says which key-encryption key opens it,
// so that keys can be rotated, and is bound to what it holds: copied to another row or tenant, it does not open.
//
//   version 1 | key id 8 | salt 32 | ciphertext | tag 16
//
// Each box has its own key and nonce, derived from the salt, so no number of boxes wears out one GCM key.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { PkiError } from './errors.ts'

/** What a box is for; it opens only with the same three words. */
export interface BoxContext {
  purpose: string
  tenantId: string
  id: string
}

export interface KeyBox {
  seal(secret: Buffer, context: BoxContext): Buffer
  open(box: Buffer, context: BoxContext): Buffer
  sealPrivateKey(key: KeyObject, context: BoxContext): Buffer
  openPrivateKey(box: Buffer, context: BoxContext): KeyObject
  /** False if the box should be sealed again because the key has been rotated. */
  isCurrent(box: Buffer): boolean
}

const VERSION = 1
const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const SALT_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES + SALT_BYTES
const MAX_SECRET_BYTES = 64 * 1024

/** Opens boxes with the current key or a previous one, and seals with the current one. */
export function createKeyBox({ current, previous = [] }: { current: Buffer; previous?: Buffer[] }): KeyBox {
  const keys = new Map([...previous, current].map((key) => [keyIdOf(key), key]))
  const currentId = keyIdOf(current)

  const seal = (secret: Buffer, context: BoxContext): Buffer => {
    if (secret.length > MAX_SECRET_BYTES) throw new PkiError('bad-argument', 'The secret is too long for a key box.')
    const header = Buffer.concat([Buffer.from([VERSION]), Buffer.from(currentId, 'hex'), randomBytes(SALT_BYTES)])
    const { key, nonce } = deriveKey(current, header)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundData(header, context))
    return Buffer.concat([header, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  }

  const open = (box: Buffer, context: BoxContext): Buffer => {
    const { header, keyId, ciphertext, tag } = splitBox(box)
    const found = keys.get(keyId)
    if (found === undefined) {
      throw new PkiError('key-box-unknown-key', `The box was sealed with the key ${keyId}, which is not configured.`)
    }
    const { key, nonce } = deriveKey(found, header)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(boundData(header, context)).setAuthTag(tag)
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()])
    } catch (cause) {
      throw new PkiError('key-box-refused', 'The box has been changed or belongs to something else.', { cause })
    }
  }

  return {
    seal,
    open,
    sealPrivateKey: (key, context) => seal(key.export({ format: 'der', type: 'pkcs8' }), context),
    openPrivateKey: (box, context) => createPrivateKey({ key: open(box, context), format: 'der', type: 'pkcs8' }),
    isCurrent: (box) => splitBox(box).keyId === currentId,
  }
}

/** The name of a key-encryption key: tells keys apart without telling anything about them. */
function keyIdOf(key: Buffer): string {
  if (key.length !== KEY_BYTES) throw new PkiError('bad-argument', `A key-encryption key has ${KEY_BYTES} bytes.`)
  const digest = createHash('sha256').update('countersign key id\0').update(key).digest()
  return digest.subarray(0, KEY_ID_BYTES).toString('hex')
}

function deriveKey(key: Buffer, header: Buffer): { key: Buffer; nonce: Buffer } {
  const salt = header.subarray(1 + KEY_ID_BYTES)
  const derived = Buffer.from(hkdfSync('sha256', key, salt, 'countersign key box', KEY_BYTES + NONCE_BYTES))
  return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) }
}

/** Each word with its length before it, so that no two contexts look the same. */
function boundData(header: Buffer, { purpose, tenantId, id }: BoxContext): Buffer {
  const words = [purpose, tenantId, id].flatMap((word) => {
    const bytes = Buffer.from(word, 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat([header, ...words])
}

function splitBox(box: Buffer) {
  if (box.length < HEADER_BYTES + TAG_BYTES || box.length > HEADER_BYTES + MAX_SECRET_BYTES + TAG_BYTES) {
    throw new PkiError('key-box-refused', 'The box has a length that no box has.')
  }
  if (box[0] !== VERSION) throw new PkiError('key-box-refused', 'The box has an unknown version.')
  return {
    header: box.subarray(0, HEADER_BYTES),
    keyId: box.toString('hex', 1, 1 + KEY_ID_BYTES),
    ciphertext: box.subarray(HEADER_BYTES, -TAG_BYTES),
    tag: box.subarray(-TAG_BYTES),
  }
}
