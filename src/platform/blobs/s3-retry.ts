import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#platform/errors.ts'
import { storageFull, storageUnavailable } from './errors.ts'

export type RetryOptions = {
  attempts: number
  baseDelayMs: number
  maxDelayMs: number
  /** No further try begins after this time; somebody is waiting for the answer. */
  deadlineMs: number
}

export const DEFAULT_RETRY: RetryOptions = { attempts: 6, baseDelayMs: 100, maxDelayMs: 3_000, deadlineMs: 20_000 }

/** Tries again what may pass by itself, a bounded number of times, waiting longer and at random in between. */
export async function withRetries<T>(work: () => Promise<T>, retry: RetryOptions): Promise<T> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isLate = performance.now() - startedAt > retry.deadlineMs
      if (isLate || attempt >= retry.attempts || !isTransient(error)) throw error
      await waitBefore(attempt, retry)
    }
  }
}

/** The pause before the next try. Randomness keeps many processes from coming back at the same moment. */
export async function waitBefore(attempt: number, { baseDelayMs, maxDelayMs }: RetryOptions): Promise<void> {
  await sleep(randomInt(Math.ceil(Math.min(maxDelayMs, baseDelayMs * 2 ** attempt)) + 1))
}

// Not among them: 409, which a conditional write gets while another one of the same key is under way.
const FINAL_STATUSES = new Set([400, 401, 403, 404, 405, 411, 412, 416, 501])
const TRANSIENT_NAMES = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'SlowDown',
  'XAmzContentChecksumMismatch',
  'XAmzContentSHA256Mismatch',
])

/** Anything but a clear answer: no answer, a broken one, an overloaded server, or bytes that changed on the way. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Error && TRANSIENT_NAMES.has(error.name)) return true
  if (error instanceof Error && error.name === 'CredentialsProviderError') return false
  // The file that was to be sent: it does not come back.
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
  const status = httpStatus(error)
  return status === undefined || !FINAL_STATUSES.has(status)
}

/** The HTTP status of the answer that the client turned into this error; undefined where none came. */
export function httpStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode
}

/** The storage error for whatever the client threw; errors of our own pass unchanged. */
export function asS3Error(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  return httpStatus(cause) === 507 ? storageFull(cause) : storageUnavailable(cause)
}
