import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../parts/card.tsx'
import { Copy } from '../parts/copy.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Moment } from '../parts/moment.tsx'
import { Row, Rows } from '../parts/rows.tsx'
import { formatCount } from '../format.ts'
import { service } from '../service.ts'
import { useAction } from '../use-action.ts'
import type { ShownRequest } from './shown-request.ts'
import { SignatoryMark } from './request-state.tsx'

type Signatory = ShownRequest['signatories'][number]

/** Who is asked, in which order, and how far each has come. */
export function PeopleCard({ request }: { request: ShownRequest }) {
  const { signatories } = request
  const signed = signatories.filter(({ state }) => state === 'Signed').length
  const hasOrder = new Set(signatories.map((person) => person.signatoryGroupSigningOrder)).size > 1
  return (
    <Card
      title="People"
      action={
        <span className="quiet small">
          {signed} of {formatCount(signatories.length, 'person has', 'people have')} signed
        </span>
      }
    >
      <Rows label="People">
        {signatories.map((person) => (
          <Person key={person.id} request={request} person={person} hasOrder={hasOrder} />
        ))}
      </Rows>
    </Card>
  )
}

type PersonProps = { request: ShownRequest; person: Signatory; hasOrder: boolean }

function Person({ request, person, hasOrder }: PersonProps) {
  const { firstName, lastName, email, mobilePhone, isMandatory, signatoryGroupSigningOrder, state } = person
  const name = [firstName, lastName].filter(Boolean).join(' ')
  const facts = [
    name && email,
    mobilePhone,
    hasOrder && `signs in group ${signatoryGroupSigningOrder}`,
    !isMandatory && 'optional',
  ].filter(Boolean)
  const canAct = request.status === 'Open' && (state === 'Invited' || state === 'Viewed')
  return (
    <Row
      title={name || email || mobilePhone || 'Somebody without a name'}
      detail={
        <>
          {facts.join(' · ')}
          {person.declineReason && <p>Declined because: “{person.declineReason}”</p>}
        </>
      }
      state={<SignatoryMark state={state} />}
      when={<When person={person} />}
      actions={canAct && <PersonalLink requestId={request.id} signatoryId={person.id} />}
    />
  )
}

function When({ person }: { person: Signatory }) {
  const at = person.signedDate ?? person.declinedDate ?? person.viewedDate ?? person.invitedDate
  return at === null ? null : <Moment at={at} />
}

/** Whoever has the link can act as this person, so it is shown only to who asks for it. */
function PersonalLink({ requestId, signatoryId }: { requestId: string; signatoryId: string }) {
  const [url, setUrl] = useState<string>()
  const { isBusy, error, run } = useAction()
  if (url !== undefined)
    return (
      <div className="secret-shown">
        <p className="small">Whoever opens this link acts as this person. Hand it to nobody else.</p>
        <code>{url}</code>
        <Copy text={url} what="personal link" />
      </div>
    )
  return (
    <>
      <Button
        icon="link"
        isBusy={isBusy}
        onPress={() =>
          void run(async () => setUrl((await service.getSignatoryLink({ id: requestId, signatoryId })).url))
        }
      >
        Show the personal link
      </Button>
      {error && <ErrorNotice error={error} />}
    </>
  )
}
