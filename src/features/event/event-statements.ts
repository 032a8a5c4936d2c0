import {
  boolean,
  byteses,
  bytes,
  integer,
  integers,
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
