// Tables that grow for ever lie in partitions by time: they are made ahead, so that no row is ever without one, and where
// rows are kept for a while only, whole partitions go instead of rows.
import pg from 'pg'
import { KEEP_ALIVE } from './silence.ts'

type Partitioned = {
  table: string
  every: 'month' | 'week'
  /** In spans, beyond the present one. */
  ahead: number
  /** What is older goes, with the rest of its span; absent where nothing ever does. */
  keptDays?: number
  /** How each partition is stored. */
  storage?: string
}

/** Rows that are changed a few times, soon after they were written. */
const CHANGED_SOON = 'fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0'

const PARTITIONED: readonly Partitioned[] = [
  { table: 'event', every: 'month', ahead: 24 },
  { table: 'event_body', every: 'month', ahead: 24 },
  { table: 'hook_delivery', every: 'month', ahead: 1, keptDays: 90, storage: CHANGED_SOON },
  { table: 'hook_attempt', every: 'week', ahead: 2, keptDays: 30 },
]

const DAY_MS = 24 * 60 * 60 * 1000
const SPAN_MS = { month: 31 * DAY_MS, week: 7 * DAY_MS }

/** Makes the partitions that are missing, as the owner. */
export async function makePartitions(owner: pg.Client, now: Date): Promise<void> {
  for (const { table, every, ahead, keptDays, storage = '' } of PARTITIONED) {
    const first = new Date(now.getTime() - (keptDays === undefined ? SPAN_MS[every] : keptDays * DAY_MS))
    const last = inSpans(now, every, ahead)
    await owner.query('call make_partitions($1, $2, $3, $4, $5)', [table, every, first, last, storage])
  }
}

/** Within the span that comes so many after the present one. */
function inSpans(now: Date, every: Partitioned['every'], ahead: number): Date {
  if (every === 'week') return new Date(now.getTime() + ahead * SPAN_MS.week)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
}

/** Other tasks come after this one, so it does not wait for good for a server that says nothing. */
const GIVES_UP = { connectionTimeoutMillis: 5_000, query_timeout: 300_000 }

/**
 * Makes what is missing and drops what is not kept any longer. Both need a table for themselves for a moment; where a
 * long reader holds it, this fails, and the next run does it.
 */
export async function keepPartitions(connection: pg.ClientConfig, now: Date): Promise<void> {
  const owner = new pg.Client({ ...connection, ...GIVES_UP, ...KEEP_ALIVE })
  owner.on('error', () => {}) // A dropped connection also fails the query that is under way.
  await owner.connect()
  try {
    await briefly(owner, () => makePartitions(owner, now))
    for (const { table, keptDays } of PARTITIONED) {
      if (keptDays === undefined) continue
      const before = new Date(now.getTime() - keptDays * DAY_MS)
      await briefly(owner, () => owner.query('call drop_partitions($1, $2)', [table, before]))
    }
  } finally {
    await owner.end()
  }
}

/**
 * One transaction that does not wait for long: everybody else would wait behind it, and behind what it holds if we were
 * not heard any more.
 */
async function briefly(owner: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await owner.query(`begin; set local lock_timeout = '3s'; set local idle_in_transaction_session_timeout = '5s'`)
  await work()
  await owner.query('commit')
}
