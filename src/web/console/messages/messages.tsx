import { useState } from 'react'
import type { MessageSummary } from '#client'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDepartments } from '../departments/use-departments.ts'
import { ICONS } from '../icons.ts'
import type { PageProps } from '../page-props.ts'
import { Choice } from '../parts/choice.tsx'
import { curl } from '../parts/command-line.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Filters } from '../parts/filters.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Older } from '../parts/older.tsx'
import { Page } from '../parts/page.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { StateMark } from '../parts/state-mark.tsx'
import { changeQuery, Link } from '../router.tsx'
import { service, type Answer } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { MessageSheet } from './message-sheet.tsx'
import { CHANNELS, describeGateways, KINDS, STATES } from './message-words.ts'

const TAKE = 50

type State = MessageSummary['state']
type Gateways = Answer<'listMessages'>['gateways']

/** What people were told by e-mail and text message, and what lies here because nothing can be sent. */
export function Messages({ query }: PageProps) {
  const state = (query.get('state') ?? '') as State | ''
  const before = query.get('before') ?? ''
  const departments = useDepartments()
  const messages = useResource(`messages ${query.toString()}`, () =>
    service.listMessages({ take: TAKE, ...(state && { state }), ...(before && { before }) }),
  )
  const [opened, setOpened] = useState<MessageSummary>()
  const states = Object.entries(STATES).map(([value, { words }]) => [value as State, words] as const)
  return (
    <Page title="Messages" lead="E-mails and text messages to signatories and new users, newest first.">
      <Loaded resource={messages}>
        {({ items, gateways }) => (
          <>
            <Notice kind={gateways.email && gateways.sms ? 'good' : 'warn'}>{describeGateways(gateways)}</Notice>
            <Filters>
              <Choice
                label="State"
                value={state}
                options={[['', 'All'], ...states]}
                onChange={(value) => changeQuery({ state: value, before: undefined })}
              />
            </Filters>
            {items.length === 0 ? (
              <NoMessages isFiltered={state !== ''} />
            ) : (
              <Rows label="Messages">
                {items.map((message) => (
                  <MessageRow
                    key={message.id}
                    message={message}
                    gateways={gateways}
                    department={departments.nameOf(message.departmentId)}
                    onOpen={() => setOpened(message)}
                  />
                ))}
              </Rows>
            )}
            <Older items={items} take={TAKE} before={before} />
          </>
        )}
      </Loaded>
      {opened && <MessageSheet message={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}

type MessageRowProps = {
  message: MessageSummary
  gateways: Gateways
  department: string | undefined
  onOpen: () => void
}

function MessageRow({ message, gateways, department, onOpen }: MessageRowProps) {
  const { kind, channel, state, recipient, signatureRequestId, problem, attempts, createdAt } = message
  const mark = STATES[state]
  const canRead = state === 'outbox' && !gateways[channel]
  return (
    <Row
      title={KINDS[kind]}
      detail={
        <>
          {CHANNELS[channel]}
          {department && ` · ${department}`}
          {attempts > 1 && ` · ${attempts} tries`}
          {problem && ` · ${problem}`}
        </>
      }
      state={
        <StateMark tone={mark.tone} icon={mark.icon}>
          {mark.words}
        </StateMark>
      }
      who={recipient ?? 'Not addressed yet'}
      when={<Moment at={createdAt} />}
      actions={
        (canRead || signatureRequestId !== null) && (
          <>
            {canRead && (
              <Button icon={ICONS.eye} onPress={onOpen}>
                Read
                <span className="for-screen-readers">
                  {' '}
                  {KINDS[kind]} to {recipient}
                </span>
              </Button>
            )}
            {signatureRequestId !== null && (
              <Link to={`/console/requests/${signatureRequestId}`} className="button button-quiet">
                <span>
                  Go to its request<span className="for-screen-readers"> ({recipient})</span>
                </span>
              </Link>
            )}
          </>
        )
      }
    />
  )
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className="quiet">No message is in this state.</p>
  return (
    <EmptyState icon={ICONS.messages} title="Nobody was told anything yet" command={curl('/messages?take=50')}>
      When you send a document for signature, each signatory is invited by e-mail or text message. What becomes of every
      message stands here.
    </EmptyState>
  )
}
