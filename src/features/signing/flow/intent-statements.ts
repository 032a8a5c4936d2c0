// What keys are used for, and the proof that they were good: written before the key is used, and right after.
import { bytes, byteses, nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const request = { tenantId: uuid, requestId: uuid }

export const insertIntent = statement({
  name: 'insertSignatureIntent',
  params: {
    ...request,
    id: uuid,
    documentId: nullable(uuid),
    signatoryId: nullable(uuid),
    certificate: bytes,
    policy: text,
    digest: bytes,
    now: time,
  },
  sql: `insert into signature_intent (tenant_id, id, request_id, document_id, signatory_id, certificate, policy, digest,
                                      state, created_at)
        values (:tenantId, :id, :requestId, :documentId, :signatoryId, :certificate, :policy, :digest, 'planned', :now)`,
})

export const endIntent = statement({
  name: 'endSignatureIntent',
  params: { tenantId: uuid, id: uuid, state: oneOf(['used', 'abandoned']), now: time },
  sql: `update signature_intent set state = :state, ended_at = :now
         where tenant_id = :tenantId and id = :id and state = 'planned'`,
})

/** What a crash left behind: those keys are gone, and nothing that they made was published. */
export const abandonIntents = statement({
  name: 'abandonSignatureIntents',
  params: { ...request, signatoryId: nullable(uuid), now: time },
  sql: `update signature_intent set state = 'abandoned', ended_at = :now
         where tenant_id = :tenantId and request_id = :requestId and state = 'planned'
           and signatory_id is not distinct from :signatoryId::uuid`,
})

export const insertProof = statement({
  name: 'insertSignatureProof',
  params: {
    ...request,
    signatoryId: uuid,
    certificates: byteses,
    ocsps: byteses,
    crls: byteses,
    now: time,
  },
  sql: `insert into signature_proof (tenant_id, signatory_id, request_id, certificates, ocsps, crls, collected_at)
        values (:tenantId, :signatoryId, :requestId, :certificates, :ocsps, :crls, :now)`,
})

export const listProofs = statement({
  name: 'listSignatureProofs',
  params: request,
  row: { signatoryId: uuid, certificates: byteses, ocsps: byteses, crls: byteses },
  sql: `select signatory_id as "signatoryId", certificates, ocsps, crls
          from signature_proof
         where tenant_id = :tenantId and request_id = :requestId`,
})

export const listUsedCertificates = statement({
  name: 'listUsedCertificates',
  params: request,
  row: { signatoryId: nullable(uuid), certificate: bytes, policy: text },
  sql: `select distinct signatory_id as "signatoryId", certificate, policy
          from signature_intent
         where tenant_id = :tenantId and request_id = :requestId and state = 'used'`,
})
