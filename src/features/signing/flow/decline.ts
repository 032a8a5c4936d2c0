import { appendEvents } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { alreadySigned, notAsked, wrongStatus } from '../errors.ts'
import { endLinkOf } from '../end-links.ts'
import { getLockedFlow, isRunning, subjectOf } from './flow.ts'
import { declineSignatory, findRequestOfSignatory, listPeople } from './flow-statements.ts'
import { goOn } from './go-on.ts'
import { isAsked } from './people.ts'
import { withdraw } from './withdraw.ts'

export type Decline = { tenantId: string; signatoryId: string; reason: string; now: Date }

/** Records a person's refusal. Of somebody who has to sign it ends the request; otherwise the others go on. */
export async function decline(tx: Tx, { tenantId, signatoryId, reason, now }: Decline): Promise<void> {
  const { requestId } = await findRequestOfSignatory.one(tx, { tenantId, signatoryId })
  const flow = await getLockedFlow(tx, { tenantId, requestId })
  const people = await listPeople.many(tx, { tenantId, requestId })
  const person = people.find(({ id }) => id === signatoryId)!
  if (person.state === 'Declined') return
  if (person.state === 'Signed' || person.hasConfirmed) throw alreadySigned()
  if (!isRunning(flow, now)) throw wrongStatus(flow.status === 'Open' ? 'expired' : flow.status, 'declined')
  if (!isAsked(person)) throw notAsked()

  const actor = { kind: 'signatory' as const, id: signatoryId }
  const { creatorId } = flow
  await declineSignatory.run(tx, { tenantId, signatoryId, reason, now })
  const event = { type: 'signatorydeclined', actor, signatoryId, data: { creatorId, reason } }
  await appendEvents(tx, subjectOf(tenantId, flow), [event], now)
  if (!person.isMandatory) {
    await endLinkOf(tx, { tenantId, signatoryId, now })
    await goOn(tx, { tenantId, flow, now })
    return
  }
  const cause = { type: 'signaturerequestdeclined', data: { signatoryId, reason } }
  await withdraw(tx, { tenantId, flow, move: 'decline', actor, reason: 'Declined', cause, now })
}
