// The log's own tables. The sequencer alone writes to them; everybody may read.
import { boolean, bytes, byteses, count, integer, integers, nullable, text, time } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const HEAD = 'origin, size, note, stamp_soon as "stampSoon"'
const headRow = { origin: text, size: count, note: nullable(text), stampSoon: boolean }

/** Whoever holds it appends, and nobody else. */
export const lockHead = statement({
  name: 'lockHead',
  isGlobal: true,
  params: {},
  row: headRow,
  sql: `select ${HEAD} from log_head for update`,
})

export const readHead = statement({
  name: 'readHead',
  isGlobal: true,
  params: {},
  row: headRow,
  sql: `select ${HEAD} from log_head`,
})

/**
 * Gives waiting events their places and answers with their hashes in that order, which keeps each request's own. They
 * come as one value, since two thousand rows cost more to read than to hash. The limit is written out: with a parameter
 * the planner would expect a tenth of the table.
 */
export const placeWaiting = statement({
  name: 'placeWaiting',
  spansTenants: true,
  params: { size: count },
  row: { hashes: nullable(bytes), stampSoon: nullable(boolean) },
  sql: `with taken as (
          delete from log_queue
           where ctid = any(array(select ctid from log_queue order by at, request_id, sequence limit 2000))
          returning tenant_id, event_id, request_id, request_kind, sequence, at, hash, stamp_soon
        ), placed as (
          insert into log_entry (tenant_id, position, event_id, request_id, request_kind, sequence)
          select tenant_id, :size::bigint - 1 + row_number() over (order by at, request_id, sequence), event_id,
                 request_id, request_kind, sequence
            from taken
        )
        select string_agg(hash, ''::bytea order by at, request_id, sequence) as hashes, bool_or(stamp_soon) as "stampSoon"
          from taken`,
})

/** A full tile never changes again; one that is not only grows. */
export const saveTiles = statement({
  name: 'saveTiles',
  isGlobal: true,
  params: { levels: integers, numbers: integers, hashes: byteses },
  sql: `insert into log_tile as t (level, number, hashes)
        select * from unnest(:levels::smallint[], :numbers::bigint[], :hashes::bytea[])
        on conflict (level, number) do update set hashes = excluded.hashes
         where substring(excluded.hashes for length(t.hashes)) = t.hashes`,
})

export const setHead = statement({
  name: 'setHead',
  isGlobal: true,
  params: { before: count, size: count, note: text, stampSoon: boolean, now: time },
  sql: `update log_head
           set size = :size, note = :note, signed_at = :now, stamp_soon = stamp_soon or :stampSoon::boolean
         where size = :before`,
})

export const listTiles = statement({
  name: 'listTiles',
  isGlobal: true,
  params: { levels: integers, numbers: integers },
  row: { level: integer, number: count, hashes: bytes },
  sql: `select t.level, t.number, t.hashes
          from unnest(:levels::smallint[], :numbers::bigint[]) as wanted (level, number)
          join log_tile t on t.level = wanted.level and t.number = wanted.number`,
})

export const findLatestStamp = statement({
  name: 'findLatestStamp',
  isGlobal: true,
  params: {},
  row: { size: count, stampedAt: time },
  sql: `select size, stamped_at as "stampedAt" from log_checkpoint order by size desc limit 1`,
})

export const insertCheckpoint = statement({
  name: 'insertCheckpoint',
  isGlobal: true,
  params: { size: count, note: text, timestamp: bytes, now: time },
  sql: `insert into log_checkpoint (size, note, timestamp, stamped_at) values (:size, :note, :timestamp, :now)
        on conflict (size) do nothing`,
})

/** What was asked for is done, unless the log has grown meanwhile: then it may have been asked for again. */
export const endStampSoon = statement({
  name: 'endStampSoon',
  isGlobal: true,
  params: { size: count },
  sql: `update log_head set stamp_soon = false where size = :size`,
})

/** The first stamped checkpoint that covers a position: it proves the earliest time. */
export const findStampOver = statement({
  name: 'findStampOver',
  isGlobal: true,
  params: { position: count },
  row: { size: count, note: text, timestamp: bytes, stampedAt: time },
  sql: `select size, note, timestamp, stamped_at as "stampedAt"
          from log_checkpoint where size > :position order by size limit 1`,
})
