import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { requireDepartment } from '#platform/auth/references.ts'
import type { Caller } from '#platform/auth/caller.ts'
import type { Config } from '#platform/config/config.ts'
import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { requireHeaders } from './delivery-headers.ts'
import { tooManySubscriptions } from './errors.ts'
import { countSubscriptions, insertSubscription } from './hook-statements.ts'
import { requireReceiver } from './receiver-address.ts'
import { recordSubscriptionDeed } from './record-deed.ts'
import type { SubscriptionInput } from './schemas.ts'
import { SECRET_PREFIX } from './sign-delivery.ts'

/** Every event of the tenant is held against all of them, so there is an end to their number. */
const MOST_SUBSCRIPTIONS = 1000
const SECRET_BYTES = 32

export type CreateSubscription = {
  caller: Caller
  given: Static<typeof SubscriptionInput>
  config: Config
  keyring: Keyring
  now: Date
}

/** Subscribes an address to one kind of event. The secret is shown this once and kept encrypted. */
export async function createSubscription(tx: Tx, create: CreateSubscription): Promise<{ id: string; secret: string }> {
  const { caller, given, config, keyring, now } = create
  const { tenantId } = caller
  const { eventType, uri, headers = {} } = given
  requireReceiver(uri, addressRules(config))
  requireHeaders(headers)
  const scope = await chooseScope(tx, caller, given)
  const { total } = await countSubscriptions.one(tx, { tenantId, departmentIds: null })
  if (total >= MOST_SUBSCRIPTIONS) throw tooManySubscriptions(MOST_SUBSCRIPTIONS)

  const id = newId()
  const secret = newSecret()
  const headerNames = Object.keys(headers)
  await insertSubscription.run(tx, {
    tenantId,
    id,
    eventType,
    uri,
    description: given.description ?? null,
    headerNames,
    headers:
      headerNames.length === 0
        ? null
        : keyring.seal(Buffer.from(JSON.stringify(headers)), headersContext(tenantId, id)),
    secret: keyring.seal(Buffer.from(secret), secretContext(tenantId, id)),
    ...scope,
    creatorId: caller.userId,
    now,
  })
  await recordSubscriptionDeed(tx, { caller, deed: 'created', subscription: { id, uri, eventType, ...scope }, now })
  return { id, secret }
}

export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** What each encrypted value is bound to, so that one subscription's can't stand in for another's. */
export const secretContext = (tenantId: string, id: string) => `hook secret ${tenantId} ${id}`
export const headersContext = (tenantId: string, id: string) => `hook headers ${tenantId} ${id}`

function addressRules({ allowInsecureHooks, hooksAllow, publicUrl, port }: Config) {
  return { allowInsecure: allowInsecureHooks, allow: hooksAllow, publicUrl, ownPort: port }
}

/** Without a department: everything that the caller reaches, which is its own department and all below. */
async function chooseScope(
  tx: Tx,
  caller: Caller,
  { departmentId, subdepartments = false }: CreateSubscription['given'],
) {
  const scope =
    departmentId === undefined
      ? { departmentId: caller.departmentId, subdepartments: true }
      : { departmentId, subdepartments }
  // The caller's own as well: a department that is just being deleted must not keep a subscription.
  await requireDepartment(tx, { caller, departmentId: scope.departmentId })
  return scope
}
