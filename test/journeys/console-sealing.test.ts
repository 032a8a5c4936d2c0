// Files that are sealed, templates of both kinds, and what the archive reports: every task at both sizes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { create, forceStatus } from '../signature-requests.ts'
import { makePdf } from '../small-pdf.ts'
import { goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, requireAccessible } from './signatory.ts'

const PDF = { name: 'annual-report.pdf', mimeType: 'application/pdf', buffer: makePdf() }

describe('sealing, templates and the archive in the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  const dialog = (page: Page) => page.getByRole('dialog')

  for (const [where, size] of SIZES) {
    const suffix = where.split(' ').at(-1)!

    test(`${where}: files are dropped, sealed and downloaded`, async () => {
      const { page, context } = await console.enter('/console', { ...size, acceptDownloads: true })
      await goTo(page, 'Sealing')
      await requireAccessible(page, 'sealing')
      await page.getByRole('link', { name: 'Seal files' }).first().click()
      await heading(page, 'Seal files')
      await page.locator('input[type=file]').setInputFiles([PDF, { ...PDF, name: 'notes.pdf' }])
      await button(page, 'Take out notes.pdf').click()
      await page.getByLabel('Subject').fill(`Report ${suffix}`)
      await requireAccessible(page, 'files to seal')
      await button(page, 'Seal one file').click()
      await heading(page, `Report ${suffix}`)
      await page.getByText('Sealed', { exact: true }).waitFor()
      await requireAccessible(page, 'a sealed request')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download the sealed file').click(),
      ])
      assert.equal(download.suggestedFilename(), 'annual-report-sealed.pdf')
      assert.match(readFileSync(await download.path(), 'latin1'), /\/ETSI\.CAdES\.detached/)
      await button(page, 'Close it').click()
      await page.getByText('Closed').waitFor()

      await goTo(page, 'Sealing')
      await page.getByLabel('State').selectOption('Closed')
      await page.getByRole('link', { name: `Report ${suffix}` }).waitFor()
      await context.close()
    })

    test(`${where}: a document template is added, changed, downloaded and deleted`, async () => {
      const name = `Lease ${suffix}`
      const { page, context } = await console.enter('/console', { ...size, acceptDownloads: true })
      await goTo(page, 'Templates')
      await requireAccessible(page, 'no templates')
      await button(page, 'Add a document').click()
      await dialog(page).locator('input[type=file]').setInputFiles(PDF)
      await dialog(page).getByLabel('Name').fill(name)
      await requireAccessible(page, 'a new document')
      await button(page, 'Add the document').click()
      await button(page, `Change ${name}`).click()
      await dialog(page).getByLabel('Language').selectOption('Suomi')
      await button(page, 'Save the changes').click()
      await page.getByText('Language: fi').waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), button(page, `Download ${name}`).click()])
      assert.deepEqual(readFileSync(await download.path()), PDF.buffer)
      await button(page, `Delete ${name}`).click()
      await button(page, 'Delete the template').click()
      await page.getByText('No document is kept here yet').waitFor()
      await context.close()
    })

    test(`${where}: a request template with visible signatures is made, changed and deleted`, async () => {
      const name = `Orders ${suffix}`
      const { page, context } = await console.enter('/console/templates/requests', size)
      await page.getByRole('link', { name: 'Create a template' }).click()
      await page.getByLabel('Name of the template').fill(name)
      await page.getByLabel('Subject').fill('Your order')
      await page.getByLabel('Before signing, by').selectOption('Email')
      await button(page, 'Add a visible signature').click()
      await button(page, 'Add a visible signature').click()
      await page.getByRole('group', { name: 'Visible signature 2' }).getByLabel('From the left').fill('320')
      await button(page, 'Add a person').click()
      await page.getByLabel('Role or signature field').fill('Landlord')
      await requireAccessible(page, 'a new request template')
      await button(page, 'Create the template').click()
      await page.getByRole('link', { name }).click()
      await heading(page, name)
      await page.getByLabel('Subject').fill('Your order of today')
      await button(page, 'Take out visible signature 1').click()
      await button(page, 'Save the changes').click()
      await page.getByText('“Your order of today” · 1 visible signature').waitFor()
      const { json } = await console.tenant.call('GET', '/documenttemplating/requesttemplate')
      const [{ fields }] = json.items
      assert.deepEqual(fields, {
        subject: 'Your order of today',
        signingAuthenticationStrength: 'Email',
        signatories: [{ externalReference: 'Landlord', isMandatory: true, signatoryGroupSigningOrder: 1 }],
        placements: [{ documentIndex: 0, signatoryIndex: 1, page: 1, x: 320, y: 600, width: 200, height: 60 }],
      })
      await page.getByRole('link', { name }).click()
      await button(page, 'Delete').click()
      await button(page, 'Delete the template').click()
      await page.getByText('No request template yet').waitFor()
      await context.close()
    })

    test(`${where}: a finished request is marked as archived, or as failed`, async () => {
      const subject = `Contract ${suffix}`
      const id = await create(console.tenant.call, { subject })
      await forceStatus(console.service, id, 'Closed')
      const { page, context } = await console.enter('/console', size)
      await goTo(page, 'Archive')
      await requireAccessible(page, 'archive')
      await button(page, `Mark ${subject}`).click()
      await dialog(page).getByLabel('How far it has come').selectOption('ArchivingFailed')
      await dialog(page).getByLabel('What went wrong').fill('The tape is full')
      await requireAccessible(page, 'mark')
      await button(page, 'Mark it').click()
      await page.getByLabel('Stage').selectOption('ArchivingFailed')
      await page.getByText('The tape is full').waitFor()
      await button(page, `Mark ${subject}`).click()
      await dialog(page).getByLabel('How far it has come').selectOption('Archived')
      await button(page, 'Mark it').click()
      await page.getByLabel('Stage').selectOption('Archived')
      await page.getByRole('list', { name: 'Finished requests' }).getByText(subject).waitFor()
      await context.close()
    })
  }

  test('a file that can not be sealed is refused in words', async () => {
    const { page, context } = await console.enter('/console/sealing/new')
    await page.locator('input[type=file]').setInputFiles({ ...PDF, buffer: Buffer.from('no PDF at all') })
    await button(page, 'Seal one file').click()
    const words = page.getByRole('alert').or(page.getByText('Could not be sealed'))
    await words.first().waitFor()
    await requireAccessible(page, 'refused')
    await context.close()
  })
})
