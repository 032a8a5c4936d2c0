// Somebody who does not know the sender, on a phone: the link at the foot of the message, one button, and nothing more.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { visit } from '../browser.ts'
import { typesOfEvents } from '../signature-requests.ts'
import {
  button,
  heading,
  PHONE,
  requireAccessible,
  requireEveryLanguageFits,
  requireQuiet,
  startJourneys,
  type Journeys,
} from './signatory.ts'

describe('journey: a message from a stranger', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
  })
  after(() => journeys.stop())

  const countReports = async (requestId: string) =>
    (await typesOfEvents(journeys.service, requestId)).filter((type) => type === 'signatoryreported').length

  test('is reported with one press, and looking alone reports nothing', async () => {
    const ceremony = await journeys.invite()
    const visitor = await visit(journeys.service.url, PHONE)
    const { page } = visitor
    await page.goto(`${await journeys.link(ceremony)}/report`)
    await heading(page, 'Report this message')
    assert.equal(await page.title(), 'Report this message')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await requireAccessible(page, `reporting, ${colorScheme}`)
    }
    await requireEveryLanguageFits(page, 'reporting')
    await page.reload()
    await heading(page, 'Report this message')
    assert.equal(await countReports(ceremony.requestId), 0)

    await button(page, 'Report this message').dblclick()
    await heading(page, 'Reported')
    await requireAccessible(page, 'reported')
    assert.equal(await countReports(ceremony.requestId), 1)
    assert.equal((await visitor.page.context().cookies()).length, 0)
    requireQuiet(visitor)
  })

  test('leads on to the documents for whoever knows the sender after all', async () => {
    const ceremony = await journeys.invite()
    const { page } = await visit(journeys.service.url, PHONE)
    await page.goto(`${await journeys.link(ceremony)}/report`)
    await page.getByRole('link', { name: 'I know the sender, open the request' }).click()
    await button(page, 'Go on to signing').waitFor()
    assert.equal(await countReports(ceremony.requestId), 0)
  })

  test('by a link that was cut off: says so', async () => {
    const { page } = await visit(journeys.service.url, PHONE)
    await page.goto(`${journeys.service.url}/sign/cut-off/report`)
    await button(page, 'Report this message').click()
    await heading(page, 'This link does not work')
  })
})
