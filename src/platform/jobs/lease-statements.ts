// Leases run on the database's own clock, so that workers on machines with different clocks agree on who holds what.
import { count, integer, integers, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const renewLeases = statement({
  name: 'renewLeases',
  isGlobal: true,
  params: { owner: uuid },
  row: { bucket: integer, generation: count },
  sql: `update bucket_lease set expires_at = now() + interval '10 seconds'
         where owner = :owner and expires_at > now()
        returning bucket, generation`,
})

export const noteWorker = statement({
  name: 'noteWorker',
  isGlobal: true,
  params: { owner: uuid },
  sql: `insert into worker (id, seen_at) values (:owner, now()) on conflict (id) do update set seen_at = now()`,
})

export const countWorkers = statement({
  name: 'countWorkers',
  isGlobal: true,
  params: {},
  row: { alive: count },
  sql: `select count(*) as alive from worker where seen_at > now() - interval '10 seconds'`,
})

export const forgetWorkers = statement({
  name: 'forgetWorkers',
  isGlobal: true,
  params: { owner: uuid },
  sql: `delete from worker where id = :owner or seen_at < now() - interval '1 hour'`,
})

export const takeLeases = statement({
  name: 'takeLeases',
  isGlobal: true,
  params: { owner: uuid, most: integer },
  row: { bucket: integer, generation: count },
  sql: `update bucket_lease
           set owner = :owner, generation = generation + 1, expires_at = now() + interval '10 seconds'
         where bucket in (select bucket from bucket_lease where expires_at <= now() order by random() limit :most for update skip locked)
        returning bucket, generation`,
})

export const releaseLeases = statement({
  name: 'releaseLeases',
  isGlobal: true,
  params: { owner: uuid, buckets: integers },
  sql: `update bucket_lease set owner = null, expires_at = '-infinity' where owner = :owner and bucket = any(:buckets::int[])`,
})

export const releaseAllLeases = statement({
  name: 'releaseAllLeases',
  isGlobal: true,
  params: {},
  sql: `update bucket_lease set owner = null, expires_at = '-infinity' where owner is not null`,
})

export const forgetAllWorkers = statement({
  name: 'forgetAllWorkers',
  isGlobal: true,
  params: {},
  sql: `delete from worker`,
})
