// Subscriptions to events. Each has an address of its own at the receiver, which tells who was told what.
import { EVENT_TYPES } from '#features/event/index.ts'
import { remove } from '../ledger.ts'
import { idOf, WRONG_STATE, type Client } from './client.ts'

const as = 'administrator'
const SUBSCRIPTION = '/hooks/v1/subscription/:subscriptionId'
const MOST = 6

export async function subscribe(client: Client): Promise<void> {
  if (client.mine.subscriptions.length >= MOST) return
  const mark = client.newMark()
  const eventType = client.random.pick(EVENT_TYPES)
  const thing = client.ask('hook_subscription', 'description', mark)
  const body = { eventType, uri: `${client.hookUrl}/${mark}`, description: mark, subdepartments: true }
  const reply = await client.call('POST /hooks/v1/subscription', { body, as })
  if (reply?.status !== 202) return
  thing.ids.add(reply.json.id)
  client.ledger.subscribedAt.set(reply.json.id, Date.now())
  client.ledger.secrets.set(mark, { tenantId: client.tenant.tenantId, secrets: [reply.json.secret] })
  client.mine.subscriptions.push(thing)
}

export async function unsubscribe(client: Client): Promise<void> {
  if (client.mine.subscriptions.length < 2) return
  const thing = client.take('subscriptions')!
  const params = { subscriptionId: idOf(thing) }
  const reply = await client.call(`DELETE ${SUBSCRIPTION}`, { params, as })
  remove(thing, reply ? 'done' : 'unknown')
}

/** A test delivery, a pause and its end, or a replay. */
export async function manageSubscription(client: Client): Promise<void> {
  const thing = client.pick('subscriptions')
  if (thing === undefined) return
  const ask = { params: { subscriptionId: idOf(thing) }, as, mayRefuse: WRONG_STATE } as const
  const choice = client.random.next()
  if (choice < 0.4) return void (await client.call(`POST ${SUBSCRIPTION}/test`, ask))
  if (choice < 0.6) {
    await client.call(`POST ${SUBSCRIPTION}/pause`, ask)
    return void (await client.call(`POST ${SUBSCRIPTION}/resume`, ask))
  }
  if (choice < 0.8) {
    const body = { from: new Date(Date.now() - 60_000).toISOString() }
    return void (await client.call(`POST ${SUBSCRIPTION}/replay`, { ...ask, body }))
  }
  const listed = await client.call(`GET ${SUBSCRIPTION}/delivery`, ask)
  const delivery = listed?.json?.items?.find((item: { state: string }) => item.state === 'delivered')
  if (delivery === undefined) return
  const params = { ...ask.params, deliveryId: delivery.id }
  await client.call(`POST ${SUBSCRIPTION}/delivery/:deliveryId/replay`, { ...ask, params })
}

/** Where nobody knows whether the secret was changed, deliveries may be signed with one that the client never saw. */
export async function rotateSecret(client: Client): Promise<void> {
  const thing = client.pick('subscriptions')
  if (thing === undefined) return
  const reply = await client.call(`POST ${SUBSCRIPTION}/secret`, { params: { subscriptionId: idOf(thing) }, as })
  const known = client.ledger.secrets.get(thing.mark)
  if (reply?.status === 200) known?.secrets.push(reply.json.secret)
  else client.ledger.secrets.delete(thing.mark)
}
