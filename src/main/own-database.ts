// The embedded database as `start` runs it: it is started again should it die, as the server and the worker are.
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#platform/db/embedded/embedded-postgres.ts'
import { watchAnswers } from './watch-answers.ts'

export type OwnDatabase = {
  current(): EmbeddedPostgres
  stop(): Promise<void>
}

/** Dying more often than this within the time below is no accident that another start would mend. */
const MOST_DEATHS = 5
const WITHIN_MS = 60_000
/** What keeps it from starting, such as a machine without memory, may take a moment to pass: each pause is four times the last. */
const SHORTEST_PAUSE_MS = 100
/** Longer than the busiest machine lets a session wait. */
export const ANSWERS_WITHIN_MS = 60_000

export type OwnDatabaseOptions = {
  say: (line: string) => void
  giveUp: (why: string) => void
  /** A database that answers nobody for so long is ended, and started again like one that has died. */
  answersWithinMs?: number
}

export async function runOwnDatabase(
  dataDir: string,
  { say, giveUp, answersWithinMs = ANSWERS_WITHIN_MS }: OwnDatabaseOptions,
): Promise<OwnDatabase> {
  const start = () => startEmbeddedPostgres({ dataDir, log: say })
  let database = await start()
  let isStopping = false
  let restart = Promise.resolve()
  let stopWatching = () => {}
  const deaths: number[] = []

  function watch(): void {
    const { pid, connection } = database
    stopWatching = watchAnswers(connection, { withinMs: answersWithinMs, onSilence: () => endSilent(pid) })
    database.onExit(({ lastWords }) => {
      stopWatching()
      if (isStopping) return
      deaths.push(performance.now())
      if (isDyingTooOften()) {
        giveUp(`the database keeps ending: ${lastWords}`)
        return
      }
      say('the database ended unexpectedly; starting it again')
      restart = startAgain().catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)))
    })
  }

  function endSilent(pid: number): void {
    say(`the database has answered nobody for ${answersWithinMs / 1000} s; ending it`)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }

  /** Whatever ended it may do so again while it starts: that counts as another death, not as the end. */
  async function startSoon(): Promise<EmbeddedPostgres> {
    for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs *= 4) {
      try {
        return await start()
      } catch (error) {
        deaths.push(performance.now())
        if (isStopping || isDyingTooOften()) throw error
        say('the database ended while it was starting; starting it again')
        await sleep(pauseMs)
      }
    }
  }

  const isDyingTooOften = () => deaths.filter((at) => performance.now() - at < WITHIN_MS).length > MOST_DEATHS

  async function startAgain(): Promise<void> {
    const { host } = database.connection
    await database.stop() // Nothing runs any more: this frees the data directory.
    if (isStopping) return
    database = await startSoon()
    watch()
    // Everybody else knows the database by its old place.
    if (database.connection.host !== host) throw new Error('the database came back in another place')
  }

  watch()
  return {
    current: () => database,
    async stop() {
      isStopping = true
      stopWatching()
      await restart
      await database.stop()
    },
  }
}
