// What a person can do with a subscription: pause it, resume it, change its secret. The lane is held first, as by
// everybody else, so that nobody waits for two rows in opposite orders.
import type { Caller } from '#platform/auth/caller.ts'
import { holdLivingDepartment } from '#platform/auth/auth-statements.ts'
import type { Tx } from '#platform/db/database.ts'
import { bucketOf } from '#platform/jobs/bucket.ts'
import type { Keyring } from '#platform/secrets/keyring.ts'
import { newSecret, secretContext } from './create-subscription.ts'
import { departmentGone, subscriptionNotFound } from './errors.ts'
import { lockSubscription, replaceSecret, setSubscriptionState } from './hook-statements.ts'
import { ensureLanes, lockLanes, runLanes, settleLanes } from './lane-statements.ts'
import { getSubscription } from './read-subscriptions.ts'
import { recordSubscriptionDeed } from './record-deed.ts'

const OLD_SECRET_LIVES_MS = 24 * 60 * 60 * 1000

export type ChosenSubscription = { caller: Caller; subscriptionId: string }

/** The subscription within the caller's reach, with its lane and its row held until the transaction ends. */
export async function holdSubscription(tx: Tx, { caller, subscriptionId: given }: ChosenSubscription) {
  const { tenantId } = caller
  const found = await getSubscription(tx, { caller, subscriptionId: given, eventType: undefined })
  const named = { tenantId, subscriptionId: found.id }
  const lanes = { tenantId, subscriptionIds: [found.id] }
  await ensureLanes.run(tx, { ...lanes, bucket: bucketOf(tenantId) })
  await lockLanes.many(tx, lanes)
  const held = await lockSubscription.maybeOne(tx, named)
  if (held === undefined) throw subscriptionNotFound(given)
  return { ...found, state: held.state, creatorId: held.creatorId }
}

/** Stops sending. What happens meanwhile is collected. */
export async function pauseSubscription(tx: Tx, { now, ...chosen }: ChosenSubscription & { now: Date }) {
  const held = await holdSubscription(tx, chosen)
  if (held.state === 'active') {
    await run(tx, chosen.caller.tenantId, held.id, 'paused')
    await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'paused', subscription: held, now })
  }
  return getSubscription(tx, { ...chosen, eventType: undefined })
}

/** Sends again, carefully at first: what was collected, then what happens. */
export async function resumeSubscription(tx: Tx, { now, ...chosen }: ChosenSubscription & { now: Date }) {
  const { tenantId } = chosen.caller
  const held = await holdSubscription(tx, chosen)
  if (held.state !== 'active') {
    const { departmentId } = held
    const department = await holdLivingDepartment.maybeOne(tx, { tenantId, departmentId })
    if (department === undefined) throw departmentGone()
    await run(tx, tenantId, held.id, 'active')
    await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'resumed', subscription: held, now })
    tx.wakeWorkers()
  }
  return getSubscription(tx, { ...chosen, eventType: undefined })
}

async function run(tx: Tx, tenantId: string, subscriptionId: string, state: 'active' | 'paused'): Promise<void> {
  const subscriptionIds = [subscriptionId]
  await setSubscriptionState.run(tx, { tenantId, subscriptionId, state, reason: null, disabledAt: null })
  await runLanes.run(tx, { tenantId, subscriptionIds, isRunning: state === 'active' })
  await settleLanes.run(tx, { tenantId, subscriptionIds })
}

export type RotateSecret = ChosenSubscription & { keyring: Keyring; now: Date }

/** A new secret, shown this once. For a day deliveries carry signatures of both. */
export async function rotateSecret(tx: Tx, { keyring, now, ...chosen }: RotateSecret) {
  const { tenantId } = chosen.caller
  const held = await holdSubscription(tx, chosen)
  const { id: subscriptionId } = held
  const secret = newSecret()
  const previousUntil = new Date(now.getTime() + OLD_SECRET_LIVES_MS)
  await replaceSecret.run(tx, {
    tenantId,
    subscriptionId,
    secret: keyring.seal(Buffer.from(secret), secretContext(tenantId, subscriptionId)),
    previousUntil,
  })
  await recordSubscriptionDeed(tx, { caller: chosen.caller, deed: 'rotated', subscription: held, now })
  return { secret, previousSecretUntil: previousUntil }
}
