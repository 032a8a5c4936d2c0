// Somebody holds a document and wants to know what its signatures are worth.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { REFUSALS } from '../../src/web/verify/verify-api.ts'
import { busy, notPdf } from '../../src/features/validation/errors.ts'
import { documentTooLarge } from '#platform/http/body/errors.ts'
import { tooManyCalls } from '#platform/http/edge-errors.ts'
import { until } from '../until.ts'
import { visit, type Visit } from '../browser.ts'
import { fetchBytes, openLink, untilStatus } from '../signing-flow.ts'
import { makePdf } from '../small-pdf.ts'
import { unzip } from '../unzip.ts'
import {
  DESK,
  eachLanguage,
  focusOn,
  heading,
  NARROW,
  PHONE,
  requireAccessible,
  requireNoSideways,
  requireQuiet,
  startJourneys,
  type Journeys,
} from './signatory.ts'

describe('the verification page', () => {
  let journeys: Journeys
  let signed: Buffer
  let verifyPath: string
  let requestId: string

  before(async () => {
    journeys = await startJourneys()
    const { service, tenant } = journeys
    const ceremony = await journeys.invite()
    requestId = ceremony.requestId
    const browser = await openLink(service, tenant, requestId, ceremony.signatoryIds[0]!)
    await browser.pageIn('ready')
    await browser.sign()
    const closed = await untilStatus(tenant, requestId, 'Closed')
    signed = await fetchBytes(service, tenant, closed.documents[0].documentURI)
    const zip = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${requestId}/evidence`))
    const { verifyUrl } = JSON.parse(zip.get('evidence.json')!.toString()) as { verifyUrl: string }
    verifyPath = new URL(verifyUrl).pathname
  })
  after(() => journeys.stop())

  const open = async (path = '/verify', options = DESK): Promise<Visit> => {
    const visitor = await visit(journeys.service.url, options)
    await visitor.page.goto(journeys.service.url + path)
    return visitor
  }
  const choose = (page: Page, buffer: Buffer, name = 'contract.pdf') =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'application/pdf', buffer })
  const tampered = () => {
    const changed = Buffer.from(signed)
    changed[changed.indexOf('/MediaBox') + 15] = 0x31
    return changed
  }

  for (const [size, options] of [
    ['a desk', DESK],
    ['a phone', PHONE],
    ['320 px', { viewport: { width: 320, height: 568 } }],
  ] as const) {
    test(`on ${size}: a good file, in the light and in the dark`, async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const visitor = await open('/verify', { ...options, colorScheme })
        const { page, context } = visitor
        await heading(page, 'Check a signed document')
        await requireAccessible(page, `start, ${size}, ${colorScheme}`)
        await choose(page, signed)
        await heading(page, 'The signatures are valid')
        await page.getByRole('heading', { level: 2, name: '2 signatures' }).waitFor()
        assert.equal(await page.getByText('The certificate comes from this service.').count(), 2)
        await page.getByText('2 timestamps on the document').click()
        await page.getByText('By the timestamp authority of this service itself.').first().waitFor()
        await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`)
        await requireAccessible(page, `good, ${size}, ${colorScheme}`)
        requireQuiet(visitor)
        await context.close()
      }
    })

    test(`on ${size}: a tampered file and an unsigned one`, async () => {
      const visitor = await open('/verify', options)
      const { page, context } = visitor
      await choose(page, tampered())
      await heading(page, 'Do not rely on this document')
      await page.getByText('Invalid', { exact: true }).first().waitFor()
      await requireAccessible(page, `tampered, ${size}`)
      await choose(page, makePdf())
      await heading(page, 'Nobody has signed this document')
      await requireAccessible(page, `unsigned, ${size}`)
      requireQuiet(visitor)
      await context.close()
    })
  }

  test('by the keyboard alone: the choice can be reached, and the verdict has the focus when it comes', async () => {
    const { page, context } = await open()
    await heading(page, 'Check a signed document')
    // Asked for first: the browser is told by another way than the keys take, and would open a dialog of its own.
    const asked = page.waitForEvent('filechooser')
    // Language, then the choice; on a slow machine the page may take the focus once more while it comes.
    await until('the choice to have the focus', async () => {
      await page.keyboard.press('Tab')
      return (await page.evaluate('document.activeElement.type')) === 'file'
    })
    await page.keyboard.press('Enter')
    const chooser = await asked
    await chooser.setFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer: signed })
    await heading(page, 'The signatures are valid')
    await focusOn(page, 'The signatures are valid')
    await context.close()
  })

  test('a file can be dropped on the page', async () => {
    const { page, context } = await open()
    await heading(page, 'Check a signed document')
    const content = JSON.stringify(makePdf().toString('base64'))
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob(${content}), (c) => c.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }))
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })()`)
    await heading(page, 'Nobody has signed this document')
    await page.getByText('dropped.pdf').first().waitFor()
    await context.close()
  })

  test('the link of an evidence page: which request, and whether this is the very file', async () => {
    const visitor = await open(verifyPath, PHONE)
    const { page, context } = visitor
    await page.getByText(`signature request ${requestId}`).waitFor()
    await requireAccessible(page, 'evidence link')
    await choose(page, signed)
    await page.getByText(`the very file that was sealed here for signature request ${requestId}`).waitFor()
    await choose(page, makePdf())
    await page.getByText(`not a file that was sealed here for signature request ${requestId}`).waitFor()
    await requireAccessible(page, 'not the file')
    requireQuiet(visitor)
    await context.close()
  })

  test('a link that is none says so, and a document can be checked all the same', async () => {
    const { page, context } = await open('/verify/half-a-li')
    await page.getByText('This link is not one of an evidence page.').waitFor()
    await choose(page, makePdf())
    await heading(page, 'Nobody has signed this document')
    await context.close()
  })

  test('an authority that nobody here knows: not proven, and why', async () => {
    const { page, context } = await open()
    const world = await makeWorld()
    await choose(page, await world.sign(makePdf(), { signer: await world.seal() }))
    await heading(page, 'Not everything can be proven')
    await page.getByText('It could not be confirmed who vouches for the certificate.').first().waitFor()
    await requireAccessible(page, 'unknown authority')
    await context.close()
  })

  test('the technical report can be kept', async () => {
    const { page, context } = await open()
    await choose(page, signed)
    await heading(page, 'The signatures are valid')
    await page.getByText('Technical report').first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the report (JSON)' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'contract.pdf.validation.json')
    await context.close()
  })

  test('what is no PDF, and a service that does not answer, each get their own words', async () => {
    const { page, context } = await open()
    await choose(page, Buffer.from('hello'), 'letter.txt')
    await page.getByText('letter.txt is not a PDF.').waitFor()
    await requireAccessible(page, 'no PDF')
    await page.getByRole('button', { name: 'Check another document' }).click()
    await context.route('**/verify/api/**', (route) => route.abort())
    await choose(page, makePdf())
    await page.getByText('There is no connection to the service.').waitFor()
    await context.close()
  })

  test('a protected file says so, in the reader’s language', async () => {
    const visitor = await open('/verify', { locale: 'fi' })
    const { page, context } = visitor
    await choose(
      page,
      Buffer.from(makePdf().toString('latin1').replace('trailer\n<<', 'trailer\n<< /Encrypt 1 0 R'), 'latin1'),
    )
    await page.getByText('Se on suojattu salasanalla').waitFor()
    await requireAccessible(page, 'protected')
    requireQuiet(visitor)
    await context.close()
  })

  test('it knows the refusals that it has words for', () => {
    const codes = [notPdf(), documentTooLarge('body', 1), tooManyCalls(), busy()].map(({ code }) => code)
    assert.deepEqual(
      codes.map((code) => REFUSALS[code]),
      ['notPdf', 'tooLarge', 'busy', 'busy'],
    )
  })

  test('in every language it fits a small screen, and says everything', async () => {
    const visitor = await open(verifyPath, { viewport: NARROW })
    const { page, context } = visitor
    const verdict = async (file: Buffer, tone: string) => {
      await choose(page, file)
      await page.locator(`.verdict-${tone}`).waitFor()
    }
    for (const [where, reach] of [
      ['start', () => heading(page, 'Check a signed document')],
      ['tampered', () => verdict(tampered(), 'bad')],
      ['good', () => verdict(signed, 'good')],
    ] as const) {
      await reach()
      for await (const language of eachLanguage(page)) {
        assert.doesNotMatch(await page.locator('main').innerText(), /\{\w+\}/, `${where}, ${language}`)
        await requireNoSideways(page, `${where}, ${language}`)
        if (where === 'good') await requireAccessible(page, language)
      }
    }
    requireQuiet(visitor)
    await context.close()
  })
})
