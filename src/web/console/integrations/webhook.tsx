import { useState } from 'react'
import type { Subscription } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Card } from '../parts/card.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useAction } from '../use-action.ts'
import { isMissing, useResource } from '../use-resource.ts'
import { Deliveries, useDeliveries } from './deliveries.tsx'
import { SUBSCRIPTION_MARKS } from './hook-words.ts'
import { DeleteWebhook, ReplaySheet, RotateSecret } from './webhook-sheets.tsx'

type Sheet = 'rotate' | 'replay' | 'delete'

/** One webhook: its state, and everything that was sent to it. */
export function Webhook({ params, query }: PageProps) {
  const subscriptionId = params['id']!
  const { isAdministrator } = useMe()
  const departments = useDepartments()
  const webhook = useResource(`webhook ${subscriptionId}`, () => service.readSubscription({ subscriptionId }))
  const deliveries = useDeliveries(subscriptionId, query)
  const [sheet, setSheet] = useState<Sheet>()
  const { isBusy, error, run } = useAction()
  const say = useToast()
  if (isMissing(webhook.error)) return <NotFound what="webhook" />
  const test = () =>
    run(async () => {
      await service.testSubscription({ subscriptionId })
      say('A test is on its way.')
      await deliveries.reload()
    })
  return (
    <Page
      title={webhook.data?.description ?? 'Webhook'}
      // Its line is there from the beginning: what is below would move.
      lead={webhook.data?.uri ?? '\u00a0'}
      above={<BackLink to="/console/integrations/webhooks">Webhooks</BackLink>}
      action={
        isAdministrator && (
          <Button kind="primary" icon={ICONS.integrations} isBusy={isBusy} onPress={() => void test()}>
            Send a test
          </Button>
        )
      }
    >
      {error && <ErrorNotice error={error} />}
      <Loaded resource={webhook}>
        {(data) => (
          <>
            <AboutWebhook
              webhook={data}
              department={departments.nameOf(data.departmentId)}
              onSheet={setSheet}
              onChanged={webhook.reload}
            />
            <Deliveries subscriptionId={subscriptionId} query={query} deliveries={deliveries} />
          </>
        )}
      </Loaded>
      {webhook.data && sheet === 'rotate' && (
        <RotateSecret subscriptionId={subscriptionId} onClose={() => setSheet(undefined)} />
      )}
      {webhook.data && sheet === 'replay' && (
        <ReplaySheet subscriptionId={subscriptionId} onClose={() => setSheet(undefined)} onDone={deliveries.reload} />
      )}
      {webhook.data && sheet === 'delete' && (
        <DeleteWebhook webhook={webhook.data} onClose={() => setSheet(undefined)} />
      )}
    </Page>
  )
}

type AboutWebhookProps = {
  webhook: Subscription
  department: string | undefined
  onSheet: (sheet: Sheet) => void
  onChanged: () => Promise<void>
}

function AboutWebhook({ webhook, department, onSheet, onChanged }: AboutWebhookProps) {
  const { isAdministrator } = useMe()
  const mark = SUBSCRIPTION_MARKS[webhook.state]
  return (
    <Card
      title="This webhook"
      action={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
    >
      {webhook.stateReason !== null && <Notice kind="bad">{webhook.stateReason}</Notice>}
      <Facts
        facts={[
          ['Event', <code key="event">{webhook.eventType}</code>],
          ['Events of', department && (webhook.subdepartments ? `${department} and below` : department)],
          ['Headers that are sent along', webhook.headerNames.join(', ')],
          ['Added', <Moment key="added" at={webhook.createdAt} />],
          ['Id', <code key="id">{webhook.id}</code>],
        ]}
      />
      {isAdministrator && <WebhookActions webhook={webhook} onSheet={onSheet} onChanged={onChanged} />}
    </Card>
  )
}

function WebhookActions({ webhook, onSheet, onChanged }: Omit<AboutWebhookProps, 'department'>) {
  const { isBusy, error, run } = useAction()
  const subscriptionId = webhook.id
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      await onChanged()
    })
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <div className="actions">
        {webhook.state === 'active' ? (
          <Button
            icon="clock"
            isBusy={isBusy}
            onPress={() => void change(() => service.pauseSubscription({ subscriptionId }))}
          >
            Pause
          </Button>
        ) : (
          <Button
            icon="done"
            isBusy={isBusy}
            onPress={() => void change(() => service.resumeSubscription({ subscriptionId }))}
          >
            Resume
          </Button>
        )}
        <Button icon={ICONS.again} onPress={() => onSheet('replay')}>
          Send a span of time again
        </Button>
        <Button icon="key" onPress={() => onSheet('rotate')}>
          Replace the secret
        </Button>
        <Button kind="danger" icon={ICONS.remove} onPress={() => onSheet('delete')}>
          Delete
        </Button>
      </div>
    </>
  )
}
