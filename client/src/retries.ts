// Sends a call until it is answered. A write carries the same Idempotency-Key each time, so it has one effect however
// often it arrives.
import { readAnswer, type Call, type CallOptions } from './call.ts'
import { ConnectionError, CountersignError } from './errors.ts'

export type RetryOptions = {
  /** How often a call is sent at most. */
  tries?: number
  /** How long one try may wait for its answer. */
  timeoutMs?: number
}

/** Sends the call once. */
export type Send = (call: Call, signal: AbortSignal) => Promise<Response>

const TRIES = 5
const TIMEOUT_MS = 120_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** A service that asks for more patience than this gets its answer to the caller instead. */
const LONGEST_RETRY_AFTER_MS = 60_000

/** Too early, too many or not ready: nothing was done, whatever the operation. */
const NOT_BEGUN = [429, 503]
/** A proxy lost the answer, or the body came too slowly: it may have been done. */
const PERHAPS_DONE = [408, 502, 504]

/** The answer of the call, after as many tries as that takes and is allowed. */
export async function sendUntilAnswered(
  send: Send,
  call: Call,
  { signal, onResponse }: CallOptions,
  { tries = TRIES, timeoutMs = TIMEOUT_MS }: RetryOptions,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const limit = limitTime(timeoutMs, signal)
    let waitMs = 0
    try {
      const response = await send(call, limit.signal)
      waitMs = waitBefore(attempt + 1, response.headers)
      const isLast = attempt >= tries || waitMs > LONGEST_RETRY_AFTER_MS || !isWorthRepeating(response, call)
      if (isLast) onResponse?.(response)
      if (isLast) return await readAnswer(response, call)
      await response.body?.cancel()
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof CountersignError || error instanceof SyntaxError) throw error
      if (attempt >= tries || !call.isRepeatable) throw new ConnectionError(attempt, error)
      waitMs = waitBefore(attempt + 1)
    } finally {
      limit.end()
    }
    await wait(waitMs, signal)
  }
}

function isWorthRepeating({ status }: Response, { isRepeatable, body }: Call): boolean {
  if (body instanceof ReadableStream) return false
  return NOT_BEGUN.includes(status) || (isRepeatable && PERHAPS_DONE.includes(status))
}

/** What the service asks for, or twice as long each time, with some luck in it so that clients do not come in step. */
function waitBefore(attempt: number, headers?: Headers): number {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN)
  if (seconds >= 0) return seconds * 1000
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 2), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2)
}

/** A signal that ends with the caller's, or after a while; not once a document has begun to arrive. */
function limitTime(timeoutMs: number, signal: AbortSignal | undefined): { signal: AbortSignal; end(): void } {
  const timer = new AbortController()
  const timeout = setTimeout(
    () => timer.abort(new DOMException('The answer took too long.', 'TimeoutError')),
    timeoutMs,
  )
  return {
    signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
    end: () => clearTimeout(timeout),
  }
}

export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timeout)
      reject(signal?.reason as Error)
    }
    const timeout = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
