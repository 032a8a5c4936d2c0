// Collects the results of tries and records them in batches: while one batch is being written, the next one gathers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/database.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import { recordResults, type Result } from './record-results.ts'
import { makeRounds } from '#platform/jobs/rounds.ts'

const MOST_A_BATCH = 500
const AGAIN_AFTER_MS = 500
/** When stopping, this often; then the next holder of the bucket sends again what could not be recorded. */
const TRIES_WHEN_STOPPING = 5

export type LeasedResult = Result & { bucket: number; generation: number }

export type RecorderOptions = {
  db: Database
  clock: Clock
  log: Log
  owner: string
  /** Recorded, or not ours to record any more. */
  onRecorded: (results: readonly LeasedResult[]) => void
}

export type Recorder = { add(result: LeasedResult): void; stop(): Promise<void> }

export function makeRecorder({ db, clock, log, owner, onRecorded }: RecorderOptions): Recorder {
  let waiting: LeasedResult[] = []
  const rounds = makeRounds(recordAll, () => {})

  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_A_BATCH)
      waiting = waiting.slice(MOST_A_BATCH)
      const groups = Map.groupBy(batch, (result) => `${result.tenantId} ${result.generation}`)
      const failed = await Promise.all([...groups.values()].map(recordGroup))
      waiting.push(...failed.flat())
      if (failed.flat().length === batch.length) await sleep(AGAIN_AFTER_MS)
    }
  }

  /** Answers with what has to be tried again. */
  async function recordGroup(results: LeasedResult[]): Promise<LeasedResult[]> {
    const { tenantId, bucket, generation } = results[0]!
    try {
      const fence = { bucket, owner, generation }
      const isOurs = await recordResults(db, { tenantId, fence, results, now: clock.now() })
      if (!isOurs) log.warn({ bucket, results: results.length }, 'the lease was lost before deliveries were recorded')
      onRecorded(results)
      return []
    } catch (error) {
      log.warn({ error: describeError(error), results: results.length }, 'recording deliveries failed')
      return tooOften(results) ? [] : results
    }
  }

  let isStopping = false
  let triesLeft = TRIES_WHEN_STOPPING
  const tooOften = (results: LeasedResult[]) => {
    if (!isStopping || triesLeft-- > 0) return false
    onRecorded(results)
    return true
  }

  return {
    add(result) {
      waiting.push(result)
      rounds.wake()
    },
    async stop() {
      isStopping = true
      while (waiting.length > 0) {
        rounds.wake()
        await sleep(1)
      }
      await rounds.stop()
    },
  }
}
