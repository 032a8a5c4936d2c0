import { HistoryEvent, HistoryPage } from '#features/event/index.ts'
import { DateTime, Int32, Named, Nullable, Type } from '#platform/http/schema.ts'

const Count = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })
const LONGEST_PART = 10

export const CheckpointText = Type.String({ description: 'A signed note: name, size and root of the log.' })
export const KeyLines = Type.String({ description: 'One key a line, as verifiers of signed notes write it down.' })
export const TileBytes = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

const Part = () => Type.String({ maxLength: LONGEST_PART, description: 'A part of the tile’s number or width.' })
const Level = Type.String({ maxLength: 1, description: 'Level of the tile, from 0.' })

/** A number has one to three parts, and the width of a tile that is not full comes after them. */
export const TILE_PATHS = [
  { url: ':a', params: Type.Object({ level: Level, a: Part() }) },
  { url: ':a/:b', params: Type.Object({ level: Level, a: Part(), b: Part() }) },
  { url: ':a/:b/:c', params: Type.Object({ level: Level, a: Part(), b: Part(), c: Part() }) },
  { url: ':a/:b/:c/:d', params: Type.Object({ level: Level, a: Part(), b: Part(), c: Part(), d: Part() }) },
]

const ProvedEvent = Named('ProvedEvent', {
  ...HistoryEvent.properties,
  logPosition: Nullable(Count('Its place in the log, from 0; null while it waits for one.')),
  inclusionProof: Nullable(
    Type.Array(Type.String(), { description: 'RFC 6962 2.1.1: hashes in Base64, beginning beside the leaf.' }),
  ),
})

const LogProof = Type.Object({
  size: Count('How many events the checkpoint covers.'),
  checkpoint: CheckpointText,
  timestamp: Nullable(Type.String({ description: 'Token of RFC 3161 over the checkpoint, in Base64.' })),
  stampedAt: Nullable(DateTime()),
  knownEvents: Int32(),
  waitingEvents: Int32(),
})

export const HistoryProof = Named('HistoryProof', {
  ...HistoryPage.properties,
  items: Type.Array(ProvedEvent),
  log: Nullable(LogProof),
})

export const HistoryVerification = Named('HistoryVerification', {
  isIntact: Type.Boolean(),
  problem: Nullable(Type.String({ description: 'What is wrong, where it is not intact.' })),
  eventCount: Nullable(Int32()),
  erasedCount: Nullable(Int32()),
  loggedCount: Nullable(Int32()),
  logSize: Nullable(Count('How many events the checkpoint covers.')),
  stampedAt: Nullable(DateTime()),
  stampedBy: Nullable(Type.String({ description: 'Name of the timestamp authority.' })),
})
