// What others were told: webhooks and messages, held against what was committed.
import { createHmac } from 'node:crypto'
import { EVENT_TYPES } from '#features/event/index.ts'
import type { Received } from '../../fakes/webhook-receiver.ts'
import type { SubscriptionRow } from '../rows.ts'
import type { World } from '../world.ts'
import { byId, each, keyOf, together, type Invariant } from './invariant.ts'

const SUBSCRIBABLE = new Set<string>(EVENT_TYPES)
const FINISHED = new Set(['Closed', 'Canceled', 'Archiving', 'Archived', 'ArchivingFailed'])
const BEFORE_THE_END = new Set(['invitation', 'reminder', 'code'])
/**
 * Whether a request still runs is looked at right before an e-mail is handed over, so one that was on its way at the end may
 * arrive after it: as much later as a worker is paused at most (12 seconds), and 3 for a machine that has much else to do.
 */
const ON_ITS_WAY_MS = 15_000

/** An event that happens while a subscription is being made may be handed out before that is there. */
const LONGEST_CALL_MS = 15_000

const pathOf = ({ uri }: SubscriptionRow) => new URL(uri).pathname
const markOf = ({ path }: Received) => path.split('/').pop()!
const messageIdOf = (header: string | undefined) => header?.slice(1).split('@')[0] ?? ''

