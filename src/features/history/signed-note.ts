// A checkpoint of the log as a signed note (C2SP signed-note and tlog-checkpoint): three lines that a person can read,
// a blank one, and a line for each signature. Pure.
import { hash } from 'node:crypto'

const ED25519 = Buffer.of(1)
const KEY_HASH_BYTES = 4

export type Checkpoint = { origin: string; size: number; root: Buffer }

/** Signs with a key and tells which one it was. */
export type NoteSigner = { publicKey: Buffer; sign(bytes: Buffer): Buffer }

/** The note with a signature of each key. */
export function writeNote({ origin, size, root }: Checkpoint, signers: readonly NoteSigner[]): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`
  const lines = signers.map(({ publicKey, sign }) => {
    const signature = Buffer.concat([keyHash(origin, publicKey), sign(Buffer.from(text))])
    return `— ${origin} ${signature.toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** What a note of ours says. Whether it is signed is another question. */
export function readNote(note: string): Checkpoint {
  const [origin, size, root] = note.split('\n')
  return { origin: origin!, size: Number(size), root: Buffer.from(root!, 'base64') }
}

/** A key as those who verify notes write it down. */
export function verifierKey(origin: string, publicKey: Buffer): string {
  const key = Buffer.concat([ED25519, publicKey]).toString('base64')
  return `${origin}+${keyHash(origin, publicKey).toString('hex')}+${key}`
}

function keyHash(origin: string, publicKey: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), ED25519, publicKey])
  return hash('sha256', named, 'buffer').subarray(0, KEY_HASH_BYTES)
}
