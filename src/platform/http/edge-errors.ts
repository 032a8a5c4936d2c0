// What the edge itself says, and the one table that turns an error into an HTTP status.
import { AppError, errorKind } from '#platform/errors.ts'

export const unsupportedMediaType = errorKind(
  { code: 1001, classification: 'InvalidArgument', meaning: 'The Content-Type or Content-Encoding can not be read.' },
  (expected: string) => `Content-Type: must be ${expected}, without a Content-Encoding.`,
)

export const tooManyCalls = errorKind(
  {
    code: 1002,
    classification: 'InvalidArgument',
    meaning: 'The subscription key, or the address, has made too many calls.',
  },
  () => 'Too many calls. Try again after the time in Retry-After.',
)

export const bodyTooSlow = errorKind(
  { code: 1003, classification: 'InvalidArgument', meaning: 'The body arrived too slowly.' },
  () => 'The body arrived too slowly.',
)

export const malformedRequest = errorKind(
  {
    code: 1004,
    classification: 'InvalidArgument',
    meaning: 'The request is not well-formed HTTP, or its address is not.',
  },
  () => 'The request is not well formed.',
)

export const badIdempotencyKey = errorKind(
  {
    code: 1005,
    classification: 'InvalidArgument',
    meaning: 'The header Idempotency-Key has a length that is not allowed.',
  },
  () => 'Idempotency-Key: must have 1 to 255 characters.',
)

export const headersTooLarge = errorKind(
  { code: 1006, classification: 'InvalidArgument', meaning: 'The headers are larger than allowed.' },
  () => 'The headers of the request are too large.',
)

export const tooManyStreams = errorKind(
  { code: 1007, classification: 'InvalidArgument', meaning: 'The caller, or all callers, hold too many streams open.' },
  () => 'Too many streams are open. Close one, or try again after the time in Retry-After.',
)

export const unknownRoute = errorKind(
  { code: 2001, classification: 'EntityNotFound', meaning: 'There is no operation with this method and path.' },
  () => 'There is no operation with this method and path. The reference is at /docs.',
)

export const idempotencyKeyReused = errorKind(
  {
    code: 3001,
    classification: 'UniqueConstraint',
    meaning: 'The Idempotency-Key was used before, with other content.',
  },
  () => 'Idempotency-Key: was used before with other content. Use a new key for a new call.',
)

export const internalError = errorKind(
  {
    code: 9000,
    classification: 'InternalError',
    meaning: 'Something went wrong on our side; the log has the details.',
  },
  (requestId: string) => `Something went wrong on our side. Quote the request id ${requestId} when you ask about it.`,
)

export const stopping = errorKind(
  { code: 9003, classification: 'InternalError', meaning: 'The service is starting or stopping.' },
  () => 'The service is starting or stopping. Try again in a moment.',
)

const STATUS_BY_CLASSIFICATION = {
  InvalidArgument: 400,
  EntityNotFound: 400,
  UniqueConstraint: 400,
  ReferenceConstraint: 400,
  AuthenticationError: 401,
  AuthorizationError: 403,
  UserInactiveError: 403,
  InvalidOperation: 400,
  InternalError: 500,
} as const

/** The few codes that have a status of their own. */
const STATUS_BY_CODE: Record<number, number> = {
  1001: 415,
  1002: 429,
  1003: 408,
  1006: 431,
  1007: 429,
  1018: 413,
  1019: 413,
  1105: 429, // as many people asked as may be in a day
  1500: 429, // too many wrong passwords
  2001: 404,
  9001: 503,
  9002: 503,
  9003: 503,
  9010: 503, // a disk that fails is mended, and the call repeated
  9011: 503,
  9014: 503,
  9100: 503, // too many documents under repair
  9950: 503, // the identity provider does not answer
  9110: 503, // too many files to judge
}

/** The error statuses of the interface's own table; onboarding has no 403, two hooks operations have 404. */
export type ErrorStatuses = { forbidden?: 401; notFound?: 404 }

export function statusOf(error: AppError, route?: { errorStatuses?: ErrorStatuses }): number {
  const own = STATUS_BY_CODE[error.code]
  if (own !== undefined) return own
  if (error.classification === 'EntityNotFound' && route?.errorStatuses?.notFound) return route.errorStatuses.notFound
  const status = STATUS_BY_CLASSIFICATION[error.classification]
  return status === 403 && route?.errorStatuses?.forbidden ? route.errorStatuses.forbidden : status
}

export function errorBody(error: AppError): { code: number; classification: string; message: string } {
  return { code: error.code, classification: error.classification, message: error.message }
}
