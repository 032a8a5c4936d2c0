// What a person confirmed: what was shown, how the person was known, and the mark.
import { json, nullable, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'
import type { Strength } from '../authentication.ts'

const request = { tenantId: uuid, requestId: uuid }
const signatory = { tenantId: uuid, signatoryId: uuid }

/** What a person confirmed to have been shown. */
export type ShownDocument = { id: string; sha256: string; sizeBytes: number }

export type Mark = { kind: 'typed'; text: string } | { kind: 'drawn'; strokes: number[][] }

/** What was really done to know the person, as it goes into the certificate's policy and the evidence. */
export type Authentication = {
  reading: Proof
  signing: Proof
}

export type Proof = { strength: Strength; at: string | null; identity?: ProvenIdentity }

/** What an identity provider vouched for. Its own name for the person says who it was without telling anybody else. */
export type ProvenIdentity = {
  areaCode: string
  issuer: string
  acr: string
  subject: string
  /** Whether the personal identifier was compared with the one in the request; there may have been none to compare. */
  isIdentifierCompared: boolean
}

export const insertConfirmation = statement({
  name: 'insertConfirmation',
  params: {
    ...signatory,
    requestId: uuid,
    sessionId: uuid,
    documents: json<ShownDocument[]>(),
    authentication: json<Authentication>(),
    mark: nullable(json<Mark>()),
    now: time,
  },
  sql: `insert into signature_confirmation (tenant_id, signatory_id, request_id, session_id, documents, authentication,
                                            mark, confirmed_at)
        values (:tenantId, :signatoryId, :requestId, :sessionId, :documents, :authentication, :mark, :now)
        on conflict (tenant_id, signatory_id) do nothing`,
})

export const findConfirmation = statement({
  name: 'findConfirmation',
  params: signatory,
  row: {
    requestId: uuid,
    sessionId: uuid,
    documents: json<ShownDocument[]>(),
    authentication: json<Authentication>(),
    mark: nullable(json<Mark>()),
    confirmedAt: time,
  },
  sql: `select request_id as "requestId", session_id as "sessionId", documents, authentication, mark,
               confirmed_at as "confirmedAt"
          from signature_confirmation
         where tenant_id = :tenantId and signatory_id = :signatoryId`,
})

export const listConfirmations = statement({
  name: 'listConfirmations',
  params: request,
  row: { signatoryId: uuid, authentication: json<Authentication>(), mark: nullable(json<Mark>()), confirmedAt: time },
  sql: `select signatory_id as "signatoryId", authentication, mark, confirmed_at as "confirmedAt"
          from signature_confirmation
         where tenant_id = :tenantId and request_id = :requestId`,
})

/** Takes a confirmation back whose signature could not be made: the person may try again. */
export const deleteConfirmation = statement({
  name: 'deleteConfirmation',
  params: signatory,
  sql: `delete from signature_confirmation where tenant_id = :tenantId and signatory_id = :signatoryId`,
})
