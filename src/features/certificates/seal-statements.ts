import { bytes, byteses, count, nullable, oneOf, text, time, uuid, uuids } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { CERTIFICATE_ORIGINS, CERTIFICATE_STATES } from './certificate-statements.ts'

const seal = {
  id: uuid,
  departmentId: uuid,
  state: oneOf(CERTIFICATE_STATES),
  stateReason: nullable(text),
  origin: oneOf(CERTIFICATE_ORIGINS),
  certificate: nullable(bytes),
  createdAt: time,
  revokedAt: nullable(time),
}
const SEAL = `id, department_id as "departmentId", state, state_reason as "stateReason", origin, certificate,
               created_at as "createdAt", revoked_at as "revokedAt"`

export type SealRow = Awaited<ReturnType<typeof findSealCertificate.one>>

export const findSealCertificate = statement({
  name: 'findSealCertificate',
  params: { tenantId: uuid, id: uuid },
  row: seal,
  sql: `select ${SEAL} from certificate where tenant_id = :tenantId and id = :id and kind = 'seal'`,
})

export const lockSealCertificate = statement({
  name: 'lockSealCertificate',
  params: { tenantId: uuid, id: uuid },
  row: seal,
  sql: `select ${SEAL} from certificate where tenant_id = :tenantId and id = :id and kind = 'seal' for update`,
})

/** A department has a handful of seals in its life, so a bound is enough and no page is needed. */
export const listSealCertificates = statement({
  name: 'listSealCertificates',
  params: { tenantId: uuid, departmentIds: nullable(uuids) },
  row: seal,
  sql: `select ${SEAL}
          from certificate
         where tenant_id = :tenantId and kind = 'seal'
           and (:departmentIds::uuid[] is null or department_id = any(:departmentIds::uuid[]))
         order by created_at desc, id desc
         limit 500`,
})

/** A seal that is still to come. */
export const insertPendingSeal = statement({
  name: 'insertPendingSeal',
  params: { tenantId: uuid, id: uuid, departmentId: uuid, origin: oneOf(CERTIFICATE_ORIGINS), now: time },
  row: seal,
  sql: `insert into certificate (tenant_id, id, kind, origin, state, department_id, created_at)
        values (:tenantId, :id, 'seal', :origin, 'Pending', :departmentId, :now)
        returning ${SEAL}`,
})

/** The imported certificate is there: the seal can be used. */
export const activateImportedSeal = statement({
  name: 'activateImportedSeal',
  params: {
    tenantId: uuid,
    id: uuid,
    serial: bytes,
    certificate: bytes,
    chain: byteses,
    notBefore: time,
    notAfter: time,
  },
  sql: `update certificate
           set state = 'Active', serial = :serial, certificate = :certificate, chain = :chain,
               not_before = :notBefore, not_after = :notAfter
         where tenant_id = :tenantId and id = :id and state = 'Pending'`,
})

export const failSeal = statement({
  name: 'failSeal',
  params: { tenantId: uuid, id: uuid, reason: text },
  sql: `update certificate set state = 'Failed', state_reason = :reason
         where tenant_id = :tenantId and id = :id and state = 'Pending'`,
})

export const revokeSeals = statement({
  name: 'revokeSeals',
  params: { tenantId: uuid, ids: uuids, reason: text, now: time },
  row: seal,
  sql: `update certificate
           set state = 'Revoked', revoked_at = :now, revocation_reason = :reason
         where tenant_id = :tenantId and id = any(:ids) and kind = 'seal' and state <> 'Revoked'
        returning ${SEAL}`,
})

export const listLivingSealsOfDepartments = statement({
  name: 'listLivingSealsOfDepartments',
  params: { tenantId: uuid, departmentIds: uuids },
  row: { id: uuid },
  sql: `select id from certificate
         where tenant_id = :tenantId and kind = 'seal' and state <> 'Revoked' and department_id = any(:departmentIds)
         order by id
           for update`,
})

export const countLivingSeals = statement({
  name: 'countLivingSeals',
  params: { tenantId: uuid, departmentIds: uuids },
  row: { total: count },
  sql: `select count(*) as total from certificate
         where tenant_id = :tenantId and kind = 'seal' and state in ('Pending', 'Active')
           and department_id = any(:departmentIds)`,
})

export const deleteSealKey = statement({
  name: 'deleteSealKey',
  params: { tenantId: uuid, certificateId: uuid },
  sql: `delete from certificate_key where tenant_id = :tenantId and certificate_id = :certificateId`,
})

/** Everything that an authority of ours has revoked, of what has not ended by itself. */
export const listRevoked = statement({
  name: 'listRevokedCertificates',
  params: { tenantId: uuid, issuerKeyId: bytes, now: time },
  row: { id: uuid, serial: bytes, notAfter: time, revokedAt: time, revocationReason: text },
  sql: `select id, serial, not_after as "notAfter", revoked_at as "revokedAt", revocation_reason as "revocationReason"
          from certificate
         where tenant_id = :tenantId and issuer_key_id = :issuerKeyId and state = 'Revoked' and not_after > :now
         order by revoked_at
         limit 100000`,
})

export const findIssuedStatus = statement({
  name: 'findIssuedStatus',
  params: { tenantId: uuid, issuerKeyId: bytes, serial: bytes },
  row: { revokedAt: nullable(time), revocationReason: nullable(text) },
  sql: `select revoked_at as "revokedAt", revocation_reason as "revocationReason"
          from certificate
         where tenant_id = :tenantId and serial = :serial and issuer_key_id = :issuerKeyId`,
})

/** Seals of our own making that end soon, or name an address that is not ours any more. */
export const lockSealsToRenew = statement({
  name: 'lockSealsToRenew',
  params: { tenantId: uuid, before: time, baseUrl: nullable(text) },
  row: { id: uuid, departmentId: uuid },
  sql: `select id, department_id as "departmentId"
          from certificate
         where tenant_id = :tenantId and kind = 'seal' and origin = 'issued' and state = 'Active'
           and (not_after <= :before or base_url is distinct from :baseUrl)
         order by id
         limit 100
           for update skip locked`,
})

export const replaceSeal = statement({
  name: 'replaceSeal',
  params: { tenantId: uuid, id: uuid },
  sql: `update certificate set state = 'Replaced' where tenant_id = :tenantId and id = :id and state = 'Active'`,
})

/** The department's new seal takes over; what was sealed with the earlier ones stays as valid as it was. */
export const replaceEarlierSeals = statement({
  name: 'replaceEarlierSeals',
  params: { tenantId: uuid, departmentId: uuid, id: uuid },
  sql: `update certificate set state = 'Replaced'
         where tenant_id = :tenantId and department_id = :departmentId and kind = 'seal' and state = 'Active' and id <> :id`,
})
