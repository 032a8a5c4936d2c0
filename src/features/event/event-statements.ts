import {
  boolean,
  byteses,
  bytes,
  integer,
  integers,
  json,
  nullable,
  oneOf,
  text,
  texts,
  time,
  uuid,
  uuids,
} from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** What events happen to. A subscription is none of a caller's requests, but what we do to it has a history too. */
export const REQUEST_KINDS = ['signaturerequest', 'sealingrequest', 'subscription'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const lockChain = statement({
  name: 'lockChain',
  params: { tenantId: uuid, requestId: uuid, requestKind: oneOf(REQUEST_KINDS) },
  row: { lastSequence: integer, lastHash: bytes, lastAt: time },
  sql: `select last_sequence as "lastSequence", last_hash as "lastHash", last_at as "lastAt"
          from event_chain
         where tenant_id = :tenantId and request_id = :requestId and request_kind = :requestKind
           for update`,
})

/** Events, their bodies, what waits for webhooks and log, and the chain's new head: one statement, one round trip. */
export const insertEvents = statement({
  name: 'insertEvents',
  params: {
    tenantId: uuid,
    requestId: uuid,
    requestKind: oneOf(REQUEST_KINDS),
    departmentId: uuid,
    bucket: integer,
    ids: uuids,
    sequences: integers,
    types: texts,
    at: time,
    signatoryIds: texts,
    salts: byteses,
    bodies: byteses,
    bodyHashes: byteses,
    previousHashes: byteses,
    hashes: byteses,
    lastSequence: integer,
    firstEvent: uuid,
    lastEvent: uuid,
    lastHash: bytes,
    stampSoon: boolean,
  },
  sql: `with given as (
          select * from unnest(:ids::uuid[], :sequences::int[], :types::text[], :signatoryIds::text[], :salts::bytea[],
                               :bodies::bytea[], :bodyHashes::bytea[], :previousHashes::bytea[], :hashes::bytea[])
            as g (id, sequence, type, signatory_id, salt, body, body_hash, previous_hash, hash)
        ), bodies as (
          insert into event_body (tenant_id, event_id, salt, body)
          select :tenantId::uuid, id, salt, body from given
        ), queued as (
          insert into outbox (tenant_id, id, bucket, created_at, request_id, sequence)
          select :tenantId::uuid, id, :bucket::smallint, :at::timestamptz, :requestId::uuid, sequence from given
        ), unlogged as (
          insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
          select :tenantId::uuid, id, :requestId::uuid, :requestKind, sequence, :at::timestamptz, hash, :stampSoon::boolean
            from given
        ), head as (
          insert into event_chain (tenant_id, request_id, request_kind, department_id, last_sequence, first_event, last_event,
                                   last_hash, last_at)
          values (:tenantId::uuid, :requestId::uuid, :requestKind, :departmentId::uuid, :lastSequence, :firstEvent::uuid, :lastEvent::uuid,
                  :lastHash, :at::timestamptz)
          on conflict (tenant_id, request_id, request_kind)
          do update set department_id = excluded.department_id, last_sequence = excluded.last_sequence, first_event = least(event_chain.first_event, excluded.first_event),
                        last_event = greatest(event_chain.last_event, excluded.last_event),
                        last_hash = excluded.last_hash, last_at = excluded.last_at
        )
        insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, signatory_id, department_id,
                           department_path, body_hash, previous_hash, hash)
        select :tenantId::uuid, g.id, :requestId::uuid, :requestKind, g.sequence, g.type, :at::timestamptz,
               nullif(g.signatory_id, '')::uuid, d.id, d.path, g.body_hash, g.previous_hash, g.hash
          from given g
          join department d on d.tenant_id = :tenantId::uuid and d.id = :departmentId::uuid`,
})

/** The chains of many requests, all in one order, so that two who lock several never wait in a circle. */
export const lockChains = statement({
  name: 'lockChains',
  params: { tenantId: uuid, requestIds: uuids, requestKind: oneOf(REQUEST_KINDS) },
  row: { requestId: uuid, lastSequence: integer, lastHash: bytes, lastAt: time },
  sql: `select request_id as "requestId", last_sequence as "lastSequence", last_hash as "lastHash", last_at as "lastAt"
          from event_chain
         where tenant_id = :tenantId and request_id = any(:requestIds) and request_kind = :requestKind
         order by request_id
           for update`,
})

/** Bytes in hexadecimal: JSON knows none. */
export type EventRow = {
  requestId: string
  departmentId: string
  id: string
  sequence: number
  type: string
  at: Date
  signatoryId: string | null
  salt: string
  body: string
  bodyHash: string
  previousHash: string
  hash: string
  stampSoon: boolean
}

export type HeadRow = {
  requestId: string
  departmentId: string
  lastSequence: number
  firstEvent: string
  lastEvent: string
  lastHash: string
  at: Date
}

/** The same as insertEvents for many requests that have a history already. */
export const insertEventsOfMany = statement({
  name: 'insertEventsOfMany',
  params: {
    tenantId: uuid,
    requestKind: oneOf(REQUEST_KINDS),
    bucket: integer,
    events: json<EventRow[]>(),
    heads: json<HeadRow[]>(),
  },
  // Rows of JSON, not of arrays: the planner knows an array's length and would plan anew each time.
  sql: `with given as (
          select * from jsonb_to_recordset(:events::jsonb)
            as g ("requestId" uuid, "departmentId" uuid, id uuid, sequence int, type text, at timestamptz, "signatoryId" uuid,
                  salt text, body text, "bodyHash" text, "previousHash" text, hash text, "stampSoon" boolean)
        ), bodies as (
          insert into event_body (tenant_id, event_id, salt, body)
          select :tenantId::uuid, id, decode(salt, 'hex'), decode(body, 'hex') from given
        ), queued as (
          insert into outbox (tenant_id, id, bucket, created_at, request_id, sequence)
          select :tenantId::uuid, id, :bucket::smallint, at, "requestId", sequence from given
        ), unlogged as (
          insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
          select :tenantId::uuid, id, "requestId", :requestKind, sequence, at, decode(hash, 'hex'), "stampSoon" from given
        ), head as (
          update event_chain c
             set department_id = h."departmentId", last_sequence = h."lastSequence",
                 first_event = least(c.first_event, h."firstEvent"), last_event = greatest(c.last_event, h."lastEvent"),
                 last_hash = decode(h."lastHash", 'hex'), last_at = h.at
            from jsonb_to_recordset(:heads::jsonb)
              as h ("requestId" uuid, "departmentId" uuid, "lastSequence" int, "firstEvent" uuid, "lastEvent" uuid,
                    "lastHash" text, at timestamptz)
           where c.tenant_id = :tenantId::uuid and c.request_id = h."requestId" and c.request_kind = :requestKind
        )
        insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, signatory_id, department_id,
                           department_path, body_hash, previous_hash, hash)
        select :tenantId::uuid, g.id, g."requestId", :requestKind, g.sequence, g.type, g.at, g."signatoryId", d.id, d.path,
               decode(g."bodyHash", 'hex'), decode(g."previousHash", 'hex'), decode(g.hash, 'hex')
          from given g
          join department d on d.tenant_id = :tenantId::uuid and d.id = g."departmentId"`,
})

export const findHistory = statement({
  name: 'findHistory',
  params: { tenantId: uuid, requestId: uuid, requestKind: oneOf(REQUEST_KINDS) },
  row: { departmentId: uuid },
  sql: `select department_id as "departmentId"
          from event_chain
         where tenant_id = :tenantId and request_id = :requestId and request_kind = :requestKind`,
})

/** A page of events. The chain's first and last id keep every partition out that the history can't lie in. */
export const listHistory = statement({
  name: 'listHistory',
  params: { tenantId: uuid, requestId: uuid, requestKind: oneOf(REQUEST_KINDS), after: integer, limit: integer },
  row: {
    departmentId: uuid,
    id: uuid,
    sequence: integer,
    type: text,
    at: time,
    signatoryId: nullable(uuid),
    body: nullable(bytes),
    salt: nullable(bytes),
    bodyHash: bytes,
    previousHash: bytes,
    hash: bytes,
  },
  sql: `select c.department_id as "departmentId",
               e.id, e.sequence, e.type, e.at, e.signatory_id as "signatoryId", b.body, b.salt,
               e.body_hash as "bodyHash", e.previous_hash as "previousHash", e.hash
          from event_chain c
          join event e on e.tenant_id = :tenantId and e.request_id = :requestId and e.request_kind = :requestKind
                      and e.sequence > :after
                      and e.id between c.first_event and c.last_event
          left join event_body b on b.tenant_id = :tenantId and b.event_id = e.id
         where c.tenant_id = :tenantId and c.request_id = :requestId and c.request_kind = :requestKind
         order by e.sequence
         limit :limit`,
})

/** Events of some types, in the order of each request. A body that was erased is null. */
export const listEventsOfTypes = statement({
  name: 'listEventsOfTypes',
  params: { tenantId: uuid, requestKind: oneOf(REQUEST_KINDS), requestIds: uuids, types: texts },
  row: { requestId: uuid, type: text, body: nullable(bytes) },
  sql: `select e.request_id as "requestId", e.type, b.body
          from event_chain c
          join event e on e.tenant_id = :tenantId and e.request_id = c.request_id and e.request_kind = :requestKind
                      and e.id between c.first_event and c.last_event
          left join event_body b on b.tenant_id = :tenantId and b.event_id = e.id
         where c.tenant_id = :tenantId and c.request_id = any(:requestIds) and c.request_kind = :requestKind
           and e.type = any(:types)
         order by e.request_id, e.sequence`,
})

const history = { tenantId: uuid, requestId: uuid, requestKind: text }

export const deleteBodiesOfRequest = statement({
  name: 'deleteBodiesOfRequest',
  params: history,
  sql: `delete from event_body b using event e
         where b.tenant_id = :tenantId and e.tenant_id = :tenantId and b.event_id = e.id
           and e.request_id = :requestId and e.request_kind = :requestKind`,
})

/** Also what other events of the request tell about them: a text that names them stands nowhere any more. */
export const deleteBodiesOfPeople = statement({
  name: 'deleteBodiesOfPeople',
  params: { ...history, signatoryIds: uuids, words: byteses },
  sql: `delete from event_body b using event e
         where b.tenant_id = :tenantId and e.tenant_id = :tenantId and b.event_id = e.id
           and e.request_id = :requestId and e.request_kind = :requestKind
           and (e.signatory_id = any(:signatoryIds)
                or exists (select from unnest(:words::bytea[]) as given (word) where position(given.word in b.body) > 0))`,
})
