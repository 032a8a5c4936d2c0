// The second half of an audit: every event against its place. The hash is computed anew from the row, so that whatever of
// it was changed, moved or removed shows; and every place must have its event, every event its place.
import { hashBody, hashLink } from '#features/event/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import {
  listAuditedEvents,
  listAuditedTenants,
  listEventsAfter,
  listPlacesAfter,
  listUnlogged,
} from './audit-statements.ts'
import { HASH_BYTES, hashLeaf, TILE_WIDTH } from './merkle-tree.ts'
import { readTiles } from './read-tiles.ts'

export type AuditEvents = {
  db: Database
  size: number
  signal: AbortSignal | undefined
  report: (problem: string) => void
  onPlaces: (count: number, total: number) => void
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Reports every event that is not what was logged, and answers with the number of those that are. */
export async function auditEvents({ db, size, signal, report, onPlaces }: AuditEvents): Promise<number> {
  const tenants = await db.systemTransaction((tx) => listAuditedTenants.many(tx, {}))
  let places = 0
  let intact = 0
  for (const { id: tenantId } of tenants) {
    for await (const page of readPlaces(db, tenantId, size)) {
      signal?.throwIfAborted()
      places += page.length
      onPlaces(page.length, size)
      intact += page.filter((place) => isIntact(tenantId, place, report)).length
    }
    await findUnlogged(db, { tenantId, signal, report })
  }
  if (places !== size) report(`The log has ${size} places; ${places} are known: events have been taken out of it.`)
  return intact
}

type Row = Awaited<ReturnType<typeof listPlacesAfter.many>>[number]
type Event = Awaited<ReturnType<typeof listAuditedEvents.many>>[number]
type Place = Row & { event: Event | undefined; leaf: Buffer | undefined }

async function* readPlaces(db: Database, tenantId: string, size: number): AsyncGenerator<Place[]> {
  for (let after = -1; ;) {
    const page = await db.transaction(tenantId, async (tx) => {
      const rows = await listPlacesAfter.many(tx, { tenantId, after, size })
      const events = await findEvents(tx, tenantId, rows)
      const nameOf = ({ position }: Row) => ({ level: 0, number: Math.floor(position / TILE_WIDTH) })
      const read = await readTiles(tx, rows.map(nameOf))
      return rows.map((row) => ({
        ...row,
        event: events.get(row.eventId),
        leaf: leafIn(read(nameOf(row)), row.position),
      }))
    })
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.position
  }
}

async function findEvents(tx: Tx, tenantId: string, rows: readonly Row[]): Promise<Map<string, Event>> {
  const events = await listAuditedEvents.many(tx, { tenantId, ids: rows.map(({ eventId }) => eventId) })
  return new Map(events.map((event) => [event.id, event]))
}

function leafIn(tile: Buffer, position: number): Buffer | undefined {
  const start = (position % TILE_WIDTH) * HASH_BYTES
  return tile.subarray(start, start + HASH_BYTES)
}

function isIntact(tenantId: string, place: Place, report: AuditEvents['report']): boolean {
  const problem = findProblem(tenantId, place)
  if (problem !== undefined) report(`Place ${place.position}: event ${place.eventId} ${problem}.`)
  return problem === undefined
}

function findProblem(tenantId: string, { event, leaf, ...place }: Place): string | undefined {
  if (event === undefined) return 'has been removed'
  const { requestId, requestKind, sequence, salt, body, bodyHash } = event
  if (requestId !== place.requestId || requestKind !== place.requestKind || sequence !== place.sequence)
    return 'has been moved'
  if (salt !== null && body !== null && !hashBody(salt, body).equals(bodyHash)) return 'tells something else'
  return hashLeaf(hashLink({ ...event, tenantId })).equals(leaf!) ? undefined : 'has been changed'
}

async function findUnlogged(
  db: Database,
  { tenantId, signal, report }: { tenantId: string } & Pick<AuditEvents, 'signal' | 'report'>,
): Promise<void> {
  for (let after = BEFORE_ALL; ;) {
    signal?.throwIfAborted()
    const last = await db.transaction(tenantId, async (tx) => {
      const page = await listEventsAfter.many(tx, { tenantId, after })
      const unlogged = await listUnlogged.many(tx, {
        tenantId,
        ids: page.map(({ id }) => id),
        requestIds: page.map(({ requestId }) => requestId),
        requestKinds: page.map(({ requestKind }) => requestKind),
        sequences: page.map(({ sequence }) => sequence),
      })
      for (const { id } of unlogged) report(`Event ${id} is not in the log, and does not wait for it.`)
      return page.at(-1)?.id
    })
    if (last === undefined) return
    after = last
  }
}
