import { text, time } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** The first time counts: a trouble lasts until it is over. */
export const insertTrouble = statement({
  name: 'insertTrouble',
  isGlobal: true,
  params: { name: text, detail: text, now: time },
  sql: `insert into trouble as t (name, detail, since) values (:name, :detail, :now)
        on conflict (name) do update set detail = excluded.detail where t.detail <> excluded.detail`,
})

export const deleteTrouble = statement({
  name: 'deleteTrouble',
  isGlobal: true,
  params: { name: text },
  sql: `delete from trouble where name = :name`,
})

export const listTroubles = statement({
  name: 'listTroubles',
  isGlobal: true,
  params: {},
  row: { name: text, detail: text, since: time },
  sql: `select name, detail, since from trouble order by name limit 100`,
})
