import { setTimeout as wait } from 'node:timers/promises'
import type { Platform } from '#platform/platform.ts'
import { proveHistory, type HistoryName, type ProvedHistory } from './prove-history.ts'

const LOOK_EVERY_MS = 100
const LONGEST_WAIT_MS = 3_000
/** What happened longer ago has its proof, or waits for something that a moment more will not bring. */
const FRESH_MS = 10_000

/**
 * A history with its proofs. Whoever asks right after the last event waits a moment for the log to cover it and for the
 * timestamp; if that does not come, the history goes out with what there is, and the next one will have it.
 */
export async function proveSoon({ db, keyring, clock }: Platform, name: HistoryName): Promise<ProvedHistory> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const proved = await db.transaction(name.tenantId, (tx) => proveHistory(tx, { ...name, keyring }))
    const isFresh = clock.now().getTime() - proved.items.at(-1)!.timestamp.getTime() < FRESH_MS
    if (isProved(proved) || !isFresh || waitedMs >= LONGEST_WAIT_MS) return proved
    await wait(LOOK_EVERY_MS)
  }
}

const isProved = ({ items, log }: ProvedHistory) =>
  typeof log?.timestamp === 'string' && items.every(({ inclusionProof }) => inclusionProof !== null)
