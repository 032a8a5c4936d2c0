import { Notice } from '../../ui/notice.tsx'
import { formatCount } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { RequestState } from '../requests/request-state.tsx'
import { Link } from '../router.tsx'
import type { Answer } from '../service.ts'

type State = Answer<'readOverview'>
type Requests = Answer<'listSignatureRequests'>['items']

/** What went wrong and needs somebody; nothing at all where nothing did. */
export function TroubleCard({ state, requests }: { state: State; requests: Requests }) {
  const troubles = listTroubles(state)
  if (requests.length === 0 && troubles.length === 0) return <Notice kind="good">Nothing needs your attention.</Notice>
  return (
    <Card title="Needs attention">
      {troubles.map(({ text, to }) => (
        <p key={text} className="with-icon">
          <Link to={to}>{text}</Link>
        </p>
      ))}
      {requests.length > 0 && (
        <Rows label="Needs attention">
          {requests.map(({ id, subject, status, statusReason }) => (
            <Row
              key={id}
              to={`/console/requests/${id}`}
              title={subject}
              detail={statusReason}
              state={<RequestState status={status} statusReason={statusReason} />}
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}

function listTroubles({ signatureRequests, sealingRequests, invitations, reports, messages, webhooks, jobs }: State) {
  const found: { amount: number; text: string; to: string }[] = [
    {
      amount: signatureRequests.archivingFailed,
      text: `${formatCount(signatureRequests.archivingFailed, 'request', 'requests')} could not be archived`,
      to: '/console/requests?status=ArchivingFailed',
    },
    {
      amount: sealingRequests.error,
      text: `${formatCount(sealingRequests.error, 'sealing request', 'sealing requests')} could not be sealed`,
      to: '/console/sealing',
    },
    {
      amount: invitations?.refusedDate ? 1 : 0,
      text: `No more people can be invited today: the limit of ${formatCount(invitations?.perDay ?? 0, 'invitation', 'invitations')} a day is reached`,
      to: '/console/activity',
    },
    {
      amount: reports?.amount ?? 0,
      text: `${formatCount(reports?.amount ?? 0, 'person has', 'people have')} reported a message as unwanted this week`,
      to: `/console/requests/${reports?.latestRequestId ?? ''}`,
    },
    {
      amount: messages?.failed ?? 0,
      text: `${formatCount(messages?.failed ?? 0, 'message', 'messages')} could not be delivered`,
      to: '/console/messages?state=failed',
    },
    {
      amount: (webhooks?.failing ?? 0) + (webhooks?.disabled ?? 0),
      text: `${formatCount((webhooks?.failing ?? 0) + (webhooks?.disabled ?? 0), 'webhook does', 'webhooks do')} not get through`,
      to: '/console/integrations',
    },
    {
      amount: jobs?.dead ?? 0,
      text: `${formatCount(jobs?.dead ?? 0, 'task was', 'tasks were')} given up after many tries`,
      to: '/console/activity',
    },
  ]
  return found.filter(({ amount }) => amount > 0)
}
