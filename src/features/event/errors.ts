import { errorKind, quote } from '#platform/errors.ts'

export const historyNotFound = errorKind(
  {
    code: 2700,
    classification: 'EntityNotFound',
    meaning: 'There is no such signature or sealing request, so it has no history.',
  },
  (id: string, kind: string) => `There is no ${kind} with the id ${quote(id)}.`,
)

export const badContinuationToken = errorKind(
  {
    code: 1700,
    classification: 'InvalidArgument',
    meaning: 'The continuation token was not made for this history, or was changed.',
  },
  () => 'continuationToken: must be the continuationToken of the page before, of the same signature request.',
)

export const badFeedCursor = errorKind(
  {
    code: 1701,
    classification: 'InvalidArgument',
    meaning: 'The cursor was not made for this feed, or was changed.',
  },
  () => 'after: must be the cursor of a page before, or now.',
)

export const feedCursorAhead = errorKind(
  {
    code: 7700,
    classification: 'InvalidOperation',
    meaning: 'The feed ends before the cursor: the service was set back to an earlier state.',
  },
  () => 'The feed ends before this cursor: the service was set back to an earlier state. Begin without one.',
)
