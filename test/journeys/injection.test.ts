// Hostile words in every field that takes words, and then every page, message and file that shows them to somebody else.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit, type Visit } from '../browser.ts'
import { startMailServer, type MailServer } from '../fakes/mail-server.ts'
import { GROUPS, NAME, PAYLOADS, SUM } from '../injection/payloads.ts'
import { FIELD_COUNT, plantRow, type Row } from '../injection/plant.ts'
import { fetchBytes, linkOf, openLink, untilStatus } from '../signing-flow.ts'
import { until } from '../until.ts'
import { unzip } from '../unzip.ts'
import { startConsole, type ConsoleJourneys } from './console.ts'
import { DESK, documentDrawn, heading, requireQuiet, signOnPage } from './signatory.ts'

/** All groups of words in all fields take so many rows; a share of them has each group in some of the fields. */
const ROWS = process.env['COUNTERSIGN_INJECTION'] === 'all' ? GROUPS : 1

const CONSOLE = '/console'

/** The address of every page of the console for somebody who is signed in, as the console itself lists them. */
const PAGES = [
  ...readFileSync('src/web/console/pages.ts', 'utf8')
    .split('OPEN_PAGES')[0]!
    .matchAll(/path: '(.+?)'/g),
].map(([, path]) => path!)

/** Pages on which nothing that somebody has named need stand; they have their heading at least. */
const WITHOUT_WORDS = new Set([
  '/console',
  '/console/requests/new',
  '/console/sealing/new',
  '/console/templates/requests/new',
  '/console/integrations/api',
  '/console/certificates',
  '/console/people/organisation',
  '/console/archive',
  '/console/archive/sealing',
  '/console/first-steps',
])

/** Which things of a row a page is about. */
const ABOUT: Record<string, (row: Row) => string[]> = {
  '/console/requests/:id': ({ request, canceled, declined }) => [request, canceled, declined],
  '/console/requests/:id/change': ({ draft }) => [draft],
  '/console/sealing/:id': ({ sealing }) => [sealing],
  '/console/templates/requests/:id': ({ requestTemplate }) => [requestTemplate],
  '/console/people/departments/:id': ({ department }) => [department],
  '/console/integrations/webhooks/:id': ({ hook }) => [hook],
}

/** Whatever became more than words; and links that would run something. */
const MORE_THAN_WORDS = '[injected], a[href^="javascript:" i], a[href^="data:" i], a[href*="evil.example"]'

