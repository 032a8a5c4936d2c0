const FOREIGN_KEY_VIOLATION = '23503'

/** True if a row could not go because another one points at it. */
export const isReferenced = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
