import { appendEvents, SYSTEM } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { subjectOf, type Flow } from './flow.ts'
import { inviteSignatories, listPeople } from './flow-statements.ts'
import { nextToInvite } from './people.ts'
import { tellPeople } from './tell-people.ts'

/** Asks those whose turn has come. The caller holds the request. */
export async function inviteNext(
  tx: Tx,
  { tenantId, flow, now }: { tenantId: string; flow: Flow; now: Date },
): Promise<void> {
  const people = nextToInvite(await listPeople.many(tx, { tenantId, requestId: flow.requestId }))
  if (people.length === 0) return
  await inviteSignatories.run(tx, { tenantId, signatoryIds: people.map((person) => person.id), now })
  const events = people.map((person) => ({
    type: 'signatoryinvited',
    actor: SYSTEM,
    signatoryId: person.id,
    data: { creatorId: flow.creatorId, deliveryMethods: flow.deliveryMethods },
  }))
  await appendEvents(tx, subjectOf(tenantId, flow), events, now)
  await tellPeople(tx, { tenantId, flow, people, kind: 'invitation', now })
}
