import { boolean, bytes, count, integer, nullable, text, texts, time, uuid } from '#platform/db/columns.ts'
import { statement } from '#platform/db/statement.ts'

const whose = { tenantId: uuid, userId: uuid }

/** Oldest first. */
export const listPasskeys = statement({
  name: 'listPasskeys',
  params: whose,
  row: {
    id: uuid,
    credentialId: bytes,
    transports: texts,
    name: text,
    createdAt: time,
    lastUsedAt: nullable(time),
  },
  sql: `select id, credential_id as "credentialId", transports, name, created_at as "createdAt",
               last_used_at as "lastUsedAt"
          from passkey
         where tenant_id = :tenantId and user_id = :userId
         order by created_at, id
         limit 100`,
})

export const hasPasskey = statement({
  name: 'hasPasskey',
  params: whose,
  row: { isThere: boolean },
  sql: `select exists (select from passkey where tenant_id = :tenantId and user_id = :userId) as "isThere"`,
})

export const findPasskey = statement({
  name: 'findPasskey',
  params: { ...whose, credentialId: bytes },
  row: { id: uuid, publicKey: bytes, counter: count },
  sql: `select id, public_key as "publicKey", counter
          from passkey
         where tenant_id = :tenantId and user_id = :userId and credential_id = :credentialId`,
})

/** Writes and answers none where the device is known already, or where the person has as many as allowed. */
export const insertPasskey = statement({
  name: 'insertPasskey',
  params: {
    ...whose,
    id: uuid,
    credentialId: bytes,
    publicKey: bytes,
    counter: count,
    transports: texts,
    name: text,
    most: integer,
    now: time,
  },
  row: { id: uuid },
  sql: `insert into passkey (tenant_id, id, user_id, credential_id, public_key, counter, transports, name, created_at)
        select :tenantId, :id, :userId, :credentialId, :publicKey, :counter, :transports, :name, :now
         where (select count(*) from passkey where tenant_id = :tenantId and user_id = :userId) < :most::int
        on conflict (tenant_id, credential_id) do nothing
        returning id`,
})

/** WebAuthn 7.2, step 22: a counter that does not rise is a copy's, except of devices that do not count at all. */
export const notePasskeyUsed = statement({
  name: 'notePasskeyUsed',
  params: { tenantId: uuid, id: uuid, counter: count, now: time },
  sql: `update passkey set counter = :counter, last_used_at = :now
         where tenant_id = :tenantId and id = :id
           and (counter < :counter or (counter = 0 and :counter = 0))`,
})

export const deletePasskey = statement({
  name: 'deletePasskey',
  params: { ...whose, id: uuid },
  row: { name: text },
  sql: `delete from passkey where tenant_id = :tenantId and user_id = :userId and id = :id returning name`,
})

export const deletePasskeysOf = statement({
  name: 'deletePasskeysOf',
  params: whose,
  sql: `delete from passkey where tenant_id = :tenantId and user_id = :userId`,
})

export const insertChallenge = statement({
  name: 'insertPasskeyChallenge',
  params: { ...whose, challenge: bytes, sessionId: nullable(uuid), expiresAt: time },
  sql: `insert into passkey_challenge (tenant_id, challenge, user_id, session_id, expires_at)
        values (:tenantId, :challenge, :userId, :sessionId, :expiresAt)`,
})

/** Keeps a person's newest, so that asking over and over fills nothing. */
export const deleteSurplusChallenges = statement({
  name: 'deleteSurplusPasskeyChallenges',
  params: whose,
  sql: `delete from passkey_challenge
         where tenant_id = :tenantId and user_id = :userId
           and challenge not in (select challenge from passkey_challenge
                                  where tenant_id = :tenantId and user_id = :userId
                                  order by expires_at desc limit 5)`,
})

/** Of two answers to one challenge, one finds that it has been used. */
export const takeChallenge = statement({
  name: 'takePasskeyChallenge',
  params: { ...whose, challenge: bytes, sessionId: nullable(uuid), now: time },
  sql: `delete from passkey_challenge
         where tenant_id = :tenantId and user_id = :userId and challenge = :challenge
           and session_id is not distinct from :sessionId::uuid and expires_at > :now`,
})

export const deleteEndedChallenges = statement({
  name: 'deleteEndedPasskeyChallenges',
  params: { tenantId: uuid, before: time },
  sql: `delete from passkey_challenge where tenant_id = :tenantId and expires_at < :before`,
})
