import { bytes, byteses, integer, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { ALGORITHMS } from './private-keys.ts'

export const CERTIFICATE_STATES = ['Pending', 'Active', 'Failed', 'Replaced', 'Revoked'] as const
export const CERTIFICATE_ORIGINS = ['issued', 'pkcs12', 'pem', 'remote'] as const
const KINDS = ['issuing', 'responder', 'seal', 'signatory'] as const

/** Only one process at a time makes a tenant's authority; the others wait and find it made. */
export const holdAuthority = statement({
  name: 'holdAuthority',
  params: { tenantId: uuid },
  row: { lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended(owner.tenant_id, 20))::text as lock
          from (select :tenantId::text as tenant_id) owner`,
})

/** Authorities and responders with their keys, newest first. */
export const listAuthoritySigners = statement({
  name: 'listAuthoritySigners',
  params: { tenantId: uuid },
  row: {
    id: uuid,
    kind: oneOf(KINDS),
    certificate: bytes,
    chain: byteses,
    issuerKeyId: bytes,
    baseUrl: nullable(text),
    notBefore: time,
    notAfter: time,
    algorithm: oneOf(ALGORITHMS),
    sealed: bytes,
  },
  sql: `select c.id, c.kind, c.certificate, c.chain, c.issuer_key_id as "issuerKeyId",
               c.base_url as "baseUrl", c.not_before as "notBefore", c.not_after as "notAfter", k.algorithm, k.sealed
          from certificate c
          join certificate_key k on k.tenant_id = c.tenant_id and k.certificate_id = c.id
         where c.tenant_id = :tenantId and c.kind in ('issuing', 'responder') and c.state = 'Active'
         order by c.created_at desc, c.id desc
         limit 1000`,
})

/** Every authority that the tenant has had, with its key: each still answers for what it has issued. */
export const listIssuingAuthorities = statement({
  name: 'listIssuingAuthorities',
  params: { tenantId: uuid },
  row: { id: uuid, certificate: bytes, chain: byteses, algorithm: oneOf(ALGORITHMS), sealed: bytes },
  sql: `select c.id, c.certificate, c.chain, k.algorithm, k.sealed
          from certificate c
          join certificate_key k on k.tenant_id = c.tenant_id and k.certificate_id = c.id
         where c.tenant_id = :tenantId and c.kind = 'issuing'
         order by c.created_at desc
         limit 100`,
})

/** The living authorities of the tenant, newest first; the first of them issues. */
export const listIssuingCertificates = statement({
  name: 'listIssuingCertificates',
  params: { tenantId: uuid, now: time },
  row: { certificate: bytes },
  sql: `select certificate
          from certificate
         where tenant_id = :tenantId and kind = 'issuing' and state = 'Active' and not_after > :now
         order by created_at desc, id desc
         limit 20`,
})

/** A seal that was asked for earlier has its row already, and gets its certificate only while it is still wanted. */
export const insertCertificate = statement({
  name: 'insertCertificate',
  params: {
    tenantId: uuid,
    id: uuid,
    kind: oneOf(KINDS),
    departmentId: nullable(uuid),
    requestId: nullable(uuid),
    issuerKeyId: bytes,
    serial: bytes,
    certificate: bytes,
    chain: byteses,
    baseUrl: nullable(text),
    notBefore: time,
    notAfter: time,
    now: time,
  },
  sql: `insert into certificate (tenant_id, id, kind, origin, state, department_id, request_id, issuer_key_id, serial,
               certificate, chain, base_url, not_before, not_after, created_at)
        values (:tenantId, :id, :kind, 'issued', 'Active', :departmentId, :requestId, :issuerKeyId, :serial,
               :certificate, :chain, :baseUrl, :notBefore, :notAfter, :now)
        on conflict (tenant_id, id) do update
           set state = 'Active', issuer_key_id = excluded.issuer_key_id, serial = excluded.serial,
               certificate = excluded.certificate, chain = excluded.chain, base_url = excluded.base_url,
               not_before = excluded.not_before, not_after = excluded.not_after
         where certificate.state = 'Pending'`,
})

export const deleteSignatoryCertificates = statement({
  name: 'deleteSignatoryCertificates',
  params: { tenantId: uuid, requestId: uuid },
  sql: `delete from certificate where tenant_id = :tenantId and request_id = :requestId and kind = 'signatory'`,
})

export const listCertificateKeys = statement({
  name: 'listCertificateKeys',
  params: { tenantId: uuid, after: uuid, most: integer },
  row: { certificateId: uuid, sealed: bytes },
  sql: `select certificate_id as "certificateId", sealed from certificate_key
         where tenant_id = :tenantId and certificate_id > :after order by certificate_id limit :most`,
})

export const renewCertificateKey = statement({
  name: 'renewCertificateKey',
  params: { tenantId: uuid, certificateId: uuid, before: bytes, sealed: bytes },
  sql: `update certificate_key set sealed = :sealed
         where tenant_id = :tenantId and certificate_id = :certificateId and sealed = :before`,
})

export const insertCertificateKey = statement({
  name: 'insertCertificateKey',
  params: { tenantId: uuid, certificateId: uuid, algorithm: oneOf(ALGORITHMS), sealed: bytes },
  sql: `insert into certificate_key (tenant_id, certificate_id, algorithm, sealed)
        values (:tenantId, :certificateId, :algorithm, :sealed)`,
})

/** The seal to use: of the first of these departments that has one, its newest. The nearest department comes first. */
export const findActiveSeal = statement({
  name: 'findActiveSeal',
  params: { tenantId: uuid, departmentIds: uuids, now: time },
  row: {
    id: uuid,
    origin: oneOf(CERTIFICATE_ORIGINS),
    certificate: bytes,
    chain: byteses,
    algorithm: oneOf(ALGORITHMS),
    sealed: bytes,
  },
  sql: `select c.id, c.origin, c.certificate, c.chain, k.algorithm, k.sealed
          from unnest(:departmentIds::uuid[]) with ordinality as d (id, distance)
          join certificate c on c.tenant_id = :tenantId and c.department_id = d.id
          join certificate_key k on k.tenant_id = c.tenant_id and k.certificate_id = c.id
         where c.kind = 'seal' and c.state = 'Active' and c.not_before <= :now and c.not_after > :now
         order by d.distance, c.created_at desc, c.id desc
         limit 1`,
})

/** What is known about certificates of ours, by who issued them and their serial numbers. */
export const listIssuedStatuses = statement({
  name: 'listIssuedStatuses',
  params: { tenantId: uuid, certificates: byteses, serials: byteses },
  row: {
    certificate: bytes,
    origin: oneOf(CERTIFICATE_ORIGINS),
    chain: byteses,
    revokedAt: nullable(time),
    revocationReason: nullable(text),
  },
  sql: `select c.certificate, c.origin, c.chain, c.revoked_at as "revokedAt", c.revocation_reason as "revocationReason"
          from certificate c
         where c.tenant_id = :tenantId and c.serial = any(:serials::bytea[]) and c.certificate = any(:certificates::bytea[])`,
})

/** Seals that came from outside, with the authorities above them. */
export const listImportedChains = statement({
  name: 'listImportedChains',
  params: { tenantId: uuid },
  row: { certificate: bytes, chain: byteses },
  sql: `select certificate, chain
          from certificate
         where tenant_id = :tenantId and kind = 'seal' and origin <> 'issued' and certificate is not null
         order by created_at desc
         limit 1000`,
})
