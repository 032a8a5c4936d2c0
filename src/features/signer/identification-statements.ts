import { bytes, count, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import { PURPOSES } from './signer-statements.ts'

const purpose = oneOf(PURPOSES)
const signatory = { tenantId: uuid, signatoryId: uuid }

export const insertIdentification = statement({
  name: 'insertSignerIdentification',
  params: {
    ...signatory,
    id: uuid,
    sessionId: uuid,
    purpose,
    areaCode: text,
    stateHash: bytes,
    expiresAt: time,
    now: time,
  },
  sql: `insert into signer_identification (tenant_id, id, signatory_id, session_id, purpose, area_code, state_hash,
                                           created_at, expires_at)
        values (:tenantId, :id, :signatoryId, :sessionId, :purpose, :areaCode, :stateHash, :now, :expiresAt)`,
})

export const countIdentifications = statement({
  name: 'countSignerIdentifications',
  params: { ...signatory, since: time },
  row: { amount: count },
  sql: `select count(*) as amount from signer_identification
         where tenant_id = :tenantId and signatory_id = :signatoryId and created_at > :since`,
})

/** Uses an identification up: an answer counts once, in the session that asked for it, and in time. */
export const useIdentification = statement({
  name: 'useSignerIdentification',
  params: { tenantId: uuid, sessionId: uuid, stateHash: bytes, now: time },
  row: { id: uuid, purpose, areaCode: text, createdAt: time },
  sql: `update signer_identification set used_at = :now
         where tenant_id = :tenantId and session_id = :sessionId and state_hash = :stateHash
           and used_at is null and expires_at > :now
        returning id, purpose, area_code as "areaCode", created_at as "createdAt"`,
})

export const deleteOldIdentifications = statement({
  name: 'deleteOldSignerIdentifications',
  params: { tenantId: uuid, before: time },
  sql: `delete from signer_identification where tenant_id = :tenantId and created_at < :before`,
})
