import { useState } from 'react'
import type { Subscription } from '#client'
import { Button } from '../../ui/button.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { service } from '../service.ts'
import { useMe } from '../session.ts'
import { useResource } from '../use-resource.ts'
import { SUBSCRIPTION_MARKS } from './hook-words.ts'
import { IntegrationTabs } from './integration-tabs.tsx'
import { NewWebhookSheet } from './new-webhook-sheet.tsx'

const TAKE = 50

/** Where the service tells other programs what happens. */
export function Webhooks({ query }: PageProps) {
  const { isAdministrator } = useMe()
  const skip = readSkip(query)
  const departments = useDepartments()
  const webhooks = useResource(`webhooks ${skip}`, () => service.listSubscriptions({ skip, take: TAKE }))
  const [isAdding, setAdding] = useState(false)
  const add = isAdministrator && (
    <Button kind="primary" icon={ICONS.plus} onPress={() => setAdding(true)}>
      Add a webhook
    </Button>
  )
  return (
    <Page
      title="Integrations"
      lead="A webhook tells a program of yours what happens, signed and in order for each request. What does not arrive is tried again for three days."
      action={add}
    >
      <IntegrationTabs current="/console/integrations/webhooks" />
      <Loaded resource={webhooks}>
        {({ items, total }) =>
          total === 0 ? (
            <NoWebhooks />
          ) : (
            <>
              <Rows label="Webhooks">
                {items.map((item) => (
                  <WebhookRow key={item.id} item={item} department={departments.nameOf(item.departmentId)} />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} />
            </>
          )
        }
      </Loaded>
      {isAdding && <NewWebhookSheet onClose={() => setAdding(false)} onDone={webhooks.reload} />}
    </Page>
  )
}

function WebhookRow({ item, department }: { item: Subscription; department: string | undefined }) {
  const { id, uri, eventType, description, state, subdepartments, createdAt } = item
  const mark = SUBSCRIPTION_MARKS[state]
  const where = department === undefined ? '' : subdepartments ? `${department} and below` : department
  return (
    <Row
      to={`/console/integrations/webhooks/${id}`}
      title={description ?? uri}
      detail={
        <>
          <code>{eventType}</code> {description !== null && `to ${uri}`}
        </>
      }
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      who={where}
      when={<Moment at={createdAt} />}
    />
  )
}

const EXAMPLE = { eventType: 'signaturerequestcompleted', uri: 'https://hooks.example.com/countersign' }

function NoWebhooks() {
  return (
    <EmptyState
      icon={ICONS.integrations}
      title="Nobody is told yet"
      command={`${curl('/hooks/v1/subscription', { method: 'POST', body: EXAMPLE })} \\\n  -H "Authorization: Bearer $TOKEN"`}
    >
      Name an address of yours and a kind of event, such as a request that everybody has signed. The service then sends
      a signed message there, moments after it happened, so that your programs need not ask again and again.
    </EmptyState>
  )
}
