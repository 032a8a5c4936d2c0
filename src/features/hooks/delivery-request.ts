// One try as it goes out: the stored payload, the subscriber's own headers, and ours, which theirs can't replace.
import type { Keyring } from '#platform/secrets/keyring.ts'
import type { Outgoing } from '#platform/outbound/sender.ts'
import { headersContext, secretContext } from './create-subscription.ts'
import type { KeyObject } from 'node:crypto'
import type { listReceivers } from './hook-statements.ts'
import { keyOf, signatureHeaders } from './sign-delivery.ts'

export type ReceiverRow = Awaited<ReturnType<typeof listReceivers.many>>[number]

export type Receiver = { uri: string; headers: Record<string, string>; keys: KeyObject[] }

/** Reads what a subscription keeps encrypted. A previous secret counts until its time is over. */
export function openReceiver(keyring: Keyring, tenantId: string, row: ReceiverRow, now: Date): Receiver {
  const { id, previousSecret, previousSecretUntil } = row
  const open = (sealed: Buffer) => keyOf(keyring.open(sealed, secretContext(tenantId, id)).toString())
  const keys = [open(row.secret)]
  if (previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now) {
    keys.push(open(previousSecret))
  }
  const headers = row.headers === null ? '{}' : keyring.open(row.headers, headersContext(tenantId, id)).toString()
  return { uri: row.uri, headers: JSON.parse(headers) as Record<string, string>, keys }
}

export type DeliveryContent = { id: string; sequence: number; payload: string; isTest: boolean }

/** What is posted for this delivery at this moment. */
export function deliveryRequest(receiver: Receiver, delivery: DeliveryContent, at: Date): Outgoing {
  const { id, payload: body } = delivery
  return {
    url: receiver.uri,
    headers: {
      ...receiver.headers,
      ...ownHeaders(delivery),
      ...signatureHeaders({ id, at, body, keys: receiver.keys }),
    },
    body,
  }
}

/** Those of our headers that are the same on every try. */
export function ownHeaders({ sequence, isTest }: { sequence: number; isTest: boolean }): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Countersign-Webhooks/1',
    'countersign-sequence': String(sequence),
    ...(isTest && { 'countersign-test': 'true' }),
  }
}
