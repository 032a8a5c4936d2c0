// Names that are markup, wherever a person of the console meets them; and a browser that was left open after signing out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pdf, create } from '../signature-requests.ts'
import { startConsole, type ConsoleJourneys } from './console.ts'
import { button, DESK, requireQuiet } from './signatory.ts'

/** Each part would open a dialog if a page took it for anything but text. */
const HOSTILE = [
  'Mallory',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  "' onmouseover=alert(3) x='",
  '</title><svg onload=alert(4)>',
  '{{constructor.constructor("alert(5)")()}}',
  'javascript:alert(6)',
].join('')

describe('hostile names in the console', () => {
  let console: ConsoleJourneys
  const ids: Record<string, string> = {}

  before(async () => {
    console = await startConsole()
    const { asAdministrator } = console.tenant
    const post = async (path: string, body: unknown): Promise<string> => {
      const { status, json, text } = await asAdministrator('POST', path, body)
      assert.ok(status < 300, `${path}: ${text}`)
      return json.id
    }
    const document = { title: HOSTILE, fileName: HOSTILE.replaceAll('/', ''), contentBase64: pdf() }
    const person = { firstName: HOSTILE, lastName: HOSTILE }
    const wanted = { subject: HOSTILE, externalReference: HOSTILE, documents: [document] }
    ids['request'] = await create(asAdministrator, {
      ...wanted,
      signatories: [{ ...person, email: 'm@example.com', externalReference: HOSTILE }],
    })
    const canceled = await create(asAdministrator, wanted)
    await post(`/signing/signaturerequest/${canceled}/cancel`, { reason: HOSTILE })
    const sealing = { externalReference: HOSTILE, documents: [document] }
    ids['sealing'] = await post('/sealing/sealingrequest', sealing)
    ids['department'] = await post('/onboarding/department', {
      department: { name: HOSTILE, externalReference: HOSTILE },
    })
    await post('/onboarding/user', { ...person, email: 'mallory@example.com' })
    await post('/onboarding/subscriptionkey', { name: HOSTILE })
    await post('/documenttemplating/template', { name: HOSTILE, contentBase64: pdf(), fileName: 'Mallory.pdf' })
    const fields = { subject: HOSTILE, signatories: [person] }
    ids['template'] = await post('/documenttemplating/requesttemplate', {
      kind: 'signature',
      name: HOSTILE,
      fields,
    })
    const uri = `https://hooks.example.com/?Mallory=${encodeURI('"><img src=x onerror=alert(7)>')}`
    ids['hook'] = await post('/hooks/v1/subscription', { eventType: 'signatorysigned', uri })
  })
  after(() => console.stop())

  test('are text on every page that shows them, and nothing else is asked for', async () => {
    const visitor = await console.enter('/console', DESK)
    const { page, context, complaints } = visitor
    complaints.length = 0 // That nobody was signed in yet is no news.
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of [
      '/requests',
      `/requests/${ids['request']}`,
      '/sealing',
      `/sealing/${ids['sealing']}`,
      '/templates',
      '/templates/requests',
      `/templates/requests/${ids['template']}`,
      '/people',
      `/people/departments/${ids['department']}`,
      '/people/users',
      '/integrations',
      '/integrations/webhooks',
      `/integrations/webhooks/${ids['hook']}`,
      '/messages',
      '/activity',
    ]) {
      await page.goto(`${console.service.url}/console${path}`)
      const seen = page.getByRole('main').getByText('Mallory').or(page.locator('main input[value*="Mallory"]'))
      await seen.filter({ visible: true }).first().waitFor()
      assert.deepEqual(dialogs, [], path)
      assert.equal(await page.locator('main img[src="x"], main svg[onload], main [onmouseover]').count(), 0, path)
      requireQuiet(visitor)
    }
    await context.close()
  })

  test('the way back after signing out shows nothing of what stood there', async () => {
    const { page, context } = await console.enter('/console/requests', DESK)
    await page.getByText('Mallory').filter({ visible: true }).first().waitFor()
    await button(page, 'Sign out').first().click()
    await page.getByLabel('Password').waitFor()
    await page.goBack()
    await page.goForward()
    await page.goBack()
    await page.getByLabel('Password').waitFor()
    assert.equal(await page.getByText('Mallory').count(), 0)
    await context.close()
  })
})