function isSignedWith(secret: string, { id, headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const made = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`).digest('base64')
  return headers['webhook-signature']!.split(' ').includes(`v1,${made}`)
}

/** The subscriptions that were there, running and wanting this, when an event happened; they reach the whole tenant. */
function wanting(world: World): Map<string, SubscriptionRow[]> {
  const steady = world.rows.hook_subscription.filter((row) => row.state === 'active' && row.deleted_at === null)
  return Map.groupBy(steady, (row) => keyOf(row.tenant_id, row.event_type))
}

export const OUTSIDE: readonly Invariant[] = [
  {
    name: 'every-event-is-handed-out',
    says: 'Every event is in the feed once or still waits to be, every subscription to it has its delivery, and no delivery is without its event.',
    check(world) {
      const { rows, ledger } = world
      const isThereAt = ({ id, created_at: createdAt }: SubscriptionRow) =>
        ledger.subscribedAt.get(id) ?? createdAt.getTime() + LONGEST_CALL_MS
      const waiting = new Set(rows.outbox.map(({ tenant_id: tenantId, id }) => keyOf(tenantId, id)))
      const fed = Map.groupBy(rows.event_feed, (row) => keyOf(row.tenant_id, row.event_id))
      const deliveries = new Set(
        rows.hook_delivery.map((row) => `${keyOf(row.tenant_id, row.id)} ${row.subscription_id}`),
      )
      const events = byId(rows.event)
      const subscribed = wanting(world)
      return together(
        each(
          rows.event.filter(({ type }) => SUBSCRIBABLE.has(type)),
          ({ tenant_id: tenantId, id, type, at }) => {
            const key = keyOf(tenantId, id)
            const times = fed.get(key)?.length ?? 0
            if (waiting.has(key)) return times > 0 && `event ${id} is in the feed and still waits for it`
            if (times !== 1) return `event ${id} is in the feed ${times} times`
            const missing = (subscribed.get(keyOf(tenantId, type)) ?? []).find(
              (row) => isThereAt(row) < at.getTime() && !deliveries.has(`${key} ${row.id}`),
            )
            return missing && `event ${id} (${type}) has no delivery for subscription ${missing.id}`
          },
        ),
        each(
          rows.hook_delivery,
          (row) => !row.is_test && !events.has(keyOf(row.tenant_id, row.id)) && `delivery ${row.id} has no event`,
        ),
      )
    },
  },
  {
    name: 'delivered-was-received',
    says: 'A delivery counts as delivered only if its receiver has it.',
    check({ rows, received }) {
      const subscriptions = byId(rows.hook_subscription)
      const arrived = new Set(received.map(({ path, id }) => `${path} ${id}`))
      return each(
        rows.hook_delivery.filter(({ state }) => state === 'delivered'),
        ({ tenant_id: tenantId, subscription_id: subscriptionId, id }) => {
          const subscription = subscriptions.get(keyOf(tenantId, subscriptionId))
          return subscription && !arrived.has(`${pathOf(subscription)} ${id}`) && `delivery ${id} never arrived`
        },
      )
    },
  },
  {
    name: 'sent-was-taken',
    says: 'An e-mail counts as sent only if the mail server has said that it has it.',
    check({ rows, mails }) {
      const taken = new Set(mails.filter(({ isTaken }) => isTaken).map(({ headers }) => headers['message-id']?.[0]))
      return each(
        rows.message.filter(({ channel, state }) => channel === 'email' && state === 'sent'),
        ({ id, kind, message_id: mailId }) =>
          (mailId === null || !taken.has(mailId)) && `message ${id} (${kind}) counts as sent and was never taken`,
      )
    },
  },
  {
    name: 'everything-arrives',
    says: 'Every delivery to a receiver that works arrives, whatever was killed in between.',
    onlyAtRest: true,
    check({ rows }) {
      const subscriptions = byId(rows.hook_subscription)
      return each(rows.hook_delivery, (delivery) => {
        const { tenant_id: tenantId, subscription_id: subscriptionId, id, state, is_test: isTest } = delivery
        const subscription = subscriptions.get(keyOf(tenantId, subscriptionId))
        const isExpected = subscription?.state === 'active' && subscription.deleted_at === null
        // A test is tried once: somebody waits for its outcome.
        if (!isExpected || state === 'delivered' || (isTest && state === 'parked')) return undefined
        const { tries, due_at: dueAt, request_id: requestId } = delivery
        const due = dueAt ? `due ${dueAt.toISOString()}` : 'not due'
        return `delivery ${id}${isTest ? ', a test,' : ''} of ${requestId} is ${state}, ${due}, tried ${tries} times`
      })
    },
  },
  {
    name: 'nothing-made-up',
    says: 'Whatever a receiver or a mailbox got was committed before it was sent.',
    check({ rows, arrivedBefore: { received, mails } }) {
      const ids = new Set([...rows.event.map(({ id }) => id), ...rows.hook_delivery.map(({ id }) => id)])
      const messages = new Map(rows.message.map((message) => [message.id, message]))
      const erased = new Set(rows.event.filter(({ type }) => type === 'signatoryerased').map((e) => e.signatory_id))
      return together(
        each(received, ({ id, path }) => !ids.has(id) && `${path} got ${id}, which never happened`),
        each(mails, ({ headers, to }) => {
          const message = messages.get(messageIdOf(headers['message-id']?.[0]))
          if (message === undefined) return `${to.join()} got a message that is not recorded`
          const isForgotten = message.recipient === null && erased.has(message.signatory_id)
          return !isForgotten && message.recipient !== to[0] && `${to.join()} got the message of ${message.recipient}`
        }),
      )
    },
  },
  {
    name: 'one-id-one-content',
    says: 'A delivery has the same id and the same bytes at every try, and its signature verifies.',
    check({ ledger, received }) {
      const tries = Map.groupBy(received, ({ path, id }) => `${path} ${id}`)
      const known = received.filter((one) => ledger.secrets.has(markOf(one)))
      return together(
        each(
          tries,
          ([what, all]) => new Set(all.map(({ body }) => body)).size > 1 && `${what} came with other content`,
        ),
        each(known, (one) => {
          const { secrets } = ledger.secrets.get(markOf(one))!
          return !secrets.some((secret) => isSignedWith(secret, one)) && `${one.path} ${one.id} is not signed by us`
        }),
      )
    },
  },
  {
    name: 'over-is-over',
    says: 'After the end of a request nobody is invited, reminded or sent a code, but by an e-mail that was on its way, for fifteen seconds; and its links are dead.',
    check({ rows, ledger, mails }) {
      const requests = new Map(rows.signature_request.map((request) => [request.id, request]))
      const messages = new Map(rows.message.map((message) => [message.id, message]))
      const signatories = new Map(rows.signatory.map(({ id, request_id: requestId }) => [id, requestId]))
      return together(
        each(rows.message, ({ id, kind, request_id: requestId, created_at: createdAt }) => {
          const end = requests.get(requestId ?? '')?.finished_at ?? null
          return (
            BEFORE_THE_END.has(kind) && end !== null && createdAt > end && `message ${id} (${kind}) came after the end`
          )
        }),
        each(mails, ({ headers, at }) => {
          const message = messages.get(messageIdOf(headers['message-id']?.[0]))
          const end = requests.get(message?.request_id ?? '')?.finished_at ?? null
          if (message === undefined || end === null || !BEFORE_THE_END.has(message.kind)) return undefined
          const lateMs = at - end.getTime()
          return lateMs > ON_ITS_WAY_MS && `message ${message.id} (${message.kind}) arrived ${lateMs} ms after the end`
        }),
        each(
          rows.credential.filter(({ kind }) => kind === 'link'),
          ({ ref_id: signatoryId }) => {
            const request = requests.get(signatories.get(signatoryId) ?? '')
            return (
              request &&
              FINISHED.has(request.status) &&
              `${signatoryId} of a request that is ${request.status} has a link`
            )
          },
        ),
        each(
          ledger.deadLinks,
          ({ requestId, status }) => status < 300 && `the link of ${requestId} opened after its end`,
        ),
      )
    },
  },
]
