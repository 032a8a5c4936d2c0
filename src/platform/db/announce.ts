import type pg from 'pg'
import { StatementSender } from './statement-sender.ts'

export type Announce = (channel: string, what: string) => void

const PAUSE_MS = 5
const NOTIFY = 'select pg_notify(c, w) from unnest($1::text[], $2::text[]) as a (c, w)'

/**
 * Tells listeners from a connection of its own: inside the transactions a notification would put all commits in a row.
 * The first goes out at once; those that follow closely share the next.
 */
export function makeAnnouncer(pool: pg.Pool): Announce {
  let waiting = new Map<string, { channel: string; what: string }>()
  let isResting = false
  const announceAll = () => {
    const all = [...waiting.values()]
    waiting = new Map()
    const values = [all.map(({ channel }) => channel), all.map(({ what }) => what)]
    // Only a hint: whoever listens looks by itself as well.
    notify(pool, values).catch(() => {})
    isResting = true
    setTimeout(() => {
      isResting = false
      if (waiting.size > 0) announceAll()
    }, PAUSE_MS).unref()
  }
  return (channel, what) => {
    if (waiting.size === 0 && !isResting) setImmediate(announceAll)
    waiting.set(`${channel} ${what}`, { channel, what })
  }
}

async function notify(pool: pg.Pool, values: string[][]): Promise<void> {
  const client = await pool.connect()
  const sender = new StatementSender(client, { queries: [], isForEachBatch: true })
  await sender.query('', NOTIFY, values).then(
    () => client.release(),
    () => client.release(true),
  )
}
