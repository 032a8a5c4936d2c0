// Hears of new jobs at once. Workers also look by themselves, so a lost connection costs a second at most.
import pg from 'pg'
import { WAKE_CHANNEL } from '#platform/db/database.ts'
import { describeError, type Log } from '#platform/log/log.ts'

const LISTEN_AGAIN_AFTER_MS = 2_000

export type WakeUps = { connection: pg.ClientConfig; wake: () => void; log: Log }

/** Calls `wake` whenever there is something to do; `stop` ends the connection. */
export function listenForWakeUps({ connection, wake, log }: WakeUps): { stop(): Promise<void> } {
  let isStopped = false
  let client: pg.Client | undefined
  const listen = async () => {
    const fresh = new pg.Client(connection)
    client = fresh
    fresh.on('error', (error) => log.warn({ error: describeError(error) }, 'the wake-up connection was lost'))
    fresh.on('end', () => {
      if (!isStopped) setTimeout(() => void listen().catch(() => {}), LISTEN_AGAIN_AFTER_MS).unref()
    })
    fresh.on('notification', wake)
    await fresh.connect()
    await fresh.query(`listen ${WAKE_CHANNEL}`)
  }
  const begun = listen().catch((error: unknown) =>
    log.warn({ error: describeError(error) }, 'listening for wake-ups failed'),
  )
  return {
    async stop() {
      isStopped = true
      await begun
      await client?.end()
    },
  }
}
