import { useDepartments } from '../departments/use-departments.ts'
import { Card } from '../parts/card.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import type { ShownRequest } from './shown-request.ts'
import { DELIVERY_NAMES, STRENGTH_NAMES } from './words.ts'

const NOT_A_REASON = ['Declined', 'Expired']

/** What was agreed on when the request was made, and its dates. */
export function FactsCard({ request }: { request: ShownRequest }) {
  const { expirationDate, openedDate, finishedDate, statusReason, archivingError } = request
  const departments = useDepartments()
  const reason = statusReason !== null && !NOT_A_REASON.includes(statusReason) ? statusReason : null
  return (
    <Card title="Details">
      <Facts
        facts={[
          ['Reason', reason],
          ['Archiving said', archivingError?.detail ?? archivingError?.name],
          ['Department', departments.nameOf(request.departmentId)],
          ['Created', <Moment key="created" at={request.creationDate} />],
          ['Sent', openedDate && <Moment at={openedDate} />],
          ['Can be signed until', expirationDate && <Moment at={expirationDate} />],
          ['Finished', finishedDate && <Moment at={finishedDate} />],
          ['Reaches people by', request.deliveryMethods.map((method) => DELIVERY_NAMES[method]).join(', ')],
          ['Before reading', STRENGTH_NAMES[request.readingAuthenticationStrength]],
          ['Before signing', STRENGTH_NAMES[request.signingAuthenticationStrength]],
          ['Your reference', request.externalReference],
          ['Id', <code key="id">{request.id}</code>],
        ]}
      />
    </Card>
  )
}
