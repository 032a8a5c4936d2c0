import { errorKind } from '#platform/errors.ts'

export const tileNotFound = errorKind(
  {
    code: 2750,
    classification: 'EntityNotFound',
    meaning: 'The log has no such tile, or not as much of it yet.',
  },
  () => 'The log has no such tile, or not as much of it yet.',
)
