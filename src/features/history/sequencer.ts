// Gives every event its place in the log. One worker at a time does it, and the row of the log's head is the last guard:
// should two ever try, the second waits for the first and goes on from there.
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { makeRounds } from '#platform/jobs/rounds.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'
import { appendWaiting } from './append-waiting.ts'
import type { GrowingTree } from './merkle-tree.ts'

const LOOK_EVERY_MS = 1_000
/** Each step writes whole tiles and a signature, so that a step for every commit would cost more than it brings. */
const STEP_AT_MOST_EVERY_MS = 100
/** As many as one step takes: then there may be more. */
const EVENTS_A_STEP = 2_000

export type SequencerOptions = {
  db: Database
  clock: Clock
  log: Log
  keyring: Keyring
  isMine: () => boolean
  /** Stamps the newest checkpoint where that is due. */
  stamp: () => Promise<void>
}

export type Sequencer = {
  /** Looks for events soon instead of at the next second. */
  wake(): void
  stop(): Promise<void>
}

export function startSequencer({ db, clock, log, keyring, isMine, stamp }: SequencerOptions): Sequencer {
  let known: GrowingTree | undefined
  let planned: NodeJS.Timeout | undefined

  const warn = (what: string) => (error: unknown) => log.warn({ error: describeError(error) }, what)
  const steps = makeRounds(appendAll, warn('appending to the log failed'))
  const stamps = makeRounds(async () => (isMine() ? stamp() : undefined), warn('stamping the log failed'))

  async function appendAll(): Promise<void> {
    for (let count = EVENTS_A_STEP; count === EVENTS_A_STEP && isMine();) count = await step()
  }

  async function step(): Promise<number> {
    const done = await watchTrouble({ db, clock }, TROUBLE.historyLog, () =>
      db.systemTransaction((tx) => appendWaiting(tx, { keyring, known, now: clock.now() })),
    )
    known = done.tree
    if (done.stampSoon) stamps.wake()
    return done.count
  }

  function wake(): void {
    planned ??= setTimeout(() => {
      planned = undefined
      steps.wake()
    }, STEP_AT_MOST_EVERY_MS)
  }

  const timer = setInterval(() => {
    wake()
    stamps.wake()
  }, LOOK_EVERY_MS)
  wake()

  return {
    wake,
    async stop() {
      clearInterval(timer)
      clearTimeout(planned)
      await Promise.all([steps.stop(), stamps.stop()])
    },
  }
}
