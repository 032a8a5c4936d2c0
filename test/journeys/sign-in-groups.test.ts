// As a newcomer does it with nothing set up: links and codes are read from the outbox, and the people sign in turn.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { visit, type Visit } from '../browser.ts'
import { until } from '../until.ts'
import { untilStatus, type Ceremony } from '../signing-flow.ts'
import { button, DESK, documentDrawn, heading, PHONE, requireQuiet, startJourneys, type Journeys } from './signatory.ts'

const PEOPLE = [
  { firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com', mobilePhone: '+358401234567' },
  { firstName: 'Björn', lastName: 'Åkesson', email: 'bjorn@example.com', mobilePhone: '+46701234567' },
  {
    firstName: 'Chiara',
    lastName: 'Rossi',
    email: 'chiara@example.com',
    mobilePhone: '+393331234567',
    signatoryGroupSigningOrder: 2,
  },
]

type Message = { id: string; kind: string; signatoryId: string; url: string | null; code: string | null }

describe('journey: three people in two groups', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
  })
  after(() => journeys.stop())

  /** The newest message of a kind to a person, as the administrator reads it in the outbox. */
  const fromOutbox = ({ requestId, signatoryIds }: Ceremony, person: number, kind: string): Promise<Message> =>
    until(`a message (${kind}) for ${PEOPLE[person]!.firstName}`, async () => {
      const { asAdministrator } = journeys.tenant
      const { json } = await asAdministrator('GET', `/messages?signatureRequestId=${requestId}`)
      const isWanted = (message: Message) => message.kind === kind && message.signatoryId === signatoryIds[person]
      const found = (json.items as Message[]).find(isWanted)
      if (found === undefined) return undefined
      // It can be read once the worker has laid it there.
      const { status, json: message } = await asAdministrator('GET', `/messages/${found.id}`)
      return status === 200 && (message as Message)
    })

  const open = async (ceremony: Ceremony, person: number): Promise<Visit> => {
    const { url } = await fromOutbox(ceremony, person, 'invitation')
    const visitor = await visit(journeys.service.url, person === 0 ? PHONE : DESK)
    await visitor.page.goto(journeys.service.url + new URL(url!).pathname)
    await documentDrawn(visitor.page)
    return visitor
  }

  const sign = async (ceremony: Ceremony, person: number, { page }: Visit, channel: 'e-mail' | 'SMS') => {
    await button(page, 'Go on to signing').click()
    await button(page, `Send a code by ${channel}`).click()
    await page.getByText('A code is on its way to').waitFor()
    const { code } = await fromOutbox(ceremony, person, 'code')
    await page.getByLabel('Code (six digits)').fill(code!)
    await button(page, 'Confirm the code').click()
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Signed')
  }

  for (const [strength, channel] of [
    ['Email', 'e-mail'],
    ['Sms', 'SMS'],
  ] as const) {
    test(`each signs with a code by ${channel}, the third when the first two have`, async () => {
      const ceremony = await journeys.invite({ signatories: PEOPLE, signingAuthenticationStrength: strength })
      const first = await open(ceremony, 0)
      const second = await open(ceremony, 1)
      const third = await journeys.open(ceremony, { ...DESK, signatory: 2 })
      await heading(third.page, 'It is not your turn yet')

      await Promise.all([sign(ceremony, 0, first, channel), sign(ceremony, 1, second, channel)])
      const { url } = await fromOutbox(ceremony, 2, 'invitation')
      await third.page.goto(journeys.service.url + new URL(url!).pathname)
      await documentDrawn(third.page)
      await sign(ceremony, 2, third, channel)
      await third.page.getByText('The documents are sealed, and the sender has them.').waitFor()

      const closed = await untilStatus(journeys.tenant, ceremony.requestId, 'Closed')
      assert.deepEqual(
        closed.signatories.map(({ state }: { state: string }) => state),
        ['Signed', 'Signed', 'Signed'],
      )
      for (const visitor of [first, second, third]) {
        requireQuiet(visitor)
        await visitor.context.close()
      }
    })
  }
})
