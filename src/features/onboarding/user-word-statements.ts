// The words by which people are found. No trigger keeps them: it would not run on a database that is spread over machines.
import { uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** People are found by the words of their names and addresses as they are now; those who were deleted by none. */
export const keepUserWords = statement({
  name: 'keepUserWords',
  params: { tenantId: uuid, userIds: uuids },
  sql: `with said as (
          select u.id, word
            from app_user u, words_of(concat_ws(' ', u.first_name, u.last_name, u.email)) as word
           where u.tenant_id = :tenantId and u.id = any(:userIds) and u.kind = 'person' and u.deleted_at is null
        ), gone as (
          delete from app_user_word w
           where w.tenant_id = :tenantId and w.user_id = any(:userIds)
             and not exists (select from said s where s.id = w.user_id and s.word = w.word)
        )
        insert into app_user_word (tenant_id, word, user_id)
        select :tenantId, s.word, s.id from said s
            on conflict do nothing`,
})
