import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { formatCount } from '../format.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { curl } from '../parts/command-line.tsx'
import { ConfirmSheet } from '../parts/confirm-sheet.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, readSkip } from '../parts/pager.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { useToast } from '../parts/toasts.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { IntegrationTabs } from './integration-tabs.tsx'
import { NewKeySheet } from './new-key-sheet.tsx'
import { RotateKeySheet } from './rotate-key-sheet.tsx'
import type { ShownKey } from './shown-key.ts'

type Shown = { kind: 'new' } | { kind: 'rotate' | 'revoke'; key: ShownKey }

const TAKE = 50

/** The keys with which programs call the service: who has one, how much it is used, and new values. */
export function Keys({ query }: PageProps) {
  const skip = readSkip(query)
  const departments = useDepartments()
  const keys = useResource(`keys ${skip}`, () => service.listSubscriptionKeys({ skip, take: TAKE }))
  const [shown, setShown] = useState<Shown>()
  const create = (
    <Button kind="primary" icon={ICONS.plus} onPress={() => setShown({ kind: 'new' })}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="Integrations"
      lead="A program that calls the service shows a subscription key. Each has two values, so that one can be replaced while the other works."
      action={create}
    >
      <IntegrationTabs current="/console/integrations" />
      <Loaded resource={keys}>
        {({ items, total }) =>
          total === 0 ? (
            <NoKeys />
          ) : (
            <>
              <Rows label="Subscription keys">
                {items.map((key) => (
                  <KeyRow key={key.id} item={key} department={departments.nameOf(key.departmentId)} onShow={setShown} />
                ))}
              </Rows>
              <Pager skip={skip} take={TAKE} total={total} />
            </>
          )
        }
      </Loaded>
      {shown?.kind === 'new' && <NewKeySheet onClose={() => setShown(undefined)} onDone={keys.reload} />}
      {shown?.kind === 'rotate' && (
        <RotateKeySheet item={shown.key} onClose={() => setShown(undefined)} onDone={keys.reload} />
      )}
      {shown?.kind === 'revoke' && (
        <RevokeKey item={shown.key} onClose={() => setShown(undefined)} onDone={keys.reload} />
      )}
    </Page>
  )
}

type KeyRowProps = { item: ShownKey; department: string | undefined; onShow: (shown: Shown) => void }

function KeyRow({ item, department, onShow }: KeyRowProps) {
  const { name, lastUsedDate, callsToday, callsLast30Days, creationDate, rotationDate } = item
  return (
    <Row
      title={name}
      detail={
        <>
          {department === undefined ? 'Reaches its department' : `Reaches ${department}`} and everything below · made{' '}
          <Moment at={creationDate} isDistance />
          {rotationDate !== null && (
            <>
              {' '}
              · value replaced <Moment at={rotationDate} isDistance />
            </>
          )}
        </>
      }
      state={
        lastUsedDate === null ? (
          <StateMark tone="quiet" icon="clock">
            Never used
          </StateMark>
        ) : (
          <StateMark tone="good" icon="done">
            In use
          </StateMark>
        )
      }
      who={`${formatCount(callsToday, 'call', 'calls')} today, ${formatCount(callsLast30Days, 'call', 'calls')} in 30 days`}
      when={lastUsedDate === null ? null : <Moment at={lastUsedDate} isDistance />}
      actions={
        <>
          <Button icon={ICONS.again} onPress={() => onShow({ kind: 'rotate', key: item })}>
            Replace a value<span className="for-screen-readers"> of {name}</span>
          </Button>
          <Button icon={ICONS.remove} onPress={() => onShow({ kind: 'revoke', key: item })}>
            Delete<span className="for-screen-readers"> {name}</span>
          </Button>
        </>
      }
    />
  )
}

type RevokeKeyProps = { item: ShownKey; onClose: () => void; onDone: () => Promise<void> }

function RevokeKey({ item, onClose, onDone }: RevokeKeyProps) {
  const say = useToast()
  return (
    <ConfirmSheet
      title={`Delete the key ${item.name}?`}
      action="Delete the key"
      name={item.name}
      onClose={onClose}
      onConfirm={async () => {
        await service.revokeSubscriptionKey({ id: item.id })
        say(`The key ${item.name} is deleted.`)
        await onDone()
      }}
    >
      <p>
        Both values stop working at once, and every program that uses them is refused. It made{' '}
        {formatCount(item.callsLast30Days, 'call', 'calls')} in the last 30 days. This can’t be undone.
      </p>
      <p className="quiet">What was done with the key keeps its name.</p>
    </ConfirmSheet>
  )
}

function NoKeys() {
  return (
    <EmptyState icon="key" title="No program has a key yet" command={curl('/signing/signaturerequest?take=5')}>
      A subscription key lets a program of yours send documents for signature and follow them. Create one, keep it like
      a password, and send it with every call.
    </EmptyState>
  )
}
