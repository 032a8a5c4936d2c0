// A signatory's link is a credential: it is looked up before anything else is known about whoever opens it.
import { json, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const deleteLinksOfRequests = statement({
  name: 'deleteLinksOfRequests',
  params: { tenantId: uuid, requestIds: uuids },
  sql: `delete from credential c
         using signatory s
         where s.tenant_id = :tenantId and s.request_id = any(:requestIds)
           and c.tenant_id = s.tenant_id and c.kind = 'link' and c.ref_id = s.id`,
})

/** Hashes travel in hexadecimal: JSON knows no bytes. */
export const insertLinks = statement({
  name: 'insertLinks',
  params: { tenantId: uuid, links: json<{ signatoryId: string; hash: string }[]>(), expirationAt: time },
  sql: `insert into credential (kind, hash, tenant_id, ref_id, expires_at)
        select 'link', decode(l.hash, 'hex'), :tenantId, l."signatoryId", :expirationAt
          from jsonb_to_recordset(:links::jsonb) as l ("signatoryId" uuid, hash text)
        on conflict (kind, hash) do update set expires_at = excluded.expires_at`,
})
