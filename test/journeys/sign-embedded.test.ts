// The signing page inside somebody else's application: in the whole window and back, or in a frame of theirs.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { visit } from '../browser.ts'
import { readRequest, untilStatus, type Ceremony } from '../signing-flow.ts'
import { until } from '../until.ts'
import { button, DESK, documentDrawn, heading, PHONE, signOnPage, startJourneys, type Journeys } from './signatory.ts'

const APP = 'https://app.example.com'
const STRANGER = 'https://stranger.example'
const DONE = `${APP}/done?order=17`

/** Says again and again, to the page in the frame and to the sandbox inside of it, what they say to each other. */
const TALK = `<script>
  var said = 0, answers = [], hasReachedSandbox = false
  addEventListener('message', ({ data }) => answers.push(data))
  const tell = (to) => {
    for (const words of ['ready', 'sign', null, { kind: 'drawn', call: 1 }, { kind: 'failed', call: 1 }]) to.postMessage(words, '*')
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => answers.push(data)
    to.postMessage('start', '*', [port2])
    port1.postMessage({ kind: 'open', call: 1, paper: 1, size: 1 })
  }
  setInterval(() => {
    const page = document.querySelector('#sign').contentWindow
    tell(page)
    if (page.length > 0) { tell(page[0]); hasReachedSandbox = true }
    said++
  }, 5)
</script>`

describe('journey: the page inside another application', () => {
  let journeys: Journeys
  before(async () => {
    journeys = await startJourneys()
    const { status } = await journeys.tenant.asAdministrator('PATCH', '/onboarding/tenant', { returnOrigins: [APP] })
    assert.equal(status, 200)
  })
  after(() => journeys.stop())

  /** The link as the application fetches it by the API, with the address to return to. */
  const fetchLink = async ({ requestId, signatoryIds }: Ceremony): Promise<string> => {
    const path = `/signing/signaturerequest/${requestId}/signatory/${signatoryIds[0]}/link`
    const { json } = await journeys.tenant.call('GET', `${path}?returnUrl=${encodeURIComponent(DONE)}`)
    const { pathname, search } = new URL(json.url)
    return journeys.service.url + pathname + search
  }

  /** Pages of other origins that exist in this browser alone. */
  const serve = async (context: BrowserContext, pages: Record<string, string>) => {
    for (const [address, body] of Object.entries(pages)) {
      await context.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
    }
  }
  const frame = (link: string) => `<!doctype html><title>Shop</title><h1>Shop</h1>
    <iframe id="sign" src="${link}" width="900" height="700"></iframe>`
  const inFrame = (page: Page): FrameLocator => page.frameLocator('#sign')

  test('in the whole window: whoever has signed is back where they came from', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await visit(journeys.service.url, PHONE)
    await serve(context, { [`${APP}/**`]: '<h1>Thank you for your order</h1>' })
    await page.goto(await fetchLink(ceremony))
    await documentDrawn(page)
    await button(page, 'Go on to signing').click()
    await button(page, 'Sign 1 document').click()
    await page.waitForURL(DONE)
    await heading(page, 'Thank you for your order')
    await untilStatus(journeys.tenant, ceremony.requestId, 'Closed')
    await context.close()
  })

  test('in the whole window: whoever has declined is back as well', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await visit(journeys.service.url, DESK)
    await serve(context, { [`${APP}/**`]: '<h1>What a pity</h1>' })
    await page.goto(await fetchLink(ceremony))
    await documentDrawn(page)
    await button(page, 'Decline to sign').click()
    await page.getByLabel('Your reason').fill('The price is wrong.')
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.waitForURL(DONE)
    await context.close()
  })

  test('somebody who came by an ordinary link is led nowhere', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await journeys.open(ceremony, DESK)
    await documentDrawn(page)
    await signOnPage(page)
    assert.equal(await page.getByRole('link', { name: /Go on to/ }).count(), 0)
    await context.close()
  })

  test('in a frame of an origin that the tenant has listed, from reading to the way back', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await visit(journeys.service.url, DESK)
    await serve(context, {
      [`${APP}/order`]: frame(await fetchLink(ceremony)),
      [`${APP}/done*`]: '<h1>Thank you for your order</h1>',
    })
    await page.goto(`${APP}/order`)
    const sign = inFrame(page)
    await sign.locator('.textLayer span').first().waitFor()
    await sign.getByRole('button', { name: 'Go on to signing' }).click()
    await sign.getByRole('button', { name: 'Sign 1 document' }).click()
    await page.waitForURL(DONE)
    await untilStatus(journeys.tenant, ceremony.requestId, 'Closed')
    await context.close()
  })

  test('what the page around the frame says to it is ignored, from the first moment on', async () => {
    const ceremony = await journeys.invite()
    const { page, context } = await visit(journeys.service.url, DESK)
    await serve(context, { [`${APP}/order`]: frame(await fetchLink(ceremony)) + TALK })
    await page.goto(`${APP}/order`)
    const sign = inFrame(page)
    await sign.locator('.textLayer span').first().waitFor()
    const before = await sign.locator('.textLayer').first().innerText()
    const said = await page.evaluate<number>('said')
    await until('more to be said', async () => (await page.evaluate<number>('said')) > said + 20)
    assert.ok(await page.evaluate('hasReachedSandbox'))
    assert.deepEqual(await page.evaluate('answers'), [])
    assert.equal(await sign.locator('.textLayer').first().innerText(), before)
    assert.equal(await sign.locator('iframe').count(), 1)
    assert.equal((await readRequest(journeys.tenant, ceremony.requestId)).json.status, 'Open')
    await sign.getByRole('button', { name: 'Go on to signing' }).waitFor()
    await context.close()
  })

  test('in a frame of anybody else there is nothing to see', async () => {
    const ceremony = await journeys.invite()
    const { page, context, complaints } = await visit(journeys.service.url, DESK)
    await serve(context, { [`${STRANGER}/**`]: frame(await fetchLink(ceremony)) })
    await page.goto(`${STRANGER}/`)
    await until('the browser to refuse', async () => complaints.some((words) => words.includes('frame-ancestors')))
    assert.equal(await inFrame(page).getByRole('button').count(), 0)
    await context.close()
  })

  test('the header names the tenant’s origins for a link that is known, and nobody for any other', async () => {
    const policyOf = async (path: string) =>
      (await journeys.service.call('GET', path)).headers.get('content-security-policy')!
    const { pathname } = new URL(await fetchLink(await journeys.invite()))
    assert.ok((await policyOf(pathname)).includes(`frame-ancestors ${APP};`))
    for (const path of ['/sign', `${pathname}x`, '/sign/nothing']) {
      assert.ok((await policyOf(path)).includes("frame-ancestors 'none'"), path)
    }
  })
})
