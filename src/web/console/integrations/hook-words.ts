// Webhooks in words.
import type { Delivery, Subscription } from '#client'
import { en } from '#i18n/events/en.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../parts/state-mark.tsx'

const EVENT_NAMES: Readonly<Record<string, string>> = en

export type Mark = { words: string; tone: Tone; icon: IconName }

export const SUBSCRIPTION_MARKS: Record<Subscription['state'], Mark> = {
  active: { words: 'Active', tone: 'good', icon: 'done' },
  paused: { words: 'Paused', tone: 'warn', icon: 'clock' },
  disabled: { words: 'Disabled', tone: 'bad', icon: 'cross' },
}

export const DELIVERY_MARKS: Record<Delivery['state'], Mark> = {
  delivered: { words: 'Delivered', tone: 'good', icon: 'done' },
  waiting: { words: 'Waiting', tone: 'accent', icon: 'clock' },
  parked: { words: 'Given up', tone: 'bad', icon: 'cross' },
}

/** What a delivery tells: the kind of event, and the state where it is about one. */
export function nameOfPayload(payload: string): string {
  const { EventType, EventData } = readPayload(payload)
  if (EventType === undefined) return 'An event'
  const name = EVENT_NAMES[EventType] ?? EventType
  return EventData?.Status === undefined ? name : `${name}: ${EventData.Status}`
}

/** The page of the request that a delivery is about; none for a test, whose request does not exist. */
export function pageOfPayload(payload: string): string | undefined {
  const { EventData } = readPayload(payload)
  if (EventData?.SealingRequestId !== undefined) return `/console/sealing/${EventData.SealingRequestId}`
  return EventData?.SignatureRequestId && `/console/requests/${EventData.SignatureRequestId}`
}

type Payload = {
  EventType?: string
  EventData?: { Status?: string; SignatureRequestId?: string; SealingRequestId?: string }
}

/** Written by the service, so its form is known; what was cut or is of another time says nothing. */
function readPayload(payload: string): Payload {
  try {
    return JSON.parse(payload) as Payload
  } catch {
    return {}
  }
}

/** The payload as people read it; as it came where it is no JSON. */
export function prettyPayload(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
