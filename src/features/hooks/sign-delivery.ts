// Standard Webhooks 1.0: what is signed is "id.timestamp.body", with the very bytes that are sent.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'

export type SignedDelivery = {
  id: string
  /** Of this try. */
  at: Date
  body: string
  /** Those that are alive, the newest first: two while a secret is being changed. */
  keys: readonly KeyObject[]
}

/** The three headers by which a receiver knows that a delivery is ours, and which one it is. */
export function signatureHeaders({ id, at, body, keys }: SignedDelivery): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => `v1,${sign(key, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** The key behind a secret as its owner knows it. */
export function keyOf(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
}

function sign(key: KeyObject, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64')
}
