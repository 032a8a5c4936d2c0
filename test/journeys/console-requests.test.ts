// Signature requests from dropped files to the evidence, at both sizes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit } from '../browser.ts'
import { create } from '../signature-requests.ts'
import { linkOf, openLink, readRequest, untilStatus } from '../signing-flow.ts'
import { makePdf } from '../small-pdf.ts'
import { until } from '../until.ts'
import { addPerson, goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, layoutShift, requireAccessible, signOnPage } from './signatory.ts'

const PDF = { mimeType: 'application/pdf', buffer: makePdf() }

describe('signature requests in the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1)!
  const untilRequestPage = (page: Page) => page.waitForURL(/\/console\/requests\/[0-9a-f]{8}-/)

  for (const [where, size] of SIZES) {
    test(`${where}: a PDF is sent to two people, signed while the page is open, and its evidence downloaded`, async () => {
      const { page, context } = await console.enter('/console', { ...size, acceptDownloads: true })
      await goTo(page, 'Signature requests')
      await page.getByRole('link', { name: 'New request' }).first().click()
      await heading(page, 'New signature request')
      await page.getByLabel('PDF files').setInputFiles({ name: `lease ${where}.pdf`, ...PDF })
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Last name').fill('Lovelace')
      await button(page, 'Add a person').click()
      const second = page.getByRole('group', { name: 'Person 2' })
      await second.getByLabel('E-mail address').fill('grace@example.com')
      await second
        .or(page.getByRole('group', { name: 'grace@example.com' }))
        .getByLabel('Signs')
        .selectOption('2')
      await page.getByLabel('Before signing').selectOption('None')
      await requireAccessible(page, 'new request')

      await button(page, 'Send for signature').click()
      await page.getByText('Ada Lovelace needs an e-mail address.').waitFor()
      await requireAccessible(page, 'something missing')
      await page.getByRole('group', { name: 'Ada Lovelace' }).getByLabel('E-mail address').fill('ada@example.com')
      await page.getByText(`Acme: please sign “lease ${where}”`).waitFor()
      await button(page, 'Send for signature').click()
      await untilRequestPage(page)
      await heading(page, `lease ${where}`)
      await page.getByText('Invited', { exact: true }).waitFor()
      await page.getByText('Not invited yet').waitFor()
      await requireAccessible(page, 'an open request')
      assert.ok((await layoutShift(page)) < 0.1, 'nothing jumps')

      const requestId = idOf(page)
      const { json } = await readRequest(console.tenant, requestId)
      for (const signatory of json.signatories) {
        const { pathname } = new URL(await linkOf(console.tenant, requestId, signatory.id))
        const signer = await visit(console.service.url, size)
        await signer.page.goto(console.service.url + pathname)
        await signOnPage(signer.page)
        await signer.context.close()
        await page
          .locator('.timeline')
          .getByText(`Signed: ${signatory.firstName ?? signatory.email}`)
          .waitFor()
      }
      // Nobody has touched the page since: it was told.
      await button(page, 'Download the evidence').waitFor()
      const evidence = page.waitForEvent('download')
      await button(page, 'Download the evidence').click()
      assert.match(
        readFileSync(await (await evidence).path())
          .subarray(0, 2)
          .toString(),
        /PK/,
      )
      const document = page.waitForEvent('download')
      await button(page, /^Download lease/).click()
      const saved = await document
      assert.equal(saved.suggestedFilename(), `lease ${where}.pdf`)
      assert.ok(readFileSync(await saved.path()).length > PDF.buffer.length)

      await button(page, 'Verify history now').click()
      await page.getByText(/Nothing was changed, added or taken away/).waitFor()
      await requireAccessible(page, 'a closed request')
      await context.close()
    })

    test(`${where}: a request begins with a template and a department, and whoever sends fills in the rest`, async () => {
      const name = `Leases ${where}`
      const { json: sales } = await console.tenant.call('POST', '/onboarding/department', {
        department: { name: `Sales ${where}` },
      })
      const landlord = { externalReference: 'Landlord', firstName: 'Lea', email: 'lea@example.com' }
      const tenant = { externalReference: 'Tenant', signatoryGroupSigningOrder: 2 }
      const placements = [{ documentIndex: 0, signatoryIndex: 1, page: 1, x: 72, y: 72, width: 200, height: 50 }]
      const fields = {
        subject: 'A lease',
        signingAuthenticationStrength: 'None',
        signatories: [landlord, tenant],
        placements,
      }
      await console.tenant.call('POST', '/documenttemplating/requesttemplate', { kind: 'signature', name, fields })

      const { page, context } = await console.enter('/console/requests/new', size)
      await page.getByLabel('Template').selectOption({ label: name })
      await page.getByLabel('Department').selectOption({ label: `\u2003Sales ${where}` })
      await page.getByLabel('PDF files').setInputFiles({ name: 'lease.pdf', ...PDF })
      const person = page.getByRole('group', { name: 'Tenant' })
      assert.equal(await person.getByLabel('Signs').inputValue(), '2')
      await requireAccessible(page, 'from a template')
      await person.getByLabel('E-mail address').fill('tom@example.com')
      await button(page, 'Send for signature').click()
      await untilRequestPage(page)
      await heading(page, 'A lease')
      await page.getByText(`Sales ${where}`).first().waitFor()
      const { json } = await readRequest(console.tenant, idOf(page))
      assert.deepEqual(
        json.signatories.map(({ email, externalReference }: Record<string, string>) => [email, externalReference]),
        [
          ['lea@example.com', 'Landlord'],
          ['tom@example.com', 'Tenant'],
        ],
      )
      assert.equal(json.departmentId, sales.id)
      assert.ok(json.signatureRequestTemplateId)
      await context.close()
    })

    test(`${where}: a draft is changed and sent; one that somebody has sent meanwhile is not`, async () => {
      const people = [{ firstName: 'Ada', email: 'ada@example.com' }]
      const place = where.split(' ').at(-1)!
      const fields = { subject: `Rewritten ${place}`, status: 'Draft', signatories: people, externalReference: 'R-7' }
      const id = await create(console.tenant.call, fields)
      const { page, context } = await console.enter(`/console/requests/${id}`, size)
      await page.getByRole('link', { name: 'Change the draft' }).click()
      await heading(page, 'Change the draft')
      assert.equal(await page.getByLabel('Your own reference').inputValue(), 'R-7')
      await requireAccessible(page, 'change a draft')
      await page.getByLabel('E-mail address').fill('lovelace@example.com')
      await button(page, 'Send for signature').click()
      await page.getByText('Invited', { exact: true }).waitFor()
      assert.equal(idOf(page), id, 'it is still the same request')
      const { json } = await readRequest(console.tenant, id)
      assert.deepEqual([json.signatories[0].email, json.documents.length], ['lovelace@example.com', 1])
      await page.getByText('Draft changed').waitFor()

      const raced = await create(console.tenant.call, fields)
      await page.goto(`${console.service.url}/console/requests/${raced}/change`)
      await heading(page, 'Change the draft')
      await console.tenant.call('POST', `/signing/signaturerequest/${raced}/open`)
      await button(page, 'Keep as a draft').click()
      await page.getByRole('alert').getByText('This signature request is Open').waitFor()
      assert.equal((await readRequest(console.tenant, raced)).json.status, 'Open')
      await context.close()
    })

    test(`${where}: a request is found, its person reminded, and it is canceled with a reason`, async () => {
      const subject = `Offer ${where}`
      const id = await create(console.tenant.call, { subject, signingAuthenticationStrength: 'None' })
      await untilStatus(console.tenant, id, 'Open')
      for (let count = 0; count < 30; count++)
        await create(console.tenant.call, { subject: `Other ${count}`, status: 'Draft' })
      const { page, context } = await console.enter('/console/requests', size)
      await page.getByRole('link', { name: 'Other 29' }).first().waitFor()
      await requireAccessible(page, 'list')
      await button(page, 'Older').click()
      await page.getByText(/^26 to/).waitFor()
      await page.getByLabel('Search subject').fill(subject)
      const rows = page.getByRole('list', { name: 'Signature requests' }).getByRole('listitem')
      await until('one row', async () => (await rows.count()) === 1 && (await rows.getByText(subject).count()) === 1)
      await page.getByLabel('State').selectOption('Canceled')
      await page.getByText('Nothing found').waitFor()
      await requireAccessible(page, 'nothing found')
      await page.getByLabel('State').selectOption('Open')
      await page.getByRole('link', { name: subject }).click()
      await heading(page, subject)

      await button(page, 'Remind').click()
      await page.getByText('1 person has been reminded.').waitFor()
      await button(page, 'Remind').click()
      await page.getByText('Nobody was reminded').waitFor()
      await button(page, 'Show the personal link').click()
      await page.getByText(/\/sign\//).waitFor()

      await button(page, 'Cancel the request').click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('1 person who was invited is told.').waitFor()
      await requireAccessible(page, 'cancel')
      await sheet.getByLabel('Reason').fill('The price has changed')
      await sheet.getByRole('button', { name: 'Cancel the request' }).click()
      await page.getByText('The price has changed').waitFor()
      await page.getByText('Canceled', { exact: true }).waitFor()
      await page.goBack()
      await heading(page, 'Signature requests')
      assert.equal(await page.getByLabel('Search subject').inputValue(), subject, 'the way back keeps the search')
      await context.close()
    })
  }

  test('a draft is kept, and sent later', async () => {
    const { page, context } = await console.enter('/console/requests/new')
    await button(page, 'Keep as a draft').click()
    await page.getByText('Say what it is about.').waitFor()
    await page.getByLabel('PDF files').setInputFiles({ name: 'terms.pdf', ...PDF })
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Keep as a draft').click()
    await untilRequestPage(page)
    await page.getByText('Draft', { exact: true }).waitFor()
    await button(page, 'Send for signature').click()
    await page.getByText('Invited', { exact: true }).waitFor()
    await context.close()
  })

  test('what can not be sent is said at once, by the page or by the service', async () => {
    const { page, context } = await console.enter('/console/requests/new')
    const files = page.getByLabel('PDF files')
    await files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText('notes.txt is not a PDF.').waitFor()
    await files.setInputFiles({ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF at all') })
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await button(page, 'Send for signature').click()
    const notice = page.getByRole('alert')
    await notice.getByText('documents[0]').waitFor()
    await notice.getByText(/Number of this call/).waitFor()
    await requireAccessible(page, 'refused')
    await context.close()
  })

  test('somebody without an account’s rights sees the requests of their own department alone', async () => {
    const { json } = await console.tenant.call('POST', '/onboarding/department', { department: { name: 'Sales' } })
    const login = await addPerson(console, { email: 'clerk@example.com', role: 'clerk' })
    const { json: users } = await console.tenant.asAdministrator('GET', '/onboarding/user?take=500')
    const clerk = users.items.find(({ email }: { email: string }) => email === login)
    await console.tenant.asAdministrator('PATCH', `/onboarding/user/${clerk.id}`, { departmentId: json.id })
    const elsewhere = await create(console.tenant.call, { subject: 'Not for Sales' })
    const { page, context } = await console.enter('/console/requests', { login })
    await page.getByText('Nothing has been sent for signature yet').waitFor()
    await requireAccessible(page, 'nothing yet')
    await page.goto(`${console.service.url}/console/requests/${elsewhere}`)
    await page.getByText(/Ask an administrator/).waitFor()
    await page.goto(`${console.service.url}/console/requests/01a1dddd-0000-7000-8000-000000000000`)
    await heading(page, 'There is no such signature request')
    await context.close()
  })

  test('the page follows what others do', async () => {
    const id = await create(console.tenant.call, { subject: 'Watched', signingAuthenticationStrength: 'None' })
    const { page, context } = await console.enter(`/console/requests/${id}`)
    await page.getByText('Invited', { exact: true }).waitFor()
    const { json } = await readRequest(console.tenant, id)
    const signer = await openLink(console.service, console.tenant, id, json.signatories[0].id)
    await signer.post('/sign/api/viewed')
    await page.getByText('Has opened it').waitFor()
    await context.close()
  })
})
