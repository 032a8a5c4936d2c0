// Certificates in words: what they are called, how long they last.
import type { SealCertificate } from '#client'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../parts/state-mark.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
/** From here on somebody should do something about it. */
const SOON_DAYS = 30

/** The common name, or else the whole name. */
export function commonName(subject: string): string {
  return /(?:^|,\s*)CN=((?:\\.|[^,\\])+)/.exec(subject)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? subject
}

export type Mark = { words: string; tone: Tone; icon: IconName }

/** How much longer a certificate lasts. */
export function markOfEnd(notAfter: string, now: number = Date.now()): Mark {
  const days = Math.floor((new Date(notAfter).getTime() - now) / DAY_MS)
  if (days < 0) return { words: 'Has ended', tone: 'bad', icon: 'cross' }
  if (days < SOON_DAYS) return { words: `Ends in ${days} days`, tone: 'warn', icon: 'warning' }
  return { words: 'In use', tone: 'good', icon: 'done' }
}

/** The state of a seal: what the service says, and for a living one how much longer it lasts. */
export function markOfSeal({ state, notAfter }: Pick<SealCertificate, 'state' | 'notAfter'>): Mark {
  switch (state) {
    case 'Pending':
      return { words: 'Being checked', tone: 'accent', icon: 'clock' }
    case 'Failed':
      return { words: 'Refused', tone: 'bad', icon: 'cross' }
    case 'Replaced':
      return { words: 'Replaced', tone: 'quiet', icon: 'clock' }
    case 'Revoked':
      return { words: 'Revoked', tone: 'bad', icon: 'cross' }
    default:
      return notAfter === null ? { words: 'In use', tone: 'good', icon: 'done' } : markOfEnd(notAfter)
  }
}
