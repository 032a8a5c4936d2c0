// Sealing requests in words.
import type { SealingRequest } from '#client'
import type { IconName } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'
import type { Tone } from '../parts/state-mark.tsx'

export type Status = SealingRequest['status']
export type Mark = { words: string; tone: Tone; icon: IconName }

export const MARKS: Record<Status, Mark> = {
  Draft: { words: 'Draft', tone: 'quiet', icon: ICONS.draft },
  Open: { words: 'In the queue', tone: 'accent', icon: 'clock' },
  Processing: { words: 'Being sealed', tone: 'accent', icon: ICONS.turning },
  Processed: { words: 'Sealed', tone: 'good', icon: 'done' },
  Closed: { words: 'Closed', tone: 'good', icon: 'done' },
  Error: { words: 'Could not be sealed', tone: 'bad', icon: 'warning' },
  Canceled: { words: 'Canceled', tone: 'quiet', icon: 'cross' },
  Canceling: { words: 'Being canceled', tone: 'quiet', icon: 'clock' },
  Archiving: { words: 'Being archived', tone: 'accent', icon: ICONS.archive },
  Archived: { words: 'Archived', tone: 'good', icon: ICONS.archive },
  ArchivingFailed: { words: 'Archiving failed', tone: 'bad', icon: 'warning' },
  Unknown: { words: 'Unknown', tone: 'quiet', icon: 'help' },
}

/** Those that can really be met. */
export const MET: Status[] = [
  'Draft',
  'Open',
  'Processing',
  'Processed',
  'Closed',
  'Error',
  'Canceled',
  'Archiving',
  'Archived',
  'ArchivingFailed',
]

/** Something happens to it by itself, so it is worth another look. */
export function isMoving(status: Status): boolean {
  return status === 'Open' || status === 'Processing'
}

export const nameOfRequest = ({ subject }: Pick<SealingRequest, 'subject'>): string => subject ?? 'Without a subject'
