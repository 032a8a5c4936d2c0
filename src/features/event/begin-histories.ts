// New requests that are written together begin their histories together.
import type { Tx } from '#platform/db/database.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { beginningAt, linkAll, type NewEvent, type Subject } from './append-events.ts'
import { insertBeginnings, type BeginningRow, type FirstHeadRow } from './beginning-statements.ts'

export type Beginning = { subject: Subject; events: NewEvent[]; now: Date }

/** Writes the first events of new requests, all of one tenant and one kind. Their ids are new, so they have no history. */
export function beginHistories(tx: Tx, beginnings: readonly Beginning[]): void {
  const { tenantId, requestKind } = beginnings[0]!.subject
  const begun = beginnings.map(({ subject, events, now }) => ({
    subject,
    links: linkAll(subject, beginningAt(now), events, now),
  }))
  const inserted = insertBeginnings.run(tx, {
    tenantId,
    requestKind,
    bucket: bucketOf(tenantId),
    events: begun.flatMap(({ subject, links }) => links.map((link) => eventRow(subject, link))),
    heads: begun.map(({ subject, links }) => headRow(subject, links)),
  })
  tx.withoutWaiting(inserted)
  tx.wakeWorkers() // Webhooks wait for events.
}

type Link = ReturnType<typeof linkAll>[number]

function eventRow({ requestId, departmentId }: Subject, { id, sequence, type, at, ...link }: Link): BeginningRow {
  return {
    requestId,
    departmentId,
    id,
    sequence,
    type,
    at,
    salt: link.salt.toString('hex'),
    body: link.body.toString('hex'),
    bodyHash: link.bodyHash.toString('hex'),
    previousHash: link.previousHash.toString('hex'),
    hash: link.hash.toString('hex'),
  }
}

function headRow({ requestId, departmentId }: Subject, links: readonly Link[]): FirstHeadRow {
  const { sequence: lastSequence, hash, at } = links.at(-1)!
  // Ids of one process rise, so the first event has the smallest.
  const [firstEvent, lastEvent] = [links[0]!.id, links.at(-1)!.id]
  return { requestId, departmentId, lastSequence, firstEvent, lastEvent, lastHash: hash.toString('hex'), at }
}
