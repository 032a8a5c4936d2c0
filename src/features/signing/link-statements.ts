// A signatory's link is a credential: it is looked up before anything else is known about whoever opens it.
import { NOT_STOPPED } from '#platform/auth/auth-statements.ts'
import { boolean, bytes, integer, json, oneOf, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

/** The links open nothing from now on; they are kept so that whoever comes with one hears what became of the request. */
export const endLinks = statement({
  name: 'endLinks',
  params: { tenantId: uuid, requestIds: uuids, keepUntil: time },
  sql: `update credential c set kind = 'endedlink', expires_at = :keepUntil
          from signatory s
         where s.tenant_id = :tenantId and s.request_id = any(:requestIds)
           and c.tenant_id = s.tenant_id and c.kind = 'link' and c.ref_id = s.id`,
})

export const endLinksOfSignatory = statement({
  name: 'endLinksOfSignatory',
  params: { tenantId: uuid, signatoryId: uuid, keepUntil: time },
  sql: `update credential set kind = 'endedlink', expires_at = :keepUntil
         where tenant_id = :tenantId and kind = 'link' and ref_id = :signatoryId`,
})

/** Whose link it is or was, whatever has become of it. */
export const findLink = statement({
  name: 'findLink',
  isGlobal: true,
  params: { hash: bytes, now: time },
  row: { tenantId: uuid, signatoryId: uuid, isAlive: boolean },
  sql: `select tenant_id as "tenantId", ref_id as "signatoryId",
               (kind = 'link' or (kind = 'copylink' and expires_at > :now)) and ${NOT_STOPPED} as "isAlive"
          from credential
         where kind in ('link', 'endedlink', 'copylink') and hash = :hash`,
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

/** Links to copies: they let nobody sign, because by then there is nothing left to sign. */
export const insertCopyLinks = statement({
  name: 'insertCopyLinks',
  params: { tenantId: uuid, links: json<{ signatoryId: string; hash: string }[]>(), expiresAt: time },
  sql: `insert into credential (kind, hash, tenant_id, ref_id, expires_at)
        select 'copylink', decode(l.hash, 'hex'), :tenantId, l."signatoryId", :expiresAt
          from jsonb_to_recordset(:links::jsonb) as l ("signatoryId" uuid, hash text)
        on conflict (kind, hash) do nothing`,
})

/** Everybody who can come by a link now, in the order of their ids. */
export const listLiveLinks = statement({
  name: 'listLiveLinks',
  params: { tenantId: uuid, after: uuid, most: integer },
  row: { signatoryId: uuid, generation: integer, expiresAt: time },
  sql: `select s.id as "signatoryId", s.link_generation as generation, max(c.expires_at) as "expiresAt"
          from signatory s
          join signature_request r on r.tenant_id = s.tenant_id and r.id = s.request_id and r.status = 'Open'
          join credential c on c.tenant_id = s.tenant_id and c.kind = 'link' and c.ref_id = s.id
         where s.tenant_id = :tenantId and s.id > :after
         group by s.id, s.link_generation
         order by s.id
         limit :most`,
})

/** Everybody who can come by a link to a copy now, in the order of their ids. */
export const listLiveCopyLinks = statement({
  name: 'listLiveCopyLinks',
  params: { tenantId: uuid, after: uuid, now: time, most: integer },
  row: { signatoryId: uuid, expiresAt: time },
  sql: `select ref_id as "signatoryId", max(expires_at) as "expiresAt"
          from credential
         where tenant_id = :tenantId and kind = 'copylink' and ref_id > :after and expires_at > :now
         group by ref_id
         order by ref_id
         limit :most`,
})

/** More links for the same people; those that are known already stay as they are. */
export const addLinks = statement({
  name: 'addLinks',
  params: {
    tenantId: uuid,
    kind: oneOf(['link', 'copylink']),
    links: json<{ signatoryId: string; hash: string; expiresAt: string }[]>(),
  },
  sql: `insert into credential (kind, hash, tenant_id, ref_id, expires_at)
        select :kind::text, decode(l.hash, 'hex'), :tenantId, l."signatoryId", l."expiresAt"
          from jsonb_to_recordset(:links::jsonb) as l ("signatoryId" uuid, hash text, "expiresAt" timestamptz)
        on conflict (kind, hash) do nothing`,
})
