// A database that runs and answers nobody is as good as dead, but nobody would start it again: its process is still there.
import pg from 'pg'
import { isDatabaseStarting } from '#platform/db/database.ts'

/** So often it is asked within the time that it has. */
const LOOKS = 4

export type Silence = { withinMs: number; onSilence: () => void }

/** Calls back when no new session has got an answer for so long. Answers with what ends the watch. */
export function watchAnswers(connection: pg.ClientConfig, { withinMs, onSilence }: Silence): () => void {
  const everyMs = withinMs / LOOKS
  let heardAt = performance.now()
  let isOver = false
  let timer = setTimeout(() => void look(), everyMs).unref()

  async function look(): Promise<void> {
    if (await isAnswering(connection, everyMs)) heardAt = performance.now()
    if (isOver) return
    if (performance.now() - heardAt >= withinMs) onSilence()
    else timer = setTimeout(() => void look(), everyMs).unref()
  }

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Recovery may take its time: a database that says that it is starting answers. */
async function isAnswering(connection: pg.ClientConfig, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: withinMs, query_timeout: withinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return isDatabaseStarting(error)
  } finally {
    await client.end().catch(() => {})
  }
}
