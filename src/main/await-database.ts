import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway, isDatabaseStarting } from '#platform/db/database.ts'

const LONGEST_WAIT_MS = 60_000
const ASK_AGAIN_MS = 25

/** Only our own database is used by one worker alone. */
type Waiting = { hasOneWorker?: true }

/**
 * Does a step of a start that needs the database, again while that is starting. A database of our own may be gone
 * altogether: whoever runs us brings it back, and to end and be started once more would only take longer.
 */
export async function untilDatabaseAnswers<T>(
  { hasOneWorker: isOurOwn }: Waiting,
  step: () => Promise<T>,
  longestWaitMs: number = LONGEST_WAIT_MS,
): Promise<T> {
  const isComing = isOurOwn ? isDatabaseAway : isDatabaseStarting
  const end = performance.now() + longestWaitMs
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isComing(error) || performance.now() > end) throw error
      await wait(ASK_AGAIN_MS)
    }
  }
}
