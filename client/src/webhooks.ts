// Deliveries of webhooks, by the Standard Webhooks scheme: verified before they are believed.

export type WebhookEventData = {
  TenantId: string
  DepartmentId: string
  CreatorId: string
  /** Absent in events of sealing requests. */
  SignatureRequestId?: string
  /** In events of a signatory. */
  SignatoryId?: string
  /** In events of a sealing request. */
  SealingRequestId?: string
  /** In signaturerequeststatusupdated. */
  Status?: string
  PreviousStatus?: string | null
}

export type WebhookEvent = {
  /** The same over all retries and replays: remember it, and ignore what you have seen. */
  id: string
  /** The number of the event in the history of its request. */
  sequence: number
  isTest: boolean
  EventType: string
  Timestamp: string
  EventData: WebhookEventData
}

export type Delivery = {
  /** Of the request that arrived: a Headers object, or what Node calls request.headers. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as it arrived, before any parser. */
  body: string | Uint8Array
  /** The subscription's secret; while it is being changed, the old one and the new. */
  secret: string | string[]
  /** How old a delivery may be, and how far clocks may be apart. */
  toleranceSeconds?: number
  now?: Date
}

/** The delivery can not be believed; answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** The event that a delivery tells of. Throws a WebhookError where it is not from the service, was changed, or is old. */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = delivery
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a number of seconds.')
  const isRecent = Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!isRecent) throw new WebhookError('webhook-timestamp is too far from now.')

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joinBytes(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSignedByOne([secret].flat(), signatures, signed))) throw new WebhookError('No signature fits.')

  const event = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'id' | 'sequence' | 'isTest'>
  return {
    id,
    sequence: Number(findHeader(headers, 'countersign-sequence') ?? 0),
    isTest: findHeader(headers, 'countersign-test') === 'true',
    ...event,
  }
}

async function isSignedByOne(secrets: string[], signatures: string[], signed: Uint8Array<ArrayBuffer>) {
  for (const secret of secrets) {
    const key = await importKey(secret)
    for (const [version, value] of signatures.map((signature) => signature.split(','))) {
      const bytes = version === 'v1' ? decodeBase64(value ?? '') : undefined
      // Web Crypto compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true
    }
  }
  return false
}

function importKey(secret: string) {
  const bytes = decodeBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!bytes?.length) throw new TypeError('The secret is not what the service answered with: whsec_ and Base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

function readHeader(headers: Delivery['headers'], name: string): string {
  const value = findHeader(headers, name)
  if (!value) throw new WebhookError(`${name} is missing.`)
  return value
}

function findHeader(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : found
}
