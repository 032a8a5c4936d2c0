import type { ProvenIdentity } from '#features/signing/index.ts'
import { bytes, count, integer, json, nullable, oneOf, text, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

export const PURPOSES = ['reading', 'signing'] as const
export type Purpose = (typeof PURPOSES)[number]

const purpose = oneOf(PURPOSES)
const channel = oneOf(['email', 'sms'] as const)
const session = { tenantId: uuid, sessionId: uuid }
const signatory = { tenantId: uuid, signatoryId: uuid }

export const insertSession = statement({
  name: 'insertSignerSession',
  params: { ...signatory, id: uuid, requestId: uuid, returnUrl: nullable(text), expiresAt: time, now: time },
  sql: `insert into signer_session (tenant_id, id, signatory_id, request_id, return_url, created_at, expires_at)
        values (:tenantId, :id, :signatoryId, :requestId, :returnUrl, :now, :expiresAt)`,
})

export const findSession = statement({
  name: 'findSignerSession',
  params: { ...session, now: time },
  row: {
    signatoryId: uuid,
    returnUrl: nullable(text),
    readingMetAt: nullable(time),
    signingMetAt: nullable(time),
    readingIdentity: nullable(json<ProvenIdentity>()),
    signingIdentity: nullable(json<ProvenIdentity>()),
  },
  sql: `select signatory_id as "signatoryId", return_url as "returnUrl", reading_met_at as "readingMetAt",
               signing_met_at as "signingMetAt", reading_identity as "readingIdentity",
               signing_identity as "signingIdentity"
          from signer_session
         where tenant_id = :tenantId and id = :sessionId and expires_at > :now`,
})

export const setReturnUrl = statement({
  name: 'setSignerReturnUrl',
  params: { ...session, returnUrl: text },
  sql: `update signer_session set return_url = :returnUrl where tenant_id = :tenantId and id = :sessionId`,
})

export const countSessions = statement({
  name: 'countSignerSessions',
  params: { ...signatory, since: time },
  row: { amount: count },
  sql: `select count(*) as amount from signer_session
         where tenant_id = :tenantId and signatory_id = :signatoryId and created_at > :since`,
})

export const meetPurpose = statement({
  name: 'meetPurpose',
  params: { ...session, purpose, identity: nullable(json<ProvenIdentity>()), now: time },
  sql: `update signer_session
           set reading_met_at = case when :purpose::text = 'reading' then :now::timestamptz else reading_met_at end,
               signing_met_at = case when :purpose::text = 'signing' then :now::timestamptz else signing_met_at end,
               reading_identity = case when :purpose::text = 'reading' then :identity::jsonb else reading_identity end,
               signing_identity = case when :purpose::text = 'signing' then :identity::jsonb else signing_identity end
         where tenant_id = :tenantId and id = :sessionId`,
})

export const deleteOldSessions = statement({
  name: 'deleteOldSignerSessions',
  params: { tenantId: uuid, before: time },
  sql: `delete from signer_session where tenant_id = :tenantId and expires_at < :before`,
})

/** Holds the signatory's counter of tries, made if there is none: codes of one person are handled one at a time. */
export const holdAttempts = statement({
  name: 'holdSignerAttempts',
  params: signatory,
  row: { tries: integer },
  sql: `insert into signer_attempt as a (tenant_id, signatory_id, tries) values (:tenantId, :signatoryId, 0)
        on conflict (tenant_id, signatory_id) do update set tries = a.tries
        returning tries`,
})

export const countTry = statement({
  name: 'countSignerTry',
  params: { ...signatory, most: integer },
  row: { tries: integer },
  sql: `update signer_attempt set tries = tries + 1
         where tenant_id = :tenantId and signatory_id = :signatoryId and tries < :most
        returning tries`,
})

export const insertCode = statement({
  name: 'insertSignerCode',
  params: { ...signatory, sessionId: uuid, id: uuid, purpose, channel, salt: bytes, expiresAt: time, now: time },
  sql: `insert into signer_code (tenant_id, id, signatory_id, session_id, purpose, channel, salt, created_at, expires_at)
        values (:tenantId, :id, :signatoryId, :sessionId, :purpose, :channel, :salt, :now, :expiresAt)`,
})

export const countCodes = statement({
  name: 'countSignerCodes',
  params: { ...signatory, since: time },
  row: { amount: count },
  sql: `select count(*) as amount from signer_code
         where tenant_id = :tenantId and signatory_id = :signatoryId and created_at > :since`,
})

/** Counts one try of the newest code for this session and purpose, if it may still be tried. */
export const tryCode = statement({
  name: 'trySignerCode',
  params: { ...signatory, sessionId: uuid, purpose, most: integer, now: time },
  row: { id: uuid, salt: bytes, tries: integer, channel },
  sql: `update signer_code c set tries = c.tries + 1
         where c.tenant_id = :tenantId
           and c.id = (select id from signer_code
                        where tenant_id = :tenantId and signatory_id = :signatoryId and session_id = :sessionId
                          and purpose = :purpose
                        order by created_at desc, id desc limit 1)
           and c.tries < :most and c.used_at is null and c.expires_at > :now
        returning c.id, c.salt, c.tries, c.channel`,
})

export const useCode = statement({
  name: 'useSignerCode',
  params: { tenantId: uuid, id: uuid, now: time },
  sql: `update signer_code set used_at = :now where tenant_id = :tenantId and id = :id and used_at is null`,
})

/** What a message needs to tell a code, as long as it can be used. */
export const findCode = statement({
  name: 'findSignerCode',
  params: { ...signatory, id: uuid, now: time },
  row: { sessionId: uuid, purpose, salt: bytes, expiresAt: time },
  sql: `select session_id as "sessionId", purpose, salt, expires_at as "expiresAt"
          from signer_code
         where tenant_id = :tenantId and id = :id and signatory_id = :signatoryId
           and used_at is null and expires_at > :now`,
})

export const deleteOldCodes = statement({
  name: 'deleteOldSignerCodes',
  params: { tenantId: uuid, before: time },
  sql: `delete from signer_code where tenant_id = :tenantId and created_at < :before`,
})
