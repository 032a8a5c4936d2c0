import { historyKeys } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { BrokenLog } from './merkle-tree.ts'
import { proveHistory, type HistoryName } from './prove-history.ts'
import { verifyHistory } from './verify-history.ts'
import { verifyCheckpointTimestamp } from './verify-timestamp.ts'

export type CheckHistory = HistoryName & {
  keyring: Keyring
  /** Who may vouch for timestamp authorities. */
  anchors: readonly Buffer[]
}

/** Verifies a history as the database has it now, just as an outsider would. */
export async function checkHistory(tx: Tx, { keyring, anchors, ...name }: CheckHistory) {
  const keys = historyKeys(keyring).map(({ publicKey }) => publicKey)
  const checked = await prove(tx, keyring, name)
  if (typeof checked === 'string') return notIntact(checked)
  // As it would be read from a file: dates as text, nothing shared.
  const verdict = verifyHistory(JSON.parse(JSON.stringify(checked)), keys)
  if (!verdict.isIntact) return notIntact(verdict.problem)
  const { events, erased, log } = verdict
  const stamp = log?.timestamp
    ? verifyCheckpointTimestamp(log.checkpoint, Buffer.from(log.timestamp, 'base64'), anchors)
    : null
  if (stamp && !stamp.isGood) return notIntact(`The timestamp of the log’s checkpoint does not hold: ${stamp.problem}`)
  return {
    isIntact: true,
    problem: null,
    eventCount: events,
    erasedCount: erased,
    loggedCount: log?.logged ?? 0,
    logSize: log?.size ?? null,
    stampedAt: stamp?.time ?? null,
    stampedBy: stamp?.authority ?? null,
  }
}

const notIntact = (problem: string) => ({
  isIntact: false,
  problem,
  eventCount: null,
  erasedCount: null,
  loggedCount: null,
  logSize: null,
  stampedAt: null,
  stampedBy: null,
})

async function prove(tx: Tx, keyring: Keyring, name: HistoryName) {
  try {
    return await proveHistory(tx, { ...name, keyring })
  } catch (error) {
    if (error instanceof BrokenLog) return `The log is damaged: ${error.message}.`
    throw error
  }
}
