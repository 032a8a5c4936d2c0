// Workers hear of new jobs and events at once; they also look by themselves every second.
import type pg from 'pg'
import { WAKE_CHANNEL } from '#platform/db/database.ts'
import { listenTo } from '#platform/db/listen.ts'
import { describeError, type Log } from '#platform/log/log.ts'

export type WakeUps = { connection: pg.ClientConfig; wake: () => void; log: Log }

/** Calls `wake` whenever there is something to do; `stop` ends the connection. */
export function listenForWakeUps({ connection, wake, log }: WakeUps): { stop(): Promise<void> } {
  return listenTo({
    connection,
    channel: WAKE_CHANNEL,
    heard: wake,
    onError: (error) => log.warn({ error: describeError(error) }, 'the wake-up connection was lost'),
  })
}
