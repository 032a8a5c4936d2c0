// The stages of archiving, in words.
import type { IconName } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'
import type { Tone } from '../parts/state-mark.tsx'

export const STAGES = ['Closed', 'Archiving', 'Archived', 'ArchivingFailed'] as const
export type Stage = (typeof STAGES)[number]

export const MARKS: Record<Stage, { words: string; tone: Tone; icon: IconName }> = {
  Closed: { words: 'Waits for the archive', tone: 'accent', icon: 'clock' },
  Archiving: { words: 'Being archived', tone: 'accent', icon: ICONS.archive },
  Archived: { words: 'Archived', tone: 'good', icon: 'done' },
  ArchivingFailed: { words: 'Archiving failed', tone: 'bad', icon: 'warning' },
}
