// The life of a sealing request: one table, drawn in the README and held equal to the database's check by a test.
import { statusNotAllowed } from './errors.ts'

export const SEALING_STATUSES = [
  'Draft',
  'Open',
  'Closed',
  'Canceled',
  'Canceling',
  'Error',
  'Unknown',
  'Processing',
  'Processed',
  'Archiving',
  'Archived',
  'ArchivingFailed',
] as const

export type SealingStatus = (typeof SEALING_STATUSES)[number]

const ARCHIVAL = ['Archiving', 'Archived', 'ArchivingFailed'] as const

/** Where a caller may take a request from each status. What is missing here only the sealing itself may do. */
export const MOVES: Record<SealingStatus, readonly SealingStatus[]> = {
  Draft: ['Open', 'Canceled'],
  Open: ['Canceled'],
  Error: ['Open', 'Canceled'],
  Processing: [],
  Processed: ['Closed', ...ARCHIVAL],
  Closed: ARCHIVAL,
  Archiving: ['Archived', 'ArchivingFailed'],
  ArchivingFailed: ['Archiving', 'Archived'],
  Archived: [],
  Canceled: [],
  Canceling: [],
  Unknown: [],
}

/** Seals are made to last: with validation data and an archive timestamp. */
export const SEAL_LEVEL = 'B-LTA'

/** In these nothing happens to a request any more, so the time since can be counted. */
const FINAL: readonly SealingStatus[] = ['Closed', 'Canceled', 'Archived']

/** The status that a caller's wish leads to, or `InvalidOperation`. The present status again is no move. */
export function statusAfter(status: SealingStatus, wanted: SealingStatus): SealingStatus {
  if (wanted !== status && !MOVES[status].includes(wanted)) throw statusNotAllowed(status, wanted, MOVES[status])
  return wanted
}

export function isFinal(status: SealingStatus): boolean {
  return FINAL.includes(status)
}
