import { requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import type { Actor } from './append-events.ts'
import { makeContinuationToken, readContinuationToken } from './continuation-token.ts'
import { historyNotFound } from './errors.ts'
import { findHistory, listHistory, type RequestKind } from './event-statements.ts'
import { listHeadKeys, signHead } from './history-head.ts'

const USUAL_PAGE_SIZE = 50
const PAGE_OF_WHOLE = 500

export type ReadHistory = {
  caller: Caller
  requestId: string
  pageSize?: number | undefined
  continuationToken?: string | undefined
  keyring: Keyring
}

/** One page of a signature request's history, oldest first, with all that is needed to verify it offline. */
export async function readHistory(
  tx: Tx,
  { caller, requestId, pageSize = USUAL_PAGE_SIZE, continuationToken, keyring }: ReadHistory,
) {
  const history = { tenantId: caller.tenantId, requestId }
  const after = continuationToken === undefined ? 0 : readContinuationToken(keyring, history, continuationToken)
  // One more than asked for tells whether this is the last page.
  const rows = await listHistory.many(tx, { ...history, requestKind: 'signaturerequest', after, limit: pageSize + 1 })
  const found = rows[0] ?? (await findHistory.maybeOne(tx, { ...history, requestKind: 'signaturerequest' }))
  if (found === undefined) throw historyNotFound(requestId, WORDS.signaturerequest)
  await requireReach(tx, caller, found.departmentId)
  const events = rows.slice(0, pageSize)
  const last = events.at(-1)
  const isLastPage = rows.length === events.length
  return {
    ...history,
    items: events.map((event) => represent(event)),
    continuationToken: isLastPage || !last ? null : makeContinuationToken(keyring, history, last.sequence),
    head:
      isLastPage && last
        ? {
            ...signHead(keyring, { ...history, sequence: last.sequence, hash: last.hash }),
            keys: listHeadKeys(keyring),
          }
        : null,
  }
}

export type RequireHistory = { caller: Caller; requestId: string; requestKind?: RequestKind }

/** Passes where there is such a history and the caller may read it. */
export async function requireHistory(tx: Tx, { caller, requestId, requestKind = 'signaturerequest' }: RequireHistory) {
  const found = await findHistory.maybeOne(tx, { tenantId: caller.tenantId, requestId, requestKind })
  if (found === undefined) throw historyNotFound(requestId, WORDS[requestKind])
  await requireReach(tx, caller, found.departmentId)
}

const WORDS = { signaturerequest: 'signature request', sealingrequest: 'sealing request', subscription: 'subscription' }

type HistoryRow = Awaited<ReturnType<typeof listHistory.many>>[number]

function represent({ body, salt, ...event }: HistoryRow) {
  const told = body === null ? undefined : readBody(body)
  return {
    id: event.id,
    sequenceNumber: event.sequence,
    eventType: event.type,
    timestamp: event.at,
    actor: told?.actor ?? null,
    // Beside an erased body nothing vouches for it any more, and it tells of a person.
    signatoryId: body === null ? null : event.signatoryId,
    data: told?.data ?? null,
    erased: body === null,
    hash: event.hash.toString('hex'),
    previousHash: event.previousHash.toString('hex'),
    bodyHash: event.bodyHash.toString('hex'),
    salt: salt?.toString('base64') ?? null,
    body: body?.toString('base64') ?? null,
  }
}

/** Undefined where somebody has put something else in its place: the hash tells, and the rest can still be read. */
function readBody(body: Buffer): { actor: Actor; data: unknown } | undefined {
  try {
    return JSON.parse(body.toString()) as { actor: Actor; data: unknown }
  } catch {
    return undefined
  }
}

export type WholeHistory = {
  tenantId: string
  requestId: string
  requestKind?: RequestKind
  keyring: Keyring
}

/** A request's whole history with its signed head, for the evidence. */
export async function readWholeHistory(
  tx: Tx,
  { tenantId, requestId, requestKind = 'signaturerequest', keyring }: WholeHistory,
) {
  const history = { tenantId, requestId }
  const rows: HistoryRow[] = []
  for (;;) {
    const page = await listHistory.many(tx, { ...history, requestKind, after: rows.length, limit: PAGE_OF_WHOLE })
    rows.push(...page)
    if (page.length < PAGE_OF_WHOLE) break
  }
  const last = rows.at(-1)
  if (last === undefined) throw historyNotFound(requestId, WORDS[requestKind])
  const head = signHead(keyring, { ...history, sequence: last.sequence, hash: last.hash })
  return {
    ...history,
    items: rows.map((row) => represent(row)),
    continuationToken: null,
    head: { ...head, keys: listHeadKeys(keyring) },
  }
}
