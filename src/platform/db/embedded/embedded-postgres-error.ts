export type EmbeddedPostgresReason =
  | 'unsupported-platform'
  | 'not-installed'
  | 'cannot-run'
  | 'no-user'
  | 'in-use'
  | 'wrong-owner'
  | 'unreachable'
  | 'lost'
  | 'wrong-version'
  | 'leftover-stuck'
  | 'initialise-failed'
  | 'start-failed'

/** Why the embedded server did not come up, in words for whoever started it. No caller of the API ever meets one. */
export class EmbeddedPostgresError extends Error {
  readonly reason: EmbeddedPostgresReason

  constructor(reason: EmbeddedPostgresReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'EmbeddedPostgresError'
    this.reason = reason
  }
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
