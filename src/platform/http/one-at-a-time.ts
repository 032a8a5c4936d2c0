// Twins of a call wait here, and not on a row lock: there each would hold one of the few database connections.
import { AppError } from '#platform/errors.ts'
import { twinStillRunning } from '#platform/db/database.ts'

export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs the work of each key one after the other. Who has waited too long is refused as busy. */
export function makeOneAtATime(longestWaitMs: number): OneAtATime {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const { promise: mine, resolve: done } = Promise.withResolvers<void>()
    const tail = (before ?? Promise.resolve()).then(() => mine)
    last.set(key, tail)
    try {
      if (before) await within(before, longestWaitMs)
      return await work()
    } finally {
      done()
      if (last.get(key) === tail) last.delete(key)
    }
  }
}

async function within(before: Promise<unknown>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const { classification, code, message } = twinStillRunning()
      reject(new AppError(classification, code, message, { retryAfterS: 1 }))
    }, waitMs)
  })
  try {
    await Promise.race([before, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
