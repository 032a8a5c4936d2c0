// The life of a signature request: one table. The README draws it, and a test holds it equal to the database's check.
import { wrongStatus } from './errors.ts'

export const REQUEST_STATUSES = [
  'Draft',
  'Open',
  'Processing',
  'Closed',
  'Canceled',
  'Error',
  'Archiving',
  'Archived',
  'ArchivingFailed',
] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

export const SIGNATORY_STATES = ['Waiting', 'Invited', 'Viewed', 'Signed', 'Declined', 'Skipped'] as const
export type SignatoryState = (typeof SIGNATORY_STATES)[number]

type MoveRule = {
  from: readonly RequestStatus[]
  to: RequestStatus
  /** As in "it cannot be canceled". */
  past: string
}

export const MOVES = {
  open: { from: ['Draft'], to: 'Open', past: 'opened' },
  cancel: { from: ['Draft', 'Open', 'Error'], to: 'Canceled', past: 'canceled' },
  decline: { from: ['Open'], to: 'Canceled', past: 'declined' },
  expire: { from: ['Open'], to: 'Canceled', past: 'expired' },
  complete: { from: ['Open'], to: 'Processing', past: 'completed' },
  close: { from: ['Processing'], to: 'Closed', past: 'closed' },
  fail: { from: ['Processing'], to: 'Error', past: 'failed' },
  retry: { from: ['Error'], to: 'Processing', past: 'retried' },
  archive: { from: ['Closed', 'Archiving', 'ArchivingFailed'], to: 'Archiving', past: 'archived' },
  reportArchived: { from: ['Closed', 'Archiving', 'ArchivingFailed'], to: 'Archived', past: 'archived' },
  reportArchivingFailed: { from: ['Closed', 'Archiving', 'ArchivingFailed'], to: 'ArchivingFailed', past: 'archived' },
} as const satisfies Record<string, MoveRule>

export type Move = keyof typeof MOVES

/** Where a move takes a request, or `InvalidOperation` where its present status does not allow it. */
export function statusAfter(status: RequestStatus, move: Move): RequestStatus {
  const { from, to, past }: MoveRule = MOVES[move]
  if (!from.includes(status)) throw wrongStatus(status, past)
  return to
}
