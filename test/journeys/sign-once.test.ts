// However a person clicks, reloads, goes back or opens tabs: one signature.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Request } from 'playwright-core'
import { REFUSALS } from '../../src/web/sign/signer-api.ts'
import { codeSentTo, fetchBytes, openLink, readRequest, untilStatus, type Ceremony } from '../signing-flow.ts'
import { visit } from '../browser.ts'
import {
  button,
  DESK,
  documentDrawn,
  heading,
  look,
  requireQuiet,
  signOnPage,
  startJourneys,
  type Journeys,
} from './signatory.ts'

describe('journey: one signature', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
  })
  after(() => journeys.stop())

  const requireOneSignature = async ({ requestId, signatoryIds }: Ceremony) => {
    await untilStatus(journeys.tenant, requestId, 'Closed')
    const rows = await journeys.service.database.asOwner(
      `select count(*)::int as amount from event
        where request_id = $1 and type = 'signatorysigned'`,
      [requestId],
    )
    assert.equal(rows[0]!['amount'], signatoryIds.length)
  }

  test('a double click, and a click upon a click, sign once, and it is what the page had drawn', async () => {
    const { service, tenant } = journeys
    const ceremony = await journeys.invite()
    const visitor = await visit(service.url, DESK)
    const { page, context } = visitor
    const asked = page.waitForRequest((request) => request.url().includes('/sign/api/document/'))
    await page.goto(await journeys.link(ceremony))
    await documentDrawn(page)
    const drawn = new URL((await asked).url()).searchParams.get('sha256')
    const sent: Request[] = []
    page.on('request', (request) => request.url().endsWith('/sign/api/sign') && sent.push(request))
    await button(page, 'Go on to signing').click()
    await button(page, 'Sign 1 document').click({ clickCount: 20, delay: 1 })
    await heading(page, 'Signed')
    assert.deepEqual(
      sent.map((request) => request.postDataJSON().documents[0].sha256),
      [drawn],
    )
    requireQuiet(visitor)
    await requireOneSignature(ceremony)
    const history = await tenant.call('GET', `/event/signaturerequest/${ceremony.requestId}`)
    const signed = history.json.items.find(({ eventType }: { eventType: string }) => eventType === 'signatorysigned')
    const [{ shownSha256, shownBytes }] = signed.data.documents
    const { json } = await readRequest(tenant, ceremony.requestId)
    const sealed = await fetchBytes(service, tenant, json.documents[0].documentURI)
    const beginning = createHash('sha256').update(sealed.subarray(0, shownBytes)).digest('hex')
    assert.deepEqual([shownSha256, beginning], [drawn, drawn])
    await context.close()
  })

  test('two tabs sign at once: both say “Signed”, the file has one signature', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    const other = await context.newPage()
    await other.goto(await journeys.link(ceremony))
    await documentDrawn(other)
    for (const tab of [page, other]) await button(tab, 'Go on to signing').click()
    await Promise.all([page, other].map((tab) => button(tab, 'Sign 1 document').click()))
    await Promise.all([page, other].map((tab) => heading(tab, 'Signed')))
    await requireOneSignature(ceremony)
    await context.close()
  })

  test('one code is enough for two tabs and any number of reloads', async () => {
    const { service, tenant } = journeys
    const ceremony = await journeys.invite({ readingAuthenticationStrength: 'Email' })
    const { requestId, signatoryIds } = ceremony
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    await button(page, 'Send a code by e-mail').click()
    await page.getByText('A code is on its way to').waitFor()
    await page.getByLabel('Code (six digits)').fill(await codeSentTo(service, tenant, requestId, signatoryIds[0]!))
    await button(page, 'Confirm the code').click()
    await documentDrawn(page)
    await page.reload()
    await documentDrawn(page)
    const other = await context.newPage()
    await other.goto(await journeys.link(ceremony))
    await documentDrawn(other)
    await signOnPage(page)
    await other.reload()
    await heading(other, 'Signed')
    requireQuiet(visitor)
    await requireOneSignature(ceremony)
    await context.close()
  })

  test('reloading while it is being signed, and going back afterwards, change nothing', async () => {
    const ceremony = await journeys.invite()
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/sign/api/sign')),
      button(page, 'Sign 1 document').click(),
    ])
    await page.reload()
    await heading(page, 'Signed')
    await page.goto(`${journeys.service.url}/healthz`)
    await page.goBack()
    await heading(page, 'Signed')
    await requireOneSignature(ceremony)
    await context.close()
  })

  test('somebody else signs while one reads: the page stays as it is, and what it showed is what is signed', async () => {
    const signatories = [
      { firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' },
      { firstName: 'Björn', lastName: 'Åkesson', email: 'bjorn@example.com' },
    ]
    const ceremony = await journeys.invite({ signatories })
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    await documentDrawn(page)
    await look(page, `document.querySelector('.textLayer span').dataset.reading = 'here'`)
    const other = await openLink(journeys.service, journeys.tenant, ceremony.requestId, ceremony.signatoryIds[1]!)
    const shown = (await other.page()).documents[0].sha256 as string
    assert.equal((await other.sign()).status, 202)
    await other.pageIn('signed')

    const asked = page.waitForResponse((response) => response.url().endsWith('/sign/api/request'))
    await look(page, `document.dispatchEvent(new Event('visibilitychange'))`)
    const latest = (await (await asked).json()) as { documents: { sha256: string }[] }
    assert.notEqual(latest.documents[0]!.sha256, shown)
    assert.equal(await page.locator('[data-reading=here]').count(), 1)
    const sent = page.waitForRequest((request) => request.url().endsWith('/sign/api/sign'))
    await signOnPage(page)
    assert.equal((await sent).postDataJSON().documents[0].sha256, shown)
    requireQuiet(visitor)
    await requireOneSignature(ceremony)
    await context.close()
  })

  test('what is not what was shown is shown again before it can be signed', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    const json = { code: REFUSALS.shownAgain, classification: 'InvalidOperation', message: 'Not what there is.' }
    await page.route('**/sign/api/sign', (route) => route.fulfill({ status: 400, json }))
    await button(page, 'Go on to signing').click()
    await button(page, 'Sign 1 document').click()
    await page.getByText('The documents have changed since you opened them.').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await documentDrawn(page)
    await page.unrouteAll({ behavior: 'wait' })
    await signOnPage(page)
    await requireOneSignature(ceremony)
    await context.close()
  })

  test('a link that is opened again after signing leads to “Signed”, until the request is closed', async () => {
    const signatories = [
      { firstName: 'Aino', lastName: 'Virtanen', email: 'aino@example.com' },
      { firstName: 'Björn', lastName: 'Åkesson', email: 'bjorn@example.com' },
    ]
    const ceremony = await journeys.invite({ signatories })
    const link = await journeys.link(ceremony)
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Signed')
    await page.getByText('Björn Åkesson').waitFor()
    await page.goto(link)
    await heading(page, 'Signed')

    const second = await journeys.open(ceremony, { ...DESK, signatory: 1 })
    await documentDrawn(second.page)
    await button(second.page, 'Go on to signing').click()
    await button(second.page, 'Sign 1 document').click()
    await heading(second.page, 'Signed')
    await requireOneSignature(ceremony)
    await page.goto(link)
    await heading(page, 'This request is finished')
    await second.context.close()
    await context.close()
  })
})
