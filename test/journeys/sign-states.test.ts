// Every page that a signatory can meet: it says what happened, breaks no rule of WCAG that a program can check, in light
// and dark, and fits the narrowest window.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit } from '../browser.ts'
import { pdf } from '../signature-requests.ts'
import { untilStatus, type Ceremony } from '../signing-flow.ts'
import {
  button,
  DESK,
  documentDrawn,
  heading,
  NARROW,
  requireAccessible,
  requireEveryLanguageFits,
  requireEverySheetFits,
  requireNoSideways,
  signOnPage,
  startJourneys,
  type Journeys,
} from './signatory.ts'

/** What a window of 1280 × 1024 shows at 400 %. */
const ZOOMED = { width: 320, height: 256 }
/** The button that opens the sheet for signing, whatever the language. */
const SIGN = '.remaining .button-primary'
const LONG_NAME = 'Maximiliana-Wilhelmina von Hohenlohe-Langenburg-Schillingsfürst'
const TWO_GROUPS = [
  { firstName: LONG_NAME, lastName: 'the Elder', email: 'one@example.com' },
  { firstName: 'Björn', lastName: 'Åkesson', email: 'two@example.com', signatoryGroupSigningOrder: 2 },
]

describe('journey: every page of a signatory', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
  })
  after(() => journeys.stop())

  /** The page in light and dark, then in the narrowest window, at 400 %, and there in every language. */
  const requireGoodPage = async (page: Page, where: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await requireAccessible(page, `${where}, ${colorScheme}`)
    }
    await page.setViewportSize(ZOOMED)
    await requireNoSideways(page, `${where} at 400 %`)
    await page.setViewportSize(NARROW)
    await requireAccessible(page, `${where} at ${NARROW.width} px`)
    // The page behind an open sheet can't change its language; sheets have a test of their own.
    if ((await page.locator('dialog').count()) === 0) await requireEveryLanguageFits(page, where)
    await page.setViewportSize(DESK.viewport!)
  }
  const cancel = ({ requestId }: Ceremony) =>
    journeys.tenant.call('POST', `/signing/signaturerequest/${requestId}/cancel`, {})

  test('reading, help, signing, declining', async () => {
    const ceremony = await journeys.invite({
      subject: `Lease of the upper floor, ${'including the boathouse and the right of way, '.repeat(3)}and the rest`,
      signatories: TWO_GROUPS,
      signingAuthenticationStrength: 'Email',
      documents: [
        { title: 'Lease', fileName: 'lease.pdf', contentBase64: pdf('The lease') },
        { title: 'Annex_without_any_place_to_break_'.repeat(4), fileName: 'annex.pdf', contentBase64: pdf('Annex') },
      ],
    })
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await requireGoodPage(page, 'reading')
    await button(page, 'Larger').click()
    await requireGoodPage(page, 'reading, larger')
    await button(page, 'Help').click()
    await requireGoodPage(page, 'help')
    await button(page, 'Close').click()
    await button(page, 'Decline to sign').click()
    await button(page, /^Decline$/).click()
    await page.getByText('Please write a reason.').waitFor()
    await requireGoodPage(page, 'declining')
    await button(page, 'Back to the documents').click()
    await button(page, 'Go on to signing').click()
    await button(page, 'Send a code by e-mail').click()
    await page.getByLabel('Code (six digits)').fill('12')
    await button(page, 'Confirm the code').click()
    await page.getByText('The code has six digits.').waitFor()
    await requireGoodPage(page, 'the code')
    await context.close()
  })

  test('the mark, drawn and typed; then signed', async () => {
    const ceremony = await journeys.invite({ signatories: TWO_GROUPS })
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    for (const kind of ['Draw it', 'Type it']) {
      await page.getByLabel(kind).check()
      await requireGoodPage(page, kind)
    }
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Signed')
    await requireGoodPage(page, 'signed')
    await context.close()
  })

  test('declined with a reason: the person is told so, the request ends, the link is dead', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await button(page, 'Decline to sign').click()
    await page.getByLabel('Your reason').fill('The rent is <b>not</b> what we agreed upon.')
    await button(page, /^Decline$/).click()
    await heading(page, 'You declined to sign')
    await page.getByText('Your reason: The rent is <b>not</b> what we agreed upon.').waitFor()
    await requireGoodPage(page, 'declined')
    const request = await untilStatus(journeys.tenant, ceremony.requestId, 'Canceled')
    assert.equal(request.signatories[0].state, 'Declined')
    await page.goto(link)
    await heading(page, 'You declined to sign')
    assert.equal(page.url(), `${journeys.service.url}/sign`)
    await context.close()
  })

  test('not your turn', async () => {
    const ceremony = await journeys.invite({ signatories: TWO_GROUPS })
    const { page, context } = await journeys.open(ceremony, { ...DESK, signatory: 1 })
    await heading(page, 'It is not your turn yet')
    await page.getByText(LONG_NAME).waitFor()
    await requireGoodPage(page, 'not your turn')
    await context.close()
  })

  test('canceled, also while it is being read', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    assert.equal((await cancel(ceremony)).status, 200)
    await button(page, 'Sign 1 document').click()
    await heading(page, 'Nothing to sign any more')
    await page.goto(link)
    await heading(page, 'Nothing to sign any more')
    await requireGoodPage(page, 'canceled')
    await context.close()
  })

  test('a wrong link, no link at all, and before anything is confirmed', async () => {
    const { page, context } = await visit(journeys.service.url, DESK)
    for (const token of ['x'.repeat(43), 'x', 'x'.repeat(500), '%00']) {
      await page.goto(`${journeys.service.url}/sign/${token}`)
      await heading(page, 'This link does not work')
      assert.equal(page.url(), `${journeys.service.url}/sign`)
    }
    await requireGoodPage(page, 'wrong link')
    await page.goto(`${journeys.service.url}/sign`)
    await heading(page, 'Please open your link again')
    await requireGoodPage(page, 'session ended')
    const ceremony = await journeys.invite({ readingAuthenticationStrength: 'Email' })
    await page.goto(await journeys.link(ceremony))
    await heading(page, 'Confirm who you are')
    await requireGoodPage(page, 'authenticate')
    await context.close()
  })

  test('a link with an address to return to leads there after signing; with a forged one it does not work', async () => {
    const { service, tenant } = journeys
    const returnOrigins = ['https://app.example.com']
    assert.equal((await tenant.asAdministrator('PATCH', '/onboarding/tenant', { returnOrigins })).status, 200)
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    const { page, context } = await visit(service.url, DESK)
    await page.goto(`${link}?returnUrl=${encodeURIComponent('https://evil.example/')}`)
    await heading(page, 'This link does not work')
    assert.equal(page.url(), `${service.url}/sign`)
    await page.route('https://app.example.com/**', (route) => route.fulfill({ body: 'Welcome back' }))
    await page.goto(`${link}?returnUrl=${encodeURIComponent('https://app.example.com/done?id=1')}`)
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    await button(page, 'Sign 1 document').click()
    await page.waitForURL('https://app.example.com/done?id=1')
    await page.goto(`${service.url}/sign`)
    const back = page.getByRole('link', { name: 'Go on to app.example.com' })
    assert.equal(await back.getAttribute('href'), 'https://app.example.com/done?id=1')
    await requireGoodPage(page, 'signed, with an address to return to')
    await context.close()
  })

  test('without a connection: the page says so, and another try goes on where it was', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await visit(journeys.service.url, DESK)
    await page.route('**/sign/api/**', (route) => route.abort())
    await page.goto(await journeys.link(ceremony))
    await heading(page, 'This did not work')
    await requireGoodPage(page, 'no connection')
    await page.unrouteAll({ behavior: 'wait' })
    await page.route('**/sign/api/document/**', (route) => route.abort())
    await button(page, 'Try again').click()
    await page.getByText('This document can’t be shown here.').waitFor()
    await requireGoodPage(page, 'a document that does not come')
    await page.unrouteAll({ behavior: 'wait' })
    await button(page, 'Try again').click()
    await documentDrawn(page)
    await context.close()
  })

  test('in every language no sheet reaches beyond 320 px', async () => {
    const ceremony = await journeys.invite({ signingAuthenticationStrength: 'Email' })
    const { page, context } = await journeys.open(ceremony, { viewport: NARROW })
    // The service sends no more than five codes an hour.
    const json = { sentTo: 'a•••@a-rather-long-domain.example.com', expiresAt: new Date().toISOString() }
    await page.route('**/sign/api/code', (route) => route.fulfill({ status: 202, json }))
    await documentDrawn(page)
    const sent = async () => {
      await page.locator('dialog .sheet-actions .button-primary').click()
      await page.locator('dialog input').waitFor()
    }
    const wrong = async () => {
      await page.locator('dialog form .button-primary').click()
      await page.locator('dialog [aria-invalid=true]').waitFor()
    }
    await requireEverySheetFits(page, [
      {
        opener: SIGN,
        name: 'signing',
        steps: [
          ['the code', sent],
          ['no code', wrong],
        ],
      },
      { opener: '.remaining .button-quiet', name: 'declining' },
      { opener: '.top-tools .button', name: 'help' },
    ])
    await context.close()
  })

  test('in every language the sheet with the mark does not reach beyond 320 px either', async () => {
    const { page, context } = await journeys.open(await journeys.invite(), { viewport: NARROW })
    await documentDrawn(page)
    const mark = (kind: string) => () => page.locator(`dialog input[type=radio][value=${kind}]`).check()
    const steps = [
      ['the drawn mark', mark('drawn')],
      ['the typed mark', mark('typed')],
    ] as const
    await requireEverySheetFits(page, [{ opener: SIGN, name: 'signing', steps }])
    await context.close()
  })

  test('being prepared, being signed, closed', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    // Both pass within a second; here they stay.
    for (const [changes, title] of [
      [{ documents: null }, 'The documents are being prepared.'],
      [{ state: 'signing' }, 'Signing …'],
    ] as const) {
      await page.route('**/sign/api/request', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), ...changes } })
      })
      await page.reload()
      await page.getByText(title).waitFor()
      await requireGoodPage(page, title)
      await page.unrouteAll({ behavior: 'wait' })
    }
    await page.reload()
    await signOnPage(page)
    await untilStatus(journeys.tenant, ceremony.requestId, 'Closed')
    await page.goto(link)
    await heading(page, 'This request is finished')
    await requireGoodPage(page, 'closed')
    await context.close()
  })

  test('expired', async () => {
    const ceremony = await journeys.invite()
    const link = await journeys.link(ceremony)
    journeys.service.clock.advance(31 * 24 * 60 * 60 * 1000)
    const { page, context } = await visit(journeys.service.url, DESK)
    await page.goto(link)
    await heading(page, 'The time to sign is over')
    await requireGoodPage(page, 'expired')
    await context.close()
  })
})
