// Webhooks in words.
import type { Delivery, Subscription } from '#client'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../parts/state-mark.tsx'

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

/** The payload as people read it; as it came where it is no JSON. */
export function prettyPayload(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
