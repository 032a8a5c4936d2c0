// Standard Webhooks 1.0: what is signed is "id.timestamp.body", with the very bytes that are sent.
import { createHmac } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'

export type SignedDelivery = {
  id: string
  /** Of this try. */
  at: Date
  body: string
  /** Those that are alive, the newest first: two while a secret is being changed. */
  secrets: readonly string[]
}

/** The three headers by which a receiver knows that a delivery is ours, and which one it is. */
export function signatureHeaders({ id, at, body, secrets }: SignedDelivery): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}
