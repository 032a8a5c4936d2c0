// What the tests of signature requests share: payloads, departments, and two things that must always hold.
import assert from 'node:assert/strict'
import { FIRST_PREVIOUS_HASH, hashBody, hashLink } from '../src/features/event/event-chain.ts'
import type { Caller, TestService } from './service.ts'
import { makePdf } from './small-pdf.ts'

export const CREATE = '/onestepsigning/signaturerequest'

/** A payload that can be opened as it is. */
export function payload(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    subject: 'Lease of the upper floor',
    status: 'Open',
    signatories: [{ firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' }],
    documents: [{ title: 'Lease', fileName: 'lease.pdf', contentBase64: pdf() }],
    ...changes,
  }
}

export function pdf(text?: string): string {
  return makePdf(text).toString('base64')
}

export async function create(call: Caller, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, json, text } = await call('POST', CREATE, payload(changes))
  assert.equal(status, 202, text)
  return json.id
}

/** Puts a request into a status that no operation leads to yet, its counters with it. */
export async function forceStatus(service: TestService, requestId: string, status: string): Promise<void> {
  await service.database.asOwner(
    `with old as (select tenant_id, department_id, status from signature_request where id = $1 and status <> $2),
          gone as (update request_count c set amount = amount - 1 from old
                    where c.tenant_id = old.tenant_id and c.department_id = old.department_id and c.kind = 'signaturerequest'
                      and c.status = old.status and c.slot = (select min(slot) from request_count x
                            where x.tenant_id = old.tenant_id and x.department_id = old.department_id
                              and x.kind = 'signaturerequest' and x.status = old.status)),
          came as (insert into request_count as c (tenant_id, kind, department_id, status, slot, amount)
                   select tenant_id, 'signaturerequest', department_id, $2, 0, 1 from old
                   on conflict (tenant_id, kind, department_id, status, slot) do update set amount = c.amount + 1)
     update signature_request set status = $2 where id = $1`,
    [requestId, status],
  )
}

type StoredEvent = {
  tenant_id: string
  request_id: string
  request_kind: string
  sequence: number
  type: string
  at: Date
  /** Nothing once it has been erased. */
  salt: Buffer | null
  body: Buffer | null
  body_hash: Buffer
  previous_hash: Buffer
  hash: Buffer
}

/** Every history in the database is whole: hashes, order, head. What the events tell is there too, unless it was erased. */
export async function requireWholeHistories(
  { database }: TestService,
  { mayBeErased = false }: { mayBeErased?: boolean } = {},
): Promise<void> {
  const events = (await database.asOwner(
    `select e.tenant_id, e.request_id, e.request_kind, e.sequence, e.type, e.at, b.salt, b.body, e.body_hash, e.previous_hash, e.hash
       from event e left join event_body b on b.tenant_id = e.tenant_id and b.event_id = e.id
      order by e.tenant_id, e.request_id, e.request_kind, e.sequence`,
  )) as StoredEvent[]
  const heads = await database.asOwner(
    `select tenant_id, request_id, request_kind, last_sequence, last_hash from event_chain`,
  )
  const histories = Map.groupBy(events, (event) => `${event.tenant_id} ${event.request_id} ${event.request_kind}`)
  assert.equal(histories.size, heads.length)
  for (const head of heads) {
    const history = histories.get(
      `${String(head['tenant_id'])} ${String(head['request_id'])} ${String(head['request_kind'])}`,
    )!
    let previousHash: Buffer = FIRST_PREVIOUS_HASH
    for (const [index, event] of history.entries()) {
      assert.equal(event.sequence, index + 1)
      assert.ok(event.previous_hash.equals(previousHash))
      if (event.salt && event.body) assert.ok(event.body_hash.equals(hashBody(event.salt, event.body)))
      else assert.ok(mayBeErased, `event ${event.sequence} of ${event.request_id} tells nothing`)
      previousHash = hashLink({
        previousHash,
        sequence: event.sequence,
        tenantId: event.tenant_id,
        requestId: event.request_id,
        type: event.type,
        at: event.at,
        bodyHash: event.body_hash,
      })
      assert.ok(event.hash.equals(previousHash), `event ${event.sequence} of ${event.request_id}`)
    }
    assert.equal(head['last_sequence'], history.length)
    assert.ok((head['last_hash'] as Buffer).equals(previousHash))
  }
}

/** The counters say what counting the table says. */
export async function requireRightCounts({ database }: TestService): Promise<void> {
  const counted = await database.asOwner(
    `select tenant_id, department_id, status, sum(amount)::int as amount from request_count
      where kind = 'signaturerequest' group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`,
  )
  const there = await database.asOwner(
    `select tenant_id, department_id, status, count(*)::int as amount from signature_request
      group by 1, 2, 3 order by 1, 2, 3`,
  )
  assert.deepEqual(counted, there)
}

export async function typesOfEvents({ database }: TestService, requestId: string): Promise<string[]> {
  const rows = await database.asOwner('select type from event where request_id = $1 order by sequence', [requestId])
  return rows.map((row) => String(row['type']))
}

export async function countLinks({ database }: TestService, requestId: string): Promise<number> {
  const [row] = await database.asOwner(
    `select count(*)::int as links from credential c join signatory s on s.id = c.ref_id
      where c.kind = 'link' and s.request_id = $1`,
    [requestId],
  )
  return Number(row!['links'])
}
