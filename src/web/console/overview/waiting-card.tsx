import { Card } from '../parts/card.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { describeWaiting } from '../requests/request-state.tsx'
import { Link } from '../router.tsx'
import type { Answer } from '../service.ts'

type Listing = Answer<'listSignatureRequests'>

/** What waits for whom, the newest first. */
export function WaitingCard({ listing: { items, total } }: { listing: Listing }) {
  return (
    <Card
      title="Waiting for people"
      action={total > items.length && <Link to="/console/requests?status=Open">All that wait</Link>}
    >
      {items.length === 0 ? (
        <p className="quiet">Nobody has to sign anything at the moment.</p>
      ) : (
        <Rows label="Waiting for people">
          {items.map((request) => (
            <Row
              key={request.id}
              to={`/console/requests/${request.id}`}
              title={request.subject}
              detail={describeWaiting(request)}
              when={
                request.expirationDate && (
                  <>
                    ends <Moment at={request.expirationDate} isDistance />
                  </>
                )
              }
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}
