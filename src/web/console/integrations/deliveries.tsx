import { useState } from 'react'
import type { Delivery, DeliveryTry } from '#client'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatAmount, formatMoment } from '../format.ts'
import { ICONS } from '../icons.ts'
import { Choice } from '../parts/choice.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { useToast } from '../parts/toasts.tsx'
import { changeQuery, Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useMe } from '../session.ts'
import { useAction } from '../use-action.ts'
import { useResource, type Resource } from '../use-resource.ts'
import { DELIVERY_MARKS, nameOfPayload, pageOfPayload, prettyPayload } from './hook-words.ts'

const TAKE = 20
const LOOK_AGAIN_MS = 3_000

type State = Delivery['state']

const STATES = [
  ['', 'All'],
  ['delivered', 'Delivered'],
  ['waiting', 'Waiting'],
  ['parked', 'Given up'],
] as const

/** What was and will be sent, looked at again while something waits. */
export function useDeliveries(subscriptionId: string, query: URLSearchParams): Resource<Answer<'listDeliveries'>> {
  const skip = readSkip(query)
  const state = query.get('state') as State | null
  const [isWaiting, setWaiting] = useState(false)
  return useResource(
    `deliveries ${subscriptionId} ${skip} ${state ?? ''}`,
    async () => {
      const found = await service.listDeliveries({ subscriptionId, skip, take: TAKE, ...(state && { state }) })
      setWaiting(found.items.some((delivery) => delivery.state === 'waiting'))
      return found
    },
    { everyMs: isWaiting ? LOOK_AGAIN_MS : undefined },
  )
}

export type DeliveriesProps = {
  subscriptionId: string
  query: URLSearchParams
  deliveries: Resource<Answer<'listDeliveries'>>
}

/** Every delivery of a webhook with every try, its request and its answer. */
export function Deliveries({ subscriptionId, query, deliveries }: DeliveriesProps) {
  const skip = readSkip(query)
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="section-top">
        <h2 id="deliveries">Deliveries</h2>
        <Choice
          label="Show"
          value={(query.get('state') ?? '') as State | ''}
          options={STATES}
          onChange={(state) => changeQuery({ state, skip: undefined })}
        />
      </div>
      <Loaded resource={deliveries}>
        {({ items, total, totalIsCapped, failingSince, closedUntil }) => (
          <>
            {failingSince !== null && (
              <Notice kind="bad">
                The address has failed since {formatMoment(failingSince)}.
                {closedUntil !== null && ` It is left alone until ${formatMoment(closedUntil)}.`}
              </Notice>
            )}
            {items.length === 0 ? (
              <EmptyState icon={ICONS.integrations} title="Nothing was sent yet">
                The next event of this kind appears here with every try. A test shows at once whether the address
                answers.
              </EmptyState>
            ) : (
              <ul className="rows" aria-label="Deliveries">
                {items.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    subscriptionId={subscriptionId}
                    delivery={delivery}
                    onReplayed={deliveries.reload}
                  />
                ))}
              </ul>
            )}
            <Pager skip={skip} take={TAKE} total={total} isCapped={totalIsCapped} />
          </>
        )}
      </Loaded>
    </section>
  )
}

type DeliveryRowProps = { subscriptionId: string; delivery: Delivery; onReplayed: () => Promise<void> }

function DeliveryRow({ subscriptionId, delivery, onReplayed }: DeliveryRowProps) {
  const { id, state, isTest, createdAt, tries, nextTryAt } = delivery
  const mark = DELIVERY_MARKS[state]
  const last = tries.at(-1)
  const page = isTest ? undefined : pageOfPayload(delivery.payload)
  return (
    <li>
      <details className="delivery">
        <summary>
          <Icon name={ICONS.forward} />
          <span className="delivery-name">
            <strong>{isTest ? 'A test' : nameOfPayload(delivery.payload)}</strong>
            <span className="quiet small">
              {describeTries(tries.length)}
              {last !== undefined &&
                `, ${last.status === null ? 'the last without an answer' : `last answered ${last.status}`}`}
            </span>
          </span>
          <StateMark tone={mark.tone} icon={mark.icon}>
            {mark.words}
          </StateMark>
          <span className="quiet small">
            <Moment at={createdAt} />
          </span>
        </summary>
        <div className="delivery-inside">
          <p className="small">
            Id <code>{id}</code>
            {nextTryAt !== null && ` · next try ${formatMoment(nextTryAt)}`}
          </p>
          {page !== undefined && <Link to={page}>Open the request</Link>}
          <Block label="What is sent" text={prettyPayload(delivery.payload)} />
          {tries.map((attempt) => (
            <Try key={attempt.number} attempt={attempt} />
          ))}
          <Replay subscriptionId={subscriptionId} deliveryId={id} onReplayed={onReplayed} />
        </div>
      </details>
    </li>
  )
}

function describeTries(count: number): string {
  if (count === 0) return 'Not tried yet'
  return count === 1 ? 'One try' : `${formatAmount(count)} tries`
}

function Try({ attempt }: { attempt: DeliveryTry }) {
  const { number, at, durationMs, status, error, answer, request } = attempt
  const isGood = error === null
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section className="try" aria-label={`Try ${number}`}>
      <h3 className={isGood ? 'with-icon good' : 'with-icon bad'}>
        <Icon name={isGood ? 'done' : 'cross'} />
        <span>
          Try {number}: {status ?? 'no answer'}
        </span>
      </h3>
      <p className="quiet small">
        <Moment at={at} />, {formatAmount(durationMs)} ms{error !== null && ` · ${error}`}
      </p>
      <Block label="Request" text={[`${request.method} ${request.uri}`, ...headers].join('\n')} />
      {answer !== null && answer !== '' && <Block label="Answer" text={answer} />}
    </section>
  )
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <figure className="block">
      <figcaption className="quiet small">{label}</figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}

type ReplayProps = { subscriptionId: string; deliveryId: string; onReplayed: () => Promise<void> }

function Replay({ subscriptionId, deliveryId, onReplayed }: ReplayProps) {
  const { isAdministrator } = useMe()
  const say = useToast()
  const { isBusy, error, run } = useAction()
  if (!isAdministrator) return null
  const replay = () =>
    run(async () => {
      await service.replayDelivery({ subscriptionId, deliveryId })
      say('It is being sent again.')
      await onReplayed()
    })
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <div className="actions">
        <Button icon={ICONS.again} isBusy={isBusy} onPress={() => void replay()}>
          Send this one again
        </Button>
      </div>
    </>
  )
}
