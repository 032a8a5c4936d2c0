// Every way in which the service says no. An error has the interface's three fields; its cause is for the log alone.
// Codes are permanent: the thousands follow the classification, the hundreds the area (0 the platform, then see docs/errors.md).

export const CLASSIFICATIONS = {
  InvalidArgument: 1000,
  EntityNotFound: 2000,
  UniqueConstraint: 3000,
  ReferenceConstraint: 4000,
  AuthenticationError: 5000,
  AuthorizationError: 6000,
  UserInactiveError: 6000,
  InvalidOperation: 7000,
  InternalError: 9000,
} as const

export type Classification = keyof typeof CLASSIFICATIONS

export class AppError extends Error {
  readonly classification: Classification
  readonly code: number
  /** Seconds after which it makes sense to try again; sent as Retry-After. */
  readonly retryAfterS: number | undefined

  constructor(
    classification: Classification,
    code: number,
    message: string,
    options: { cause?: unknown; retryAfterS?: number } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.classification = classification
    this.code = code
    this.retryAfterS = options.retryAfterS
  }
}

export type ErrorKind = { code: number; classification: Classification; meaning: string }

const kinds = new Map<number, ErrorKind>()

/** Declares one kind of error under its permanent code, and returns the function that makes one. */
export function errorKind<Args extends unknown[]>(
  kind: ErrorKind,
  message: (...args: Args) => string,
): (...args: Args) => AppError {
  const base = CLASSIFICATIONS[kind.classification]
  if (kind.code < base || kind.code >= base + 1000) {
    throw new Error(`error code ${kind.code} does not belong to ${kind.classification}`)
  }
  if (kinds.has(kind.code)) throw new Error(`error code ${kind.code} is declared twice`)
  kinds.set(kind.code, kind)
  return (...args) => new AppError(kind.classification, kind.code, message(...args))
}

/** All kinds declared so far, by code: the source of docs/errors.md. */
export function listErrorKinds(): ErrorKind[] {
  return [...kinds.values()].sort((a, b) => a.code - b.code)
}

// Said by more than one part of the product.

export const invalidArgument = errorKind(
  {
    code: 1000,
    classification: 'InvalidArgument',
    meaning: 'A field, parameter or header has a value that is not allowed.',
  },
  (field: string, expected: string) => `${field}: ${expected}`,
)

export const entityNotFound = errorKind(
  { code: 2000, classification: 'EntityNotFound', meaning: 'Nothing with this id is known here.' },
  (what: string, id: string) => `There is no ${what} with the id ${quote(id)}.`,
)

export const referenceNotFound = errorKind(
  { code: 4000, classification: 'ReferenceConstraint', meaning: 'An id in the request points at nothing.' },
  (field: string, what: string) => `${field}: there is no such ${what}.`,
)

export const notReachable = errorKind(
  {
    code: 6000,
    classification: 'AuthorizationError',
    meaning: 'The thing belongs to a department that the caller does not reach.',
  },
  () => 'This belongs to a department that you do not reach.',
)

export const invariantBroken = (what: string): Error => new Error(`broken invariant: ${what}`)

/** A caller's own text, safe to repeat inside a message: short, on one line, in quotation marks. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
