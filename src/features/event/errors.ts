import { errorKind, quote } from '#platform/errors.ts'

export const historyNotFound = errorKind(
  {
    code: 2700,
    classification: 'EntityNotFound',
    meaning: 'There is no such signature request, so it has no history.',
  },
  (id: string) => `There is no signature request with the id ${quote(id)}.`,
)

export const badContinuationToken = errorKind(
  {
    code: 1700,
    classification: 'InvalidArgument',
    meaning: 'The continuation token was not made for this history, or was changed.',
  },
  () => 'continuationToken: must be the continuationToken of the page before, of the same signature request.',
)
