// The same call twice has one effect: the answer to a call with an Idempotency-Key is written in the transaction of the
// call itself, and a repeat within 24 hours gets it again. A twin that comes while the first still runs waits for it.
import { boolean, bytes, integer, nullable, text, time, uuid } from '#platform/db/columns.ts'
import type { Tx } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { badIdempotencyKey, idempotencyKeyReused } from './edge-errors.ts'
import { Answer } from './route.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
/** How long a twin waits for the first call to end. */
export const TWIN_WAIT_MS = 10_000

export type Repeatable = {
  tenantId: string
  callerId: string
  operation: string
  key: string
  fingerprint: Buffer
  holdsSecrets: boolean
}

/** The header's value; throws where its length is not allowed. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.length < 1 || header.length > 255) throw badIdempotencyKey()
  return header
}

/** Claims the key for this call, or answers with what the first call answered. */
export async function claimKey(tx: Tx, call: Repeatable, keyring: Keyring, now: Date): Promise<Answer | undefined> {
  const { tenantId, callerId, operation, key } = call
  const name = { tenantId, callerId, operation, key }
  const expired = new Date(now.getTime() - KEPT_MS)
  if ((await insertClaim.run(tx, { ...name, fingerprint: call.fingerprint, now })) === 1) return undefined
  const found = await findAnswer.one(tx, name)
  if (found.createdAt < expired) {
    await renewClaim.run(tx, { ...name, fingerprint: call.fingerprint, now })
    return undefined
  }
  if (!found.fingerprint.equals(call.fingerprint)) throw idempotencyKeyReused()
  const kept = found.isEncrypted ? keyring.open(found.body!, context(call)) : found.body!
  const { body, headers } = JSON.parse(kept.toString()) as { body?: unknown; headers: Record<string, string> }
  return new Answer(found.status!, body, { ...headers, 'idempotent-replayed': 'true' })
}

/** Writes the answer under the claimed key. */
export async function keepAnswer(tx: Tx, call: Repeatable, answer: Answer, keyring: Keyring): Promise<void> {
  const plain = Buffer.from(JSON.stringify({ body: answer.body, headers: answer.headers }))
  const { tenantId, callerId, operation, key } = call
  const kept = updateAnswer.run(tx, {
    tenantId,
    callerId,
    operation,
    key,
    status: answer.status,
    body: call.holdsSecrets ? keyring.seal(plain, context(call)) : plain,
    isEncrypted: call.holdsSecrets,
  })
  tx.withoutWaiting(kept)
}

function context({ tenantId, callerId, operation, key }: Repeatable): string {
  return `idempotent answer ${tenantId} ${callerId} ${operation} ${key}`
}

const name = { tenantId: uuid, callerId: uuid, operation: text, key: text }

const insertClaim = statement({
  name: 'insertClaim',
  params: { ...name, fingerprint: bytes, now: time },
  sql: `insert into idempotent_answer (tenant_id, caller_id, operation, key, fingerprint, created_at)
        values (:tenantId, :callerId, :operation, :key, :fingerprint, :now)
        on conflict (tenant_id, caller_id, operation, key) do nothing`,
})

const renewClaim = statement({
  name: 'renewClaim',
  params: { ...name, fingerprint: bytes, now: time },
  sql: `update idempotent_answer set fingerprint = :fingerprint, created_at = :now, status = null, body = null
         where tenant_id = :tenantId and caller_id = :callerId and operation = :operation and key = :key`,
})

const findAnswer = statement({
  name: 'findAnswer',
  params: name,
  row: { fingerprint: bytes, status: nullable(integer), body: nullable(bytes), isEncrypted: boolean, createdAt: time },
  sql: `select fingerprint, status, body, is_encrypted as "isEncrypted", created_at as "createdAt"
          from idempotent_answer
         where tenant_id = :tenantId and caller_id = :callerId and operation = :operation and key = :key
           for update`,
})

const updateAnswer = statement({
  name: 'updateAnswer',
  params: { ...name, status: integer, body: bytes, isEncrypted: boolean },
  sql: `update idempotent_answer set status = :status, body = :body, is_encrypted = :isEncrypted
         where tenant_id = :tenantId and caller_id = :callerId and operation = :operation and key = :key`,
})

/** Answers that are old enough to be forgotten; run by a recurring task. */
export const deleteOldAnswers = statement({
  name: 'deleteOldAnswers',
  params: { tenantId: uuid, before: time },
  sql: `delete from idempotent_answer where tenant_id = :tenantId and created_at < :before`,
})

const listAnswersAbout = statement({
  name: 'listAnswersAbout',
  params: { tenantId: uuid, id: text },
  row: { callerId: uuid, operation: text, key: text, status: integer, body: bytes },
  sql: `select caller_id as "callerId", operation, key, status, body
          from idempotent_answer
         where tenant_id = :tenantId and not is_encrypted and position(convert_to(:id, 'UTF8') in body) > 0
           for update`,
})

export type Rewriting = {
  tenantId: string
  /** What the answers are about, by its id. */
  id: string
  /** Anything in an answer, and what is to stand in its place. */
  rewrite: (value: unknown) => unknown
}

/** Changes what a repeat of earlier calls will hear: they keep their answers, which may not keep everything. */
export async function rewriteAnswers(tx: Tx, { tenantId, id, rewrite }: Rewriting): Promise<void> {
  for (const { body, ...answer } of await listAnswersAbout.many(tx, { tenantId, id })) {
    const rewritten = JSON.stringify(JSON.parse(body.toString(), (_, value: unknown) => rewrite(value)))
    if (rewritten === body.toString()) continue
    await updateAnswer.run(tx, { tenantId, ...answer, body: Buffer.from(rewritten), isEncrypted: false })
  }
}
