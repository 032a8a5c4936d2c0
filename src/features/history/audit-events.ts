// The second half of an audit: every event against its place. The hash is computed anew from the row, so that whatever of
// it was changed, moved or removed shows; and every place must have its event, every event its place.
import { hashBody, hashLink } from '#features/event/index.ts'
import type { Database } from '#platform/db/database.ts'
import { listAuditedTenants, listKnownEvents, listPlacedEvents } from './audit-statements.ts'
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

type Row = Awaited<ReturnType<typeof listPlacedEvents.many>>[number]
type Place = Row & { leaf: Buffer | undefined }

async function* readPlaces(db: Database, tenantId: string, size: number): AsyncGenerator<Place[]> {
  for (let after = -1; ;) {
    const page = await db.transaction(tenantId, async (tx) => {
      const rows = await listPlacedEvents.many(tx, { tenantId, after, size })
      const nameOf = ({ position }: Row) => ({ level: 0, number: Math.floor(position / TILE_WIDTH) })
      const read = await readTiles(tx, rows.map(nameOf))
      return rows.map((row) => ({ ...row, leaf: leafIn(read(nameOf(row)), row.position) }))
    })
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.position
  }
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

function findProblem(tenantId: string, place: Place): string | undefined {
  const { isSame, requestId, sequence, type, at, bodyHash, previousHash, salt, body, leaf } = place
  if (requestId === null) return 'has been removed'
  if (isSame !== true) return 'has been moved'
  if (salt !== null && body !== null && !hashBody(salt, body).equals(bodyHash!)) return 'tells something else'
  const link = {
    tenantId,
    requestId,
    sequence: sequence!,
    type: type!,
    at: at!,
    bodyHash: bodyHash!,
    previousHash: previousHash!,
  }
  return hashLeaf(hashLink(link)).equals(leaf!) ? undefined : 'has been changed'
}

async function findUnlogged(
  db: Database,
  { tenantId, signal, report }: { tenantId: string } & Pick<AuditEvents, 'signal' | 'report'>,
): Promise<void> {
  for (let after = BEFORE_ALL; ;) {
    signal?.throwIfAborted()
    const page = await db.transaction(tenantId, (tx) => listKnownEvents.many(tx, { tenantId, after }))
    if (page.length === 0) return
    for (const { id, isKnown } of page) if (!isKnown) report(`Event ${id} is not in the log, and does not wait for it.`)
    after = page.at(-1)!.id
  }
}
