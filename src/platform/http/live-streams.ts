// Answers that stay open: counted, so that nobody can hold them all, and ended when the server stops.
import { AppError } from '#platform/errors.ts'
import { tooManyStreams } from './edge-errors.ts'

const MOST_OF_ALL = 1_000
const MOST_FOR_ONE = 20
const TRY_AGAIN_AFTER_S = 30

export type LiveStreams = {
  /** Counts one more for this caller, or refuses. The signal says when it has to end; `end` gives its place back. */
  open(owner: string): LiveStream
  /** Ends them all, and lets no more begin. */
  close(): void
}

export type LiveStream = { signal: AbortSignal; end(): void }

export function makeLiveStreams({ most = MOST_OF_ALL, mostForOne = MOST_FOR_ONE } = {}): LiveStreams {
  const open = new Map<AbortController, string>()
  const countOf = (owner: string) =>
    open
      .values()
      .filter((other) => other === owner)
      .toArray().length
  let isClosed = false
  return {
    open(owner) {
      if (isClosed || open.size >= most || countOf(owner) >= mostForOne) throw full()
      const controller = new AbortController()
      open.set(controller, owner)
      const end = () => {
        open.delete(controller)
        controller.abort()
      }
      return { signal: controller.signal, end }
    },
    close() {
      isClosed = true
      for (const controller of open.keys()) controller.abort()
    },
  }
}

function full(): AppError {
  const { classification, code, message } = tooManyStreams()
  return new AppError(classification, code, message, { retryAfterS: TRY_AGAIN_AFTER_S })
}
