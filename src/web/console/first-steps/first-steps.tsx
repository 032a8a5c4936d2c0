import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useLiveEvents } from '../live-events.ts'
import type { PageProps } from '../page-props.ts'
import { Page } from '../parts/page.tsx'
import { changeQuery } from '../router.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { DoneStep } from './done-step.tsx'
import { OpenStep } from './open-step.tsx'
import { SendStep } from './send-step.tsx'

const REFRESH_MS = 5_000
const SIGNED = ['Processing', 'Closed', 'Archiving', 'Archived', 'ArchivingFailed']

/** From nothing to a really signed document, each step also as a line for the terminal. */
export function FirstSteps({ query }: PageProps) {
  const id = query.get('request') ?? undefined
  const request = useResource(
    `first steps ${id}`,
    async () => (id === undefined ? null : await service.readSignatureRequest({ id })),
    { everyMs: REFRESH_MS },
  )
  useLiveEvents({
    onEvent: (event) => event.requestId === id && void request.reload(),
    onGap: () => void request.reload(),
  })
  const shown = request.data ?? undefined
  const isSigned = shown !== undefined && SIGNED.includes(shown.status)
  const isClosed = isSigned && shown.status !== 'Processing'
  return (
    <Page title="First steps" lead="Three steps to a document that is really signed, sealed and proven: yours.">
      <ol className="first-steps">
        <Step number={1} title="Send a document to yourself" isDone={shown !== undefined}>
          <SendStep sent={shown} onSent={(sent) => changeQuery({ request: sent })} />
        </Step>
        <Step number={2} title="Open the invitation and sign" isDone={isSigned}>
          {shown === undefined ? <Later /> : <OpenStep request={shown} isSigned={isSigned} />}
        </Step>
        <Step number={3} title="Keep the proof" isDone={isClosed}>
          {isSigned ? <DoneStep request={shown} isClosed={isClosed} /> : <Later />}
        </Step>
      </ol>
    </Page>
  )
}

type StepProps = { number: number; title: string; isDone: boolean; children: ReactNode }

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="card first-step">
      <div className="card-top">
        <h2 className="with-icon">
          {isDone ? (
            <span className="good">
              <Icon name="done" />
            </span>
          ) : (
            <span className="step-number" aria-hidden="true">
              {number}
            </span>
          )}
          <span>
            {title}
            {isDone && <span className="for-screen-readers"> (done)</span>}
          </span>
        </h2>
      </div>
      {children}
    </li>
  )
}

function Later() {
  return <p className="quiet">Comes after the step before.</p>
}
