import type { Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import type { Actor } from './append-events.ts'
import { feedCursorAhead } from './errors.ts'
import { isSubscribable } from './event-kinds.ts'
import { makeFeedCursor, readFeedCursor } from './feed-cursor.ts'
import { findFeedHead, listFeed } from './feed-statements.ts'
import { describePayload } from './payload.ts'

const USUAL_PAGE_SIZE = 50
/** Whoever reaches few of a large tenant's events gets short pages, not slow ones. */
const LOOKED_THROUGH_AT_MOST = 5_000
/** Instead of a cursor: the end of the feed as it is now. */
export const NOW = 'now'

export type ReadFeed = {
  caller: Caller
  after?: string | undefined
  pageSize?: number | undefined
  keyring: Keyring
}

/** A page of everything within the caller's reach, in the order in which it was handed out, from the beginning. */
export async function readFeed(tx: Tx, { caller, after, pageSize, keyring }: ReadFeed) {
  const { tenantId } = caller
  const start = await findFeedStart(tx, { tenantId, after, keyring })
  const { events, position, hasMore } = await readFeedFrom(tx, { caller, position: start, pageSize })
  return {
    items: events.map((event) => representFeedEvent(tenantId, event)),
    cursor: makeFeedCursor(keyring, { tenantId, position }),
    hasMore,
  }
}

type FeedStart = { tenantId: string; after: string | undefined; keyring: Keyring }

/** The position that a reader goes on from: the beginning where it has none yet. */
export async function findFeedStart(tx: Tx, { tenantId, after, keyring }: FeedStart): Promise<number> {
  if (after === undefined) return 0
  if (after === NOW) return (await findFeedHead.maybeOne(tx, { tenantId }))?.lastPosition ?? 0
  return readFeedCursor(keyring, tenantId, after)
}

type ReadFeedFrom = { caller: Caller; position: number; pageSize?: number | undefined }

/** The next events after a position, and the position up to which there is nothing else within reach. */
export async function readFeedFrom(tx: Tx, { caller, position, pageSize = USUAL_PAGE_SIZE }: ReadFeedFrom) {
  const { tenantId, departmentId: above, isTenantWide } = caller
  const last = (await findFeedHead.maybeOne(tx, { tenantId }))?.lastPosition ?? 0
  if (position > last) throw feedCursorAhead()
  const until = Math.min(last, position + LOOKED_THROUGH_AT_MOST)
  const events =
    until === position
      ? []
      : await listFeed.many(tx, { tenantId, after: position, until, above, isTenantWide, limit: pageSize })
  const reached = events.length === pageSize ? events.at(-1)!.position : until
  return { events, position: reached, hasMore: reached < last }
}

export type FeedEvent = Awaited<ReturnType<typeof listFeed.many>>[number]

/** An event as the feed tells it, with the payload that a webhook would carry. */
export function representFeedEvent(tenantId: string, { body, position: _position, ...event }: FeedEvent) {
  const told = body === null ? undefined : (JSON.parse(body.toString()) as { actor: Actor; data: Data })
  const { type } = event
  return {
    id: event.id,
    eventType: type,
    timestamp: event.at,
    requestKind: event.requestKind,
    requestId: event.requestId,
    sequenceNumber: event.sequence,
    departmentId: event.departmentId,
    signatoryId: event.signatoryId,
    actor: told?.actor ?? null,
    data: told?.data ?? null,
    erased: told === undefined,
    payload: isSubscribable(type) ? describePayload({ ...event, type, tenantId, data: told?.data ?? {} }) : null,
  }
}

type Data = Record<string, unknown>
