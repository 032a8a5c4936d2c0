import type { PageProps } from '../page-props.ts'
import { BackLink } from '../parts/back-link.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NotFound } from '../parts/not-found.tsx'
import { Page } from '../parts/page.tsx'
import { PageSkeleton } from '../parts/skeleton.tsx'
import { useLiveEvents } from '../live-events.ts'
import { service } from '../service.ts'
import { isMissing, useResource } from '../use-resource.ts'
import { DocumentsCard } from './documents-card.tsx'
import { FactsCard } from './facts-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestState } from './request-state.tsx'
import type { HistoryEvent } from './shown-request.ts'
import { TimelineCard } from './timeline-card.tsx'

/** The stream tells at once; this is for when it does not get through. */
const REFRESH_MS = 20_000

/** One request: what it is and whom it waits for at the left, what happened at the right. */
export function Request({ params }: PageProps) {
  const id = params.id!
  const request = useResource(`request ${id}`, () => service.readSignatureRequest({ id }), { everyMs: REFRESH_MS })
  const history = useResource(`history ${id}`, () => readHistory(id))
  const reload = async () => {
    await Promise.all([request.reload(), history.reload()])
  }
  useLiveEvents({ onEvent: (event) => event.requestId === id && void reload(), onGap: () => void reload() })

  if (request.data === undefined) {
    if (isMissing(request.error)) return <NotFound what="signature request" />
    return request.error ? <ErrorNotice error={request.error} onRetry={reload} /> : <PageSkeleton />
  }
  const shown = request.data
  return (
    <Page
      above={<BackLink to="/console/requests">Signature requests</BackLink>}
      title={shown.subject}
      lead={<RequestState status={shown.status} statusReason={shown.statusReason} />}
      action={<RequestActions request={shown} onChange={reload} />}
    >
      {request.error && <ErrorNotice error={request.error} onRetry={reload} />}
      <div className="columns">
        <div className="stack">
          <PeopleCard request={shown} />
          <DocumentsCard request={shown} />
          <FactsCard request={shown} />
        </div>
        <Loaded resource={history}>{(events) => <TimelineCard request={shown} events={events} />}</Loaded>
      </div>
    </Page>
  )
}

const PAGE_SIZE = 500
const MOST_SHOWN = 2_000

/** The whole history, as far as people read. */
async function readHistory(id: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = []
  let continuationToken: string | undefined
  do {
    const page = await service.readSignatureRequestHistory({
      signatureRequestId: id,
      pageSize: PAGE_SIZE,
      ...(continuationToken && { continuationToken }),
    })
    events.push(...page.items)
    continuationToken = page.continuationToken ?? undefined
  } while (continuationToken !== undefined && events.length < MOST_SHOWN)
  return events
}
