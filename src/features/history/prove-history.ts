// A request's history with all that proves it: where each event lies in the log, why the checkpoint covers it, and the
// timestamp of that checkpoint. What is asked for is put together from the tables as they are, so that a history that
// somebody has altered comes out altered, and does not verify.
import { readWholeHistory, type RequestKind } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { findStampOver, readHead } from './log-statements.ts'
import { countWaiting, listPlaces } from './place-statements.ts'
import { hashSpan, proofSpans, tilesOf } from './prove-inclusion.ts'
import { readTiles } from './read-tiles.ts'

/** The log grows a few times a second, and a read takes a few milliseconds. */
const MOST_READS = 3

export type HistoryName = { tenantId: string; requestId: string; requestKind: RequestKind }
export type ProvedHistory = Awaited<ReturnType<typeof proveHistory>>

/** The whole history with its proofs; the newest events may still wait for theirs. */
export async function proveHistory(tx: Tx, wanted: HistoryName & { keyring: Keyring }) {
  const { history, waiting, places } = await readWithPlaces(tx, wanted)
  const log = await chooseCheckpoint(tx, places.at(-1)?.position)
  const bySequence = new Map(places.map((place) => [place.sequence, place.position]))
  const prove = await prepareProofs(tx, [...bySequence.values()], log?.size ?? 0)
  const items = history.items.map((item) => {
    const position = bySequence.get(item.sequenceNumber)
    const inclusionProof = position === undefined ? null : prove(position)
    return { ...item, logPosition: position ?? null, inclusionProof }
  })
  return { ...history, items, log: log && { ...log, knownEvents: places.length, waitingEvents: waiting } }
}

/**
 * In this order: an event that has been read waits now, or else has its place by the next line, and every place that has
 * been read is covered by the checkpoint that is read last. An event that came in between has a place and has not been
 * read, as if the end had been cut off. So all is read anew; what was cut off is still missing then.
 */
async function readWithPlaces(tx: Tx, { keyring, ...name }: HistoryName & { keyring: Keyring }) {
  for (let reads = 1; ; reads++) {
    const history = await readWholeHistory(tx, { ...name, keyring })
    const { waiting } = await countWaiting.one(tx, name)
    const places = await listPlaces.many(tx, name)
    if (places.length <= history.items.length || reads === MOST_READS) return { history, waiting, places }
  }
}

/** The first timestamped checkpoint that covers it all, as it proves the earliest time; else the newest of all. */
async function chooseCheckpoint(tx: Tx, lastPosition: number | undefined) {
  const stamped = lastPosition === undefined ? undefined : await findStampOver.maybeOne(tx, { position: lastPosition })
  if (stamped !== undefined) {
    const { size, note, timestamp, stampedAt } = stamped
    return { size, checkpoint: note, timestamp: timestamp.toString('base64'), stampedAt }
  }
  const { size, note } = await readHead.one(tx, {})
  return note === null ? null : { size, checkpoint: note, timestamp: null, stampedAt: null }
}

/** Reads the tiles of all proofs at once. */
async function prepareProofs(
  tx: Tx,
  positions: number[],
  size: number,
): Promise<(position: number) => string[] | null> {
  const spansOf = (position: number) => (position < size ? proofSpans(position, size) : [])
  const read = await readTiles(tx, positions.flatMap(spansOf).flatMap(tilesOf))
  return (position) =>
    position < size ? spansOf(position).map((span) => hashSpan(span, read).toString('base64')) : null
}
