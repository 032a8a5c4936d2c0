import {
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

export const REQUEST_KINDS = ['signaturerequest', 'sealingrequest'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

export const lockChain = statement({
  name: 'lockChain',
  params: { tenantId: uuid, requestId: uuid },
  row: { lastSequence: integer, lastHash: bytes, lastAt: time },
  sql: `select last_sequence as "lastSequence", last_hash as "lastHash", last_at as "lastAt"
          from event_chain
         where tenant_id = :tenantId and request_id = :requestId
           for update`,
})

/** Events, their bodies, their outbox rows and the chain's new head, in one statement and one round trip. */
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
    lastHash: bytes,
  },
  sql: `with given as (
          select * from unnest(:ids::uuid[], :sequences::int[], :types::text[], :signatoryIds::text[], :salts::bytea[],
                               :bodies::bytea[], :bodyHashes::bytea[], :previousHashes::bytea[], :hashes::bytea[])
            as g (id, sequence, type, signatory_id, salt, body, body_hash, previous_hash, hash)
        ), bodies as (
          insert into event_body (tenant_id, event_id, salt, body)
          select :tenantId::uuid, id, salt, body from given
        ), queued as (
          insert into outbox (tenant_id, id, bucket, created_at)
          select :tenantId::uuid, id, :bucket::smallint, :at::timestamptz from given
        ), head as (
          insert into event_chain (tenant_id, request_id, request_kind, last_sequence, last_hash, last_at)
          values (:tenantId::uuid, :requestId::uuid, :requestKind, :lastSequence, :lastHash, :at::timestamptz)
          on conflict (tenant_id, request_id)
          do update set last_sequence = excluded.last_sequence, last_hash = excluded.last_hash, last_at = excluded.last_at
        )
        insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, signatory_id, department_id,
                           department_path, body_hash, previous_hash, hash)
        select :tenantId::uuid, g.id, :requestId::uuid, :requestKind, g.sequence, g.type, :at::timestamptz,
               nullif(g.signatory_id, '')::uuid, d.id, d.path, g.body_hash, g.previous_hash, g.hash
          from given g
          join department d on d.tenant_id = :tenantId::uuid and d.id = :departmentId::uuid`,
})

/** The department is the one that the request belonged to when it was made. */
export const findHistory = statement({
  name: 'findHistory',
  params: { tenantId: uuid, requestId: uuid },
  row: { requestKind: oneOf(REQUEST_KINDS), departmentId: uuid },
  sql: `select c.request_kind as "requestKind", e.department_id as "departmentId"
          from event_chain c
          join event e on e.tenant_id = c.tenant_id and e.request_id = c.request_id and e.sequence = 1
         where c.tenant_id = :tenantId and c.request_id = :requestId`,
})

export const listHistory = statement({
  name: 'listHistory',
  params: { tenantId: uuid, requestId: uuid, after: integer, limit: integer },
  row: {
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
  sql: `select e.id, e.sequence, e.type, e.at, e.signatory_id as "signatoryId", b.body, b.salt,
               e.body_hash as "bodyHash", e.previous_hash as "previousHash", e.hash
          from event e
          left join event_body b on b.tenant_id = e.tenant_id and b.event_id = e.id
         where e.tenant_id = :tenantId and e.request_id = :requestId and e.sequence > :after
         order by e.sequence
         limit :limit`,
})
