/** Everything in which this folder says no on purpose. `code` is for programs, the message for people. */
export class PkiError extends Error {
  readonly code: PkiErrorCode

  constructor(code: PkiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PkiError'
    this.code = code
  }
}

export type PkiErrorCode =
  | 'malformed' // not the structure that its standard describes
  | 'unsupported' // well formed, but something that we refuse to handle rather than guess
  | 'weak-algorithm'
  | 'bad-argument' // the caller asked for something that cannot be encoded or issued
  | 'timestamp-refused'
  | 'timestamp-invalid'
  | 'wrong-password'
  | 'key-mismatch'
  | 'not-valid-now'
  | 'remote-signer-refused'
  | 'token-unavailable'
  | 'key-box-unknown-key'
  | 'key-box-refused'

export type DerReason =
  | 'truncated'
  | 'trailing-bytes'
  | 'indefinite-length'
  | 'length-not-minimal'
  | 'high-tag-number'
  | 'too-deep'
  | 'too-large'
  | 'too-many-elements'
  | 'unexpected-tag'
  | 'bad-value'

/** Bytes that are not strict DER, or not within our limits. */
export class DerError extends PkiError {
  readonly reason: DerReason

  constructor(reason: DerReason, message: string) {
    super('malformed', message)
    this.name = 'DerError'
    this.reason = reason
  }
}

/** Builds the error for a structure that is DER but not what its standard describes. */
export const malformed = (what: string) => new PkiError('malformed', what)

/** Builds the error for something well formed that we refuse to handle. */
export const unsupported = (what: string) => new PkiError('unsupported', what)
