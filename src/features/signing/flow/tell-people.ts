// Messages to signatories. A message row says who and what kind; its words and links are made when it is sent.
import { sendMessage } from '#features/messages/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Flow, FlowPerson } from './flow.ts'
import { isLeftAlone } from './people.ts'

type Kind = 'invitation' | 'reminder' | 'canceled' | 'completed'

/** Asks for one message by each delivery method but Link, by which nobody is messaged. */
export async function tellPeople(
  tx: Tx,
  { tenantId, flow, people, kind, now }: { tenantId: string; flow: Flow; people: FlowPerson[]; kind: Kind; now: Date },
): Promise<void> {
  const { requestId, departmentId } = flow
  for (const person of people.filter((one) => !isLeftAlone(one))) {
    const language = person.languageCode ?? flow.languageCode ?? 'en'
    for (const channel of channelsTo(flow, person)) {
      const message = { tenantId, departmentId, kind, channel, requestId, signatoryId: person.id, language, now }
      await sendMessage(tx, message)
    }
  }
}

function channelsTo({ deliveryMethods }: Flow, { email, mobilePhone }: FlowPerson): ('email' | 'sms')[] {
  return [
    ...(deliveryMethods.includes('Email') && email !== null ? (['email'] as const) : []),
    ...(deliveryMethods.includes('Sms') && mobilePhone !== null ? (['sms'] as const) : []),
  ]
}
