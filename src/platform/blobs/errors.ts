// How storage says no. What went wrong underneath is the cause: it reaches the log, never the caller.
import { AppError, errorKind } from '#platform/errors.ts'

const RETRY_AFTER_S = 30

const writeFailed = errorKind(
  {
    code: 9010,
    classification: 'InternalError',
    meaning: 'A document could not be written to storage; nothing was kept. Try again later.',
  },
  () => 'The document could not be stored. Nothing was kept; try again later.',
)

const noSpace = errorKind(
  { code: 9011, classification: 'InternalError', meaning: 'Storage is full; nothing was kept. Try again later.' },
  () => 'Storage is full. Nothing was kept; try again later.',
)

/** Of the error that tells that nothing lies where a document should be. */
export const BLOB_MISSING_CODE = 9012

const missing = errorKind(
  { code: BLOB_MISSING_CODE, classification: 'InternalError', meaning: 'A stored document is not where it should be.' },
  () => 'The stored document is missing.',
)

/** Of the error that tells that bytes are no longer what was stored. */
export const BLOB_CORRUPT_CODE = 9013

const corrupt = errorKind(
  {
    code: BLOB_CORRUPT_CODE,
    classification: 'InternalError',
    meaning: 'A stored document is no longer what was stored.',
  },
  () => 'The stored document is damaged and is not served.',
)

const unavailable = errorKind(
  { code: 9014, classification: 'InternalError', meaning: 'Storage does not answer. Try again later.' },
  () => 'Storage does not answer; try again later.',
)

export const storageWriteFailed = (cause: unknown): AppError => because(writeFailed(), cause, RETRY_AFTER_S)
export const storageFull = (cause: unknown): AppError => because(noSpace(), cause, RETRY_AFTER_S)
export const storageUnavailable = (cause: unknown): AppError => because(unavailable(), cause, RETRY_AFTER_S)
export const blobMissing = (key: string): AppError => because(missing(), new Error(`no blob ${key}`))
export const blobCorrupt = (key: string, found: string): AppError =>
  because(corrupt(), new Error(`blob ${key} is damaged: ${found}`))

const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** The storage error for whatever a file system call threw; errors of our own pass unchanged. */
export function asStorageError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  return OUT_OF_SPACE.has(errorCode(cause) ?? '') ? storageFull(cause) : storageWriteFailed(cause)
}

/** The `code` that Node gives to system errors, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

function because(error: AppError, cause: unknown, retryAfterS?: number): AppError {
  const options = retryAfterS === undefined ? { cause } : { cause, retryAfterS }
  return new AppError(error.classification, error.code, error.message, options)
}