describe(`${PAYLOADS.length} hostile words in ${FIELD_COUNT} fields`, () => {
  let mail: MailServer
  let console: ConsoleJourneys
  const rows: Row[] = []

  before(async () => {
    mail = await startMailServer()
    const from = 'Example Sign <sign@example.com>'
    console = await startConsole({ SMTP_URL: `smtp://127.0.0.1:${mail.port}`, COUNTERSIGN_MAIL_FROM: from })
    for (let row = 0; row < ROWS; row++) rows.push(await plantRow(console.service, console.tenant, row))
  })
  after(async () => {
    await console.stop()
    await mail.stop()
  })

  /** Whatever opens a dialog is remembered. */
  function watchDialogs(page: Page): string[] {
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      // The question whether to leave what was begun is our own.
      if (dialog.type() !== 'beforeunload') dialogs.push(dialog.message())
      void dialog.accept()
    })
    return dialogs
  }

  /** Nothing ran, nothing became an element, nobody else was asked, and the policy had nothing to refuse. */
  async function requireWords(visitor: Visit, dialogs: string[], where: string): Promise<void> {
    for (const frame of visitor.page.frames()) {
      assert.equal(await frame.locator(MORE_THAN_WORDS).count(), 0, where)
      assert.ok(!(await frame.locator('body').innerText()).includes(SUM), where)
    }
    assert.deepEqual(dialogs, [], where)
    assert.deepEqual([visitor.complaints, visitor.strangers], [[], []], where)
  }

  const shown = (page: Page) =>
    page
      .getByRole('main')
      .getByText(NAME)
      .or(page.locator(`main input[value*="${NAME}"]`))
      .filter({ visible: true })
      .first()

  function addressesOf(path: string): string[] {
    if (!path.includes(':')) return [path]
    const about = ABOUT[path]
    assert.ok(about, `${path} is a page without a place here`)
    return rows.flatMap(about).map((id) => path.replace(':id', id))
  }

  test('are words on every page of the console', async () => {
    const visitor = await console.enter(CONSOLE, DESK)
    const { page, context, complaints } = visitor
    complaints.length = 0 // That nobody was signed in yet is no news.
    const dialogs = watchDialogs(page)
    assert.ok(PAGES.length > 20)
    for (const path of PAGES) {
      for (const address of addressesOf(path)) {
        await page.goto(console.service.url + address)
        await (WITHOUT_WORDS.has(path) ? page.getByRole('heading', { level: 1 }).first() : shown(page)).waitFor()
        await requireWords(visitor, dialogs, address)
      }
    }
    await context.close()
  })

  test('are words on the pages of those who sign, have declined or come too late', async () => {
    const { service, tenant } = console
    for (const { request, signatoryIds, endedLinks } of rows) {
      const links = [await linkOf(tenant, request, signatoryIds[0]!), ...endedLinks]
      for (const [at, link] of links.entries()) {
        const visitor = await visit(service.url, DESK)
        const dialogs = watchDialogs(visitor.page)
        await visitor.page.goto(service.url + new URL(link).pathname)
        if (at === 0) {
          await documentDrawn(visitor.page)
          await requireWords(visitor, dialogs, 'reading')
          await signOnPage(visitor.page)
        } else await visitor.page.getByRole('heading', { level: 1 }).waitFor()
        // That a link has ended is a refusal, which a browser tells of.
        if (at > 0) visitor.complaints.splice(0, 1)
        await requireWords(visitor, dialogs, `the page behind ${link}`)
        await visitor.context.close()
      }
    }
  })

  test('are words in the evidence and on the page that verifies a file', async () => {
    const { service, tenant } = console
    const visitor = await visit(service.url, DESK)
    const { page, context } = visitor
    const dialogs = watchDialogs(page)
    for (const { request, signatoryIds } of rows) {
      const second = await openLink(service, tenant, request, signatoryIds[1]!)
      await second.pageIn('ready', 'signed', 'closed')
      await second.sign()
      const { documents } = await untilStatus(tenant, request, 'Closed')
      const zip = unzip(await fetchBytes(service, tenant, `/signing/signaturerequest/${request}/evidence`))
      const pdf = [...zip].find(([name]) => name.endsWith('evidence.pdf'))![1].toString('latin1')
      assert.doesNotMatch(pdf, /\/(JavaScript|JS|Launch|OpenAction|SubmitForm|GoToR)\b/)
      const { verifyUrl } = JSON.parse(zip.get('evidence.json')!.toString()) as { verifyUrl: string }
      await page.goto(service.url + new URL(verifyUrl).pathname)
      const buffer = await fetchBytes(service, tenant, documents[0].documentURI)
      await page.setInputFiles('input[type=file]', {
        name: `${NAME}<img injected>.pdf`,
        mimeType: 'application/pdf',
        buffer,
      })
      await heading(page, 'The signatures are valid')
      await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`)
      await requireWords(visitor, dialogs, 'verifying')
    }
    await context.close()
  })

  test('would be seen if they were more than words', async () => {
    const visitor = await visit([], DESK)
    const dialogs = watchDialogs(visitor.page)
    for (const words of PAYLOADS.filter((payload) => payload.startsWith('<'))) {
      await visitor.page.setContent(`<body>${words}</body>`)
      await assert.rejects(requireWords(visitor, dialogs, words), { name: 'AssertionError' }, words)
    }
    assert.ok(dialogs.length > 0, 'some would run')
    await visitor.context.close()
  })

  test('are words in every message, which has the headers and the recipient of any other', async () => {
    const invitations = rows.length * 4
    await until('the messages', async () => mail.received.length >= invitations)
    const visitor = await visit([], DESK)
    const dialogs = watchDialogs(visitor.page)
    const usual = new Set([
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'mime-version',
      'content-type',
      'content-language',
      'reply-to',
    ])
    for (const { to, headers, html, text } of mail.received) {
      assert.equal(to.length, 1)
      assert.ok(!to[0]!.includes('evil'))
      const others = Object.keys(headers).filter((name) => !usual.has(name))
      assert.deepEqual(
        others.filter((name) => !/^(auto-submitted|x-auto-response-suppress|list-|feedback-id)/.test(name)),
        [],
      )
      for (const values of Object.values(headers)) assert.equal(values.length, 1)
      assert.ok(html.includes(NAME) && text.includes(NAME))
      assert.ok(!text.includes(SUM))
      await visitor.page.setContent(html)
      await requireWords(visitor, dialogs, headers['subject']![0]!)
    }
    requireQuiet(visitor)
    await visitor.context.close()
  })
})
