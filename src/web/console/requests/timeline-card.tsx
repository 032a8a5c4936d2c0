import { en } from '#i18n/events/en.ts'
import { Card } from '../parts/card.tsx'
import { formatDay, formatTime } from '../format.ts'
import { useMe, type Me } from '../session.ts'
import type { HistoryEvent, ShownRequest } from './shown-request.ts'
import { VerifyHistory } from './verify-history.tsx'

const EVENT_NAMES: Readonly<Record<string, string>> = en

/** What happened, newest first. It grows by itself while people act. */
export function TimelineCard({ request, events }: { request: ShownRequest; events: HistoryEvent[] }) {
  const me = useMe()
  return (
    <Card title="What happened">
      <ol className="timeline">
        {[...events].reverse().map((event) => (
          <li key={event.id}>
            <p>
              <strong>{EVENT_NAMES[event.eventType] ?? event.eventType}</strong>
              {describeWhom(event, request)}
            </p>
            <p className="quiet small">
              <time dateTime={event.timestamp}>
                {formatDay(event.timestamp)}, {formatTime(event.timestamp)}
              </time>
              {describeActor(event, me)}
            </p>
          </li>
        ))}
      </ol>
      <VerifyHistory requestId={request.id} />
    </Card>
  )
}

function describeWhom({ signatoryId, data }: HistoryEvent, { signatories }: ShownRequest): string {
  const person = signatories.find(({ id }) => id === signatoryId)
  const name = person && ([person.firstName, person.lastName].filter(Boolean).join(' ') || person.email)
  const status = typeof data?.status === 'string' ? data.status : undefined
  return [name, status]
    .filter(Boolean)
    .map((word) => `: ${word}`)
    .join('')
}

function describeActor({ actor }: HistoryEvent, me: Me): string {
  switch (actor?.kind) {
    case 'user':
      return actor.id === me.id ? ', by you' : ', by a colleague'
    case 'key':
      return ', by a program'
    default:
      return ''
  }
}
