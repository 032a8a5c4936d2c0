import { integer, json, oneOf, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { REQUEST_KINDS, type EventRow, type HeadRow } from './event-statements.ts'

/** The first events of new requests, their bodies, what waits for webhooks and log, and the chains' heads. */
export const insertBeginnings = statement({
  name: 'insertBeginnings',
  params: {
    tenantId: uuid,
    requestKind: oneOf(REQUEST_KINDS),
    bucket: integer,
    events: json<EventRow[]>(),
    heads: json<HeadRow[]>(),
  },
  // Rows of JSON, not of arrays: the planner knows an array's length and would plan anew each time.
  sql: `with given as (
          select "requestId", "departmentId", id, sequence, type, at, "signatoryId", "stampSoon",
                 decode(salt, 'hex') as salt, decode(body, 'hex') as body, decode("bodyHash", 'hex') as body_hash,
                 decode("previousHash", 'hex') as previous_hash, decode(hash, 'hex') as hash
            from json_to_recordset(:events::json)
              as g ("requestId" uuid, "departmentId" uuid, id uuid, sequence int, type text, at timestamptz, "signatoryId" uuid,
                    "stampSoon" boolean, salt text, body text, "bodyHash" text, "previousHash" text, hash text)
        ), bodies as (
          insert into event_body (tenant_id, event_id, salt, body)
          select :tenantId::uuid, id, salt, body from given
        ), queued as (
          insert into outbox (tenant_id, id, bucket, created_at, request_id, sequence)
          select :tenantId::uuid, id, :bucket::smallint, at, "requestId", sequence from given
        ), unlogged as (
          insert into log_queue (tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon)
          select :tenantId::uuid, id, "requestId", :requestKind, sequence, at, hash, "stampSoon" from given
        ), head as (
          insert into event_chain (tenant_id, request_id, request_kind, department_id, last_sequence, first_event,
                                   last_event, last_hash, last_at)
          select :tenantId::uuid, h."requestId", :requestKind, h."departmentId", h."lastSequence", h."firstEvent",
                 h."lastEvent", decode(h."lastHash", 'hex'), h.at
            from json_to_recordset(:heads::json)
              as h ("requestId" uuid, "departmentId" uuid, "lastSequence" int, "firstEvent" uuid, "lastEvent" uuid,
                    "lastHash" text, at timestamptz)
        )
        insert into event (tenant_id, id, request_id, request_kind, sequence, type, at, signatory_id, department_id,
                           department_path, body_hash, previous_hash, hash)
        select :tenantId::uuid, g.id, g."requestId", :requestKind, g.sequence, g.type, g.at, g."signatoryId", d.id, d.path,
               g.body_hash, g.previous_hash, g.hash
          from given g
          join department d on d.tenant_id = :tenantId::uuid and d.id = g."departmentId"`,
})
