import { bytes, count, integer, nullable, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const insertAuthority = statement({
  name: 'publishAuthority',
  isGlobal: true,
  params: { keyId: bytes, tenantId: nullable(uuid), certificate: bytes, crl: bytes, nextUpdate: time },
  sql: `insert into published_authority (key_id, tenant_id, certificate, crl, crl_number, crl_next_update)
        values (:keyId, :tenantId, :certificate, :crl, 1, :nextUpdate)
        on conflict (key_id) do nothing`,
})

/** The number that the next list gets. The row stays locked, so numbers and lists rise together. */
export const lockAuthority = statement({
  name: 'lockPublishedAuthority',
  isGlobal: true,
  params: { keyId: bytes },
  row: { crlNumber: count },
  sql: `select crl_number as "crlNumber" from published_authority where key_id = :keyId for update`,
})

export const updateCrl = statement({
  name: 'publishCrl',
  isGlobal: true,
  params: { keyId: bytes, crl: bytes, crlNumber: count, nextUpdate: time },
  sql: `update published_authority set crl = :crl, crl_number = :crlNumber, crl_next_update = :nextUpdate
         where key_id = :keyId`,
})

export const findAuthority = statement({
  name: 'findPublishedAuthority',
  isGlobal: true,
  params: { keyId: bytes },
  row: { certificate: bytes, crl: nullable(bytes), nextUpdate: nullable(time) },
  sql: `select certificate, crl, crl_next_update as "nextUpdate" from published_authority where key_id = :keyId`,
})

/** Authorities whose list is about to end. */
export const listDueAuthorities = statement({
  name: 'listDueAuthorities',
  isGlobal: true,
  params: { before: time, most: integer },
  row: { keyId: bytes, tenantId: nullable(uuid) },
  sql: `select key_id as "keyId", tenant_id as "tenantId"
          from published_authority
         where crl_next_update <= :before
         order by crl_next_update
         limit :most`,
})

export const upsertStatus = statement({
  name: 'publishStatus',
  isGlobal: true,
  params: { issuerKeyId: bytes, serial: bytes, response: bytes, nextUpdate: time, notAfter: time },
  sql: `insert into published_status (issuer_key_id, serial, response, next_update, not_after)
        values (:issuerKeyId, :serial, :response, :nextUpdate, :notAfter)
        on conflict (issuer_key_id, serial) do update
           set response = excluded.response, next_update = excluded.next_update`,
})

export const findStatus = statement({
  name: 'findPublishedStatus',
  isGlobal: true,
  params: { issuerKeyId: bytes, serial: bytes },
  row: { response: bytes, nextUpdate: time },
  sql: `select response, next_update as "nextUpdate"
          from published_status
         where issuer_key_id = :issuerKeyId and serial = :serial`,
})

/** Answers that are about to end, of certificates that have not ended. */
export const listDueStatuses = statement({
  name: 'listDueStatuses',
  isGlobal: true,
  params: { before: time, now: time, most: integer },
  row: { issuerKeyId: bytes, serial: bytes, notAfter: time, tenantId: nullable(uuid) },
  sql: `select s.issuer_key_id as "issuerKeyId", s.serial, s.not_after as "notAfter", a.tenant_id as "tenantId"
          from published_status s
          join published_authority a on a.key_id = s.issuer_key_id
         where s.next_update <= :before and s.not_after > :now
         order by s.next_update
         limit :most`,
})

export const deleteEndedStatuses = statement({
  name: 'deleteEndedStatuses',
  isGlobal: true,
  params: { before: time },
  sql: `delete from published_status where not_after < :before and next_update < :before`,
})
