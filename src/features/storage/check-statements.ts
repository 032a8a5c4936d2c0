import { bytes, count, integer, nullable, oneOf, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** Other bytes than were stored; none at all; a store that works otherwise does not hand them out. */
export const PROBLEMS = ['damaged', 'missing', 'unreadable'] as const

export const findRound = statement({
  name: 'findCheckRound',
  params: { tenantId: uuid },
  row: { beganAt: time, position: bytes },
  sql: `select began_at as "beganAt", position from content_check where tenant_id = :tenantId`,
})

export const beginRound = statement({
  name: 'beginCheckRound',
  params: { tenantId: uuid, beganAt: time, position: bytes },
  sql: `insert into content_check (tenant_id, began_at, position) values (:tenantId, :beganAt, :position)
        on conflict (tenant_id) do update set began_at = excluded.began_at, position = excluded.position`,
})

/** Of two who read the same, one moves on. */
export const moveRound = statement({
  name: 'moveCheckRound',
  params: { tenantId: uuid, fromBeganAt: time, from: bytes, beganAt: time, position: bytes },
  sql: `update content_check set began_at = :beganAt, position = :position
         where tenant_id = :tenantId and began_at = :fromBeganAt and position = :from`,
})

export const listContentsBetween = statement({
  name: 'listContentsBetween',
  params: { tenantId: uuid, after: bytes, upTo: bytes, take: integer },
  row: { sha256: bytes, sizeBytes: count },
  sql: `select sha256, min(size_bytes) as "sizeBytes"
          from stored_document
         where tenant_id = :tenantId and sha256 > :after and sha256 <= :upTo
         group by sha256
         order by sha256
         limit :take`,
})

export const countDamaged = statement({
  name: 'countDamagedContents',
  params: { tenantId: uuid },
  row: { amount: count },
  sql: `select count(*) as amount from damaged_content where tenant_id = :tenantId`,
})

/** The first time counts: so long it has been. */
export const keepDamaged = statement({
  name: 'keepDamagedContent',
  params: { tenantId: uuid, sha256: bytes, problem: oneOf(PROBLEMS), now: time },
  sql: `insert into damaged_content as d (tenant_id, sha256, problem, found_at)
        values (:tenantId, :sha256, :problem, :now)
        on conflict (tenant_id, sha256) do update set problem = excluded.problem where d.problem <> excluded.problem`,
})

export const deleteDamaged = statement({
  name: 'deleteDamagedContent',
  params: { tenantId: uuid, sha256: bytes },
  sql: `delete from damaged_content where tenant_id = :tenantId and sha256 = :sha256`,
})

/** Without a size, no document has it any more. */
export const listDamaged = statement({
  name: 'listDamagedContents',
  params: { tenantId: uuid, after: bytes, take: integer },
  row: { sha256: bytes, sizeBytes: nullable(count) },
  sql: `select d.sha256, (select min(s.size_bytes) from stored_document s
                           where s.tenant_id = :tenantId and s.sha256 = d.sha256) as "sizeBytes"
          from damaged_content d
         where d.tenant_id = :tenantId and d.sha256 > :after
         order by d.sha256
         limit :take`,
})

/** How many are to be told, and the first of them. */
export const summariseDamaged = statement({
  name: 'summariseDamagedContents',
  params: { tenantId: uuid, unreadableBefore: time },
  row: { amount: count, sha256: bytes, problem: oneOf(PROBLEMS), foundAt: time },
  sql: `select count(*) over () as amount, sha256, problem, found_at as "foundAt"
          from damaged_content
         where tenant_id = :tenantId and (problem <> 'unreadable' or found_at <= :unreadableBefore)
         order by found_at, sha256
         limit 1`,
})
