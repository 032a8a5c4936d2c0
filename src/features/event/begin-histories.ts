// New requests that are written together begin their histories together.
import type { Tx } from '#platform/db/database.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import { beginningAt, eventRow, headRow, linkAll, type NewEvent, type Subject } from './append-events.ts'
import { insertBeginnings } from './beginning-statements.ts'

export type Beginning = { subject: Subject; events: NewEvent[]; now: Date }

/** Writes the first events of new requests, all of one tenant and one kind. Their ids are new, so they have no history. */
export function beginHistories(tx: Tx, beginnings: readonly Beginning[]): void {
  const { tenantId, requestKind } = beginnings[0]!.subject
  const begun = beginnings.map(({ subject, events, now }) => ({
    name: { requestId: subject.requestId, departmentId: subject.departmentId },
    links: linkAll(subject, beginningAt(now), events, now),
    now,
  }))
  const inserted = insertBeginnings.run(tx, {
    tenantId,
    requestKind,
    bucket: bucketOf(tenantId),
    events: begun.flatMap(({ name, links }) => links.map((link) => eventRow(name, link))),
    heads: begun.map(({ name, links, now }) => headRow(name, links, now)),
  })
  tx.withoutWaiting(inserted)
  tx.tellOfEvents()
}
