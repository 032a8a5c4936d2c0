// Workers hear of new jobs and events at once; they also look by themselves every second.
import type pg from 'pg'
import { EVENTS, WAKE_CHANNEL } from '#platform/db/database.ts'
import { listenTo } from '#platform/db/listen.ts'
import { describeError, type Log } from '#platform/log/log.ts'

export type WakeUps = {
  connection: pg.ClientConfig
  /** There may be anything to do. */
  wake: () => void
  /** There are events, and no job because of them. */
  wakeForEvents: () => void
  log: Log
}

/** Wakes whenever there is something to do; `stop` ends the connection. */
export function listenForWakeUps({ connection, wake, wakeForEvents, log }: WakeUps): { stop(): Promise<void> } {
  return listenTo({
    connection,
    channel: WAKE_CHANNEL,
    heard: (what) => (what === EVENTS ? wakeForEvents() : wake()),
    onError: (error) => log.warn({ error: describeError(error) }, 'the wake-up connection was lost'),
  })
}
