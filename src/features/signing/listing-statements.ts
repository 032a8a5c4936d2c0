// Statements that find a page of requests. None of them costs more as the tables grow: each walks an index in the order
// of the answer, over at most the rows that are skipped and taken.
import { integer, nullable, text, texts, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { status } from './request-statements.ts'

const page = { skip: integer, take: integer }

export const findNewestIds = statement({
  name: 'findNewestRequestIds',
  params: { tenantId: uuid, ...page },
  row: { id: uuid },
  sql: `select id
          from signature_request
         where tenant_id = :tenantId
         order by created_at desc, id desc
        offset :skip limit :take`,
})

export const findIdsByStatus = statement({
  name: 'findRequestIdsByStatus',
  params: { tenantId: uuid, status, ...page },
  row: { id: uuid },
  sql: `select id
          from signature_request
         where tenant_id = :tenantId and status = :status
         order by created_at desc, id desc
        offset :skip limit :take`,
})

/** Merges one newest-first walk for each department and status. */
export const findIdsByDepartment = statement({
  name: 'findRequestIdsByDepartment',
  params: { tenantId: uuid, departmentIds: uuids, statuses: texts, ...page },
  row: { id: uuid },
  sql: `select r.id
          from unnest(:departmentIds::uuid[]) as d (id)
         cross join unnest(:statuses::text[]) as s (status)
         cross join lateral (
               select id, created_at
                 from signature_request
                where tenant_id = :tenantId and department_id = d.id and status = s.status
                order by created_at desc, id desc
                limit :skip::int + :take::int) r
         order by r.created_at desc, r.id desc
        offset :skip limit :take`,
})

/** Undefined filters are null. Ids alone, so that the caller can count them as well. */
const filters = { departmentIds: nullable(uuids), status: nullable(status) }
const FILTERS = `(:departmentIds::uuid[] is null or r.department_id = any(:departmentIds::uuid[]))
             and (:status::text is null or r.status = :status)`

export const findIdsByReference = statement({
  name: 'findRequestIdsByReference',
  params: { tenantId: uuid, externalReference: text, ...filters, most: integer },
  row: { id: uuid },
  sql: `select r.id
          from signature_request r
         where r.tenant_id = :tenantId and r.external_reference = :externalReference
           and ${FILTERS}
         order by r.created_at desc, r.id desc
         limit :most`,
})

/** Walks from one word to the next, so a word that a million requests share costs as much as one that is unique. */
export const listWordsByPrefix = statement({
  name: 'listWordsByPrefix',
  params: { tenantId: uuid, prefix: text, end: text, most: integer },
  row: { word: text },
  sql: `with recursive found as (
          (select word, 1 as number
             from signature_request_word
            where tenant_id = :tenantId and word >= :prefix and word < :end
            order by word
            limit 1)
          union all
          select (select w.word
                    from signature_request_word w
                   where w.tenant_id = :tenantId and w.word > f.word and w.word < :end
                   order by w.word
                   limit 1), f.number + 1
            from found f
           where f.word is not null and f.number < :most
        )
        select word from found where word is not null`,
})

/** How many requests carry each word; beyond `most` they are not counted. */
export const countWords = statement({
  name: 'countWords',
  params: { tenantId: uuid, words: texts, most: integer },
  row: { word: text, amount: integer },
  sql: `select g.word, (select count(c.request_id)::int
                          from (select w.request_id
                                  from signature_request_word w
                                 where w.tenant_id = :tenantId and w.word = g.word
                                 limit :most) c) as amount
          from unnest(:words::text[]) as g (word)`,
})

const CARRIES = `select w.word
                    from signature_request_word w
                   where w.tenant_id = :tenantId and w.created_at = c.created_at and w.request_id = c.request_id`

/**
 * Requests that carry one of `first`, every one of `every` and one of `last`, newest first. Its subqueries end in a limit
 * so that they are answered for each candidate by an index; otherwise a join is made of them, which may read every row.
 */
export const findIdsByWords = statement({
  name: 'findRequestIdsByWords',
  params: {
    tenantId: uuid,
    first: texts,
    every: texts,
    last: texts,
    externalReference: nullable(text),
    ...filters,
    looked: integer,
    most: integer,
  },
  row: { id: uuid },
  sql: `with candidate as materialized (
          select distinct f.created_at, f.request_id
            from unnest(:first::text[]) as g (word)
           cross join lateral (
                 select w.created_at, w.request_id
                   from signature_request_word w
                  where w.tenant_id = :tenantId and w.word = g.word
                  order by w.created_at desc, w.request_id desc
                  limit :looked) f
        )
        select r.id
          from candidate c
         cross join lateral (
               select id, department_id, status, external_reference
                 from signature_request
                where tenant_id = :tenantId and id = c.request_id
                limit 1) r
         where ${FILTERS}
           and (:externalReference::text is null or r.external_reference = :externalReference)
           and (${CARRIES} and w.word = any(:last::text[]) limit 1) is not null
           and (select e.word
                  from unnest(:every::text[]) as e (word)
                 where (${CARRIES} and w.word = e.word limit 1) is null
                 limit 1) is null
         order by c.created_at desc, c.request_id desc
         limit :most`,
})
