import { ICONS } from '../icons.ts'
import { LinkButton } from '../parts/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { RowsSkeleton } from '../parts/skeleton.tsx'
import { service } from '../service.ts'
import { useResource } from '../use-resource.ts'
import { CertificatesCard } from './certificates-card.tsx'
import { Figures } from './figures.tsx'
import { HealthCard } from './health-card.tsx'
import { TroubleCard } from './trouble-card.tsx'
import { WaitingCard } from './waiting-card.tsx'
import { WelcomeCard } from './welcome-card.tsx'

const REFRESH_MS = 15_000
const SHOWN = 6

/** What waits for whom, what went wrong, and how the service is. */
export function Overview() {
  const overview = useResource('overview', readAll, { everyMs: REFRESH_MS })
  return (
    <Page
      title="Overview"
      action={
        <LinkButton kind="primary" icon={ICONS.plus} to="/console/requests/new">
          New request
        </LinkButton>
      }
    >
      <Loaded resource={overview} outline={<RowsSkeleton rows={8} />}>
        {({ state, waiting, troubled, isNew }) => (
          <>
            {isNew && <WelcomeCard />}
            <Figures state={state} />
            <div className="columns">
              <div className="stack">
                <TroubleCard state={state} requests={troubled} />
                <WaitingCard listing={waiting} />
              </div>
              <div className="stack">
                <HealthCard state={state} />
                <CertificatesCard certificates={state.certificates} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

async function readAll() {
  const [state, waiting, troubled, all] = await Promise.all([
    service.readOverview(),
    service.listSignatureRequests({ status: 'Open', take: SHOWN }),
    service.listSignatureRequests({ status: 'Error', take: SHOWN }),
    service.listSignatureRequests({ take: 1 }),
  ])
  // The first steps make the first request; the way back to them stays until there is another.
  return { state, waiting, troubled: troubled.items, isNew: all.total < 2 }
}
