// One person, one link, from the message to "Signed": on a desk, on a phone, with the keyboard alone, with codes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeSentTo, readRequest, untilStatus } from '../signing-flow.ts'
import { pdf } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'
import {
  button,
  DESK,
  documentDrawn,
  focused,
  focusOn,
  heading,
  layoutShift,
  look,
  PHONE,
  requireNoSideways,
  requireQuiet,
  signOnPage,
  startJourneys,
  type Journeys,
} from './signatory.ts'

/** Far more than fit into a window. */
const PAGES = 25
const TWO_DOCUMENTS = [
  {
    title: 'Lease',
    fileName: 'lease.pdf',
    contentBase64: makePdf('The lease', { pages: PAGES }).toString('base64'),
  },
  { title: 'Annex', fileName: 'annex.pdf', contentBase64: pdf('The annex') },
]

describe('journey: signing by link', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
  })
  after(() => journeys.stop())

  test('one signatory reads and signs; the link’s token is in no address, title or referrer afterwards', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    const token = link.split('/').pop()!
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    const leaks: string[] = []
    page.on('request', (request) => {
      const { referer = '' } = request.headers()
      if (request.url().includes(token) || referer.includes('/sign')) leaks.push(`${request.url()} from ${referer}`)
    })
    await documentDrawn(page)
    assert.equal(page.url(), `${journeys.service.url}/sign`)
    assert.equal(await page.locator('.textLayer').first().innerText(), 'A contract')
    await page.reload()
    await documentDrawn(page)
    await signOnPage(page)

    assert.equal(await page.title(), 'Sign: Lease of the upper floor')
    assert.equal(page.url(), `${journeys.service.url}/sign`)
    assert.equal(await look(page, 'document.referrer'), '')
    assert.deepEqual(leaks, [])
    const [cookie] = await context.cookies()
    assert.deepEqual(
      { name: cookie!.name, httpOnly: cookie!.httpOnly, secure: cookie!.secure, sameSite: cookie!.sameSite },
      { name: '__Host-countersign-sign', httpOnly: true, secure: true, sameSite: 'Lax' },
    )
    requireQuiet(visitor)
    const closed = await untilStatus(journeys.tenant, ceremony.requestId, 'Closed')
    assert.deepEqual(
      closed.signatories.map(({ state }: { state: string }) => state),
      ['Signed'],
    )
    await context.close()
  })

  test('on a phone: two documents, drawn page by page; what remains is told, the copy can be kept', async () => {
    const ceremony = await journeys.invite({ documents: TWO_DOCUMENTS })
    const visitor = await journeys.open(ceremony, PHONE)
    const { page, context } = visitor
    await documentDrawn(page)
    await page.getByText('2 documents to read, then sign').waitFor()
    const shift = await layoutShift(page)
    assert.ok(shift < 0.05, `things moved by ${shift} while the page loaded`)
    await requireNoSideways(page, 'reading on a phone')
    await page.getByText(`Page 1 of ${PAGES}`).waitFor()
    assert.ok((await page.locator('canvas').count()) < PAGES / 2, 'pages are drawn as they come near')
    await page.getByRole('group', { name: `Page ${PAGES} of ${PAGES}` }).scrollIntoViewIfNeeded()
    await page.getByText(`Page ${PAGES} of ${PAGES}`).waitFor()
    await page
      .getByRole('group', { name: `Page ${PAGES} of ${PAGES}` })
      .getByText('The lease')
      .waitFor()
    // Into the middle: at the edge it may lie behind the bar, where it has not been seen.
    const readToEnd = async (at: number) => {
      await page.locator('.document-end').nth(at).waitFor({ state: 'attached' })
      await look(page, `document.querySelectorAll('.document-end')[${at}].scrollIntoView({ block: 'center' })`)
    }
    await readToEnd(0)
    await page.getByText('1 document to read, then sign').waitFor()
    await readToEnd(1)
    await page.getByText('Everything is read. You can sign now.').waitFor()
    await signOnPage(page)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download Annex' }).click()
    assert.equal((await coming).suggestedFilename(), 'annex.pdf')
    requireQuiet(visitor)
    await context.close()
  })

  test('with the keyboard alone, from the first key to “Signed”', async () => {
    const ceremony = await journeys.invite()
    const visitor = await journeys.open(ceremony, DESK)
    const { page, context } = visitor
    await documentDrawn(page)
    await tabTo(page, 'Go on to signing')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await focusOn(page, 'Go on to signing')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, /^Sign 1 document$/)
    await page.keyboard.press('Enter')
    await heading(page, 'Signed')
    await focusOn(page, 'Signed')
    requireQuiet(visitor)
    await context.close()
  })

  test('with codes by e-mail: nothing is shown before the first, nothing is signed before the second', async () => {
    const strengths = { readingAuthenticationStrength: 'Email', signingAuthenticationStrength: 'Email' }
    const ceremony = await journeys.invite(strengths)
    const [signatoryId] = ceremony.signatoryIds as [string]
    const { page, context, strangers } = await journeys.open(ceremony, PHONE)
    const newestCode = () => codeSentTo(journeys.service, journeys.tenant, ceremony.requestId, signatoryId)
    await heading(page, 'Confirm who you are')
    assert.doesNotMatch(await page.content(), /Lease|Virtanen|Acme/)
    await button(page, 'Send a code by e-mail').click()
    await enterCode(page, wrong(await codeOf(page, newestCode)))
    await page.getByText('This code is wrong. You have 4 tries left.').waitFor()
    await enterCode(page, await newestCode())
    await documentDrawn(page)

    await button(page, 'Go on to signing').click()
    await button(page, 'Send a code by e-mail').waitFor()
    assert.equal(await button(page, /^Sign \d/).count(), 0)
    await button(page, 'Send a code by e-mail').click()
    await enterCode(page, await codeOf(page, newestCode))
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Signed')
    assert.deepEqual(strangers, [])
    await context.close()
  })

  test('a drawn and a typed mark go with the signature', async () => {
    for (const kind of ['Draw it', 'Type it']) {
      const ceremony = await journeys.invite()
      const visitor = await journeys.open(ceremony, DESK)
      const { page, context } = visitor
      await documentDrawn(page)
      await button(page, 'Go on to signing').click()
      await page.getByLabel(kind).check()
      if (kind === 'Draw it') await scribble(page)
      await button(page, 'Sign 1 document').click()
      await heading(page, 'Signed')
      const [row] = await journeys.service.database.asOwner(
        `select mark from signature_confirmation where signatory_id = $1`,
        [ceremony.signatoryIds[0]],
      )
      const mark = row!['mark'] as { kind: string; text?: string; strokes?: number[][] }
      if (kind === 'Type it') assert.deepEqual(mark, { kind: 'typed', text: 'Aino Virtanen' })
      else assert.ok(mark.kind === 'drawn' && mark.strokes!.length === 1 && mark.strokes![0]!.length >= 6)
      requireQuiet(visitor)
      await context.close()
    }
  })

  test('the language can be changed, and stays changed', async () => {
    const ceremony = await journeys.invite({ languageCode: 'de-AT' })
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await page.locator('html[lang=de]').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Lease herunterladen' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'lease.pdf', 'before signing as well')
    // Kept by the service; whoever reloads before it has heard of it reads on in the language from before.
    const kept = page.waitForResponse((response) => response.url().endsWith('/sign/api/language'))
    await page.locator('.top select').selectOption('en')
    await button(page, 'Go on to signing').waitFor()
    await (await kept).finished()
    await page.reload()
    await button(page, 'Go on to signing').waitFor()
    await page.locator('html[lang=en]').waitFor()
    await context.close()
  })

  test('the first real look at a document is what counts as viewed', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    for (let time = 0; time < 10; time++) await fetch(link)
    const state = async () => (await readRequest(journeys.tenant, ceremony.requestId)).json.signatories[0].state
    assert.equal(await state(), 'Invited')
    const { page, context } = await journeys.open(ceremony, PHONE)
    await documentDrawn(page)
    await until('the service to be told', async () => (await state()) === 'Viewed')
    await context.close()
  })
})

/** Presses Tab until the focus stands on something with this name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const found = await focused(page)
    if (typeof name === 'string' ? found === name : name.test(found)) return
  }
  assert.fail(`the keyboard does not reach ${name}`)
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code (six digits)').fill(code)
  await button(page, 'Confirm the code').click()
}

/** The code, once the page says that it is on its way. */
async function codeOf(page: Page, read: () => Promise<string>): Promise<string> {
  await page.getByText('A code is on its way to a•••@example.com.').waitFor()
  return read()
}

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

async function scribble(page: Page): Promise<void> {
  const field = await page.getByRole('img', { name: 'Draw your signature here' }).boundingBox()
  const { x, y } = field!
  await page.mouse.move(x + 20, y + 80)
  await page.mouse.down()
  for (const [right, down] of [
    [60, 20],
    [100, 120],
    [140, 40],
  ] as const)
    await page.mouse.move(x + right, y + down)
  await page.mouse.up()
}
