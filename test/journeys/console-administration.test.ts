// Messages of the outbox, certificates and the activity: every task at both sizes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addDepartment } from '../departments.ts'
import { create, pdf } from '../signature-requests.ts'
import { invite } from '../signing-flow.ts'
import { until } from '../until.ts'
import { addPerson, goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, layoutShift, requireAccessible } from './signatory.ts'

/** A fifth of what people begin to notice. */
const STILL = 0.02
/** Of every page, by the console's own list, with :id for the thing that it is about. */
const PATHS = [...readFileSync('src/web/console/pages.ts', 'utf8').matchAll(/path: '(\/console[^']*)'/g)].map(
  ([, path]) => path!,
)

describe('administration in the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  const dialog = (page: Page) => page.getByRole('dialog')

  /** A thing for each page that is about one, by the page's path. */
  async function makeThings(): Promise<Record<string, string>> {
    const { tenant, service } = console
    const post = async (path: string, body: unknown): Promise<string> =>
      (await tenant.asAdministrator('POST', path, body)).json.id
    const documents = [{ title: 'A lease', fileName: 'lease.pdf', contentBase64: pdf() }]
    const fields = { subject: 'A lease' }
    const hook = { eventType: 'signatorysigned', uri: 'https://hooks.example.com/' }
    return {
      '/console/requests/:id': (await invite(tenant)).requestId,
      '/console/requests/:id/change': await create(tenant.asAdministrator, { subject: 'A draft', documents }),
      '/console/sealing/:id': await post('/sealing/sealingrequest', { documents }),
      '/console/templates/requests/:id': await post('/documenttemplating/requesttemplate', {
        kind: 'signature',
        name: 'Leases',
        fields,
      }),
      '/console/people/departments/:id': (await addDepartment(service, tenant, 'Leases')).id,
      '/console/integrations/webhooks/:id': await post('/hooks/v1/subscription', hook),
    }
  }

  for (const [where, size] of SIZES) {
    const suffix = where.split(' ').at(-1)!

    test(`${where}: a message of the outbox is read, and that is recorded`, async () => {
      const { requestId } = await invite(console.tenant)
      const messages = `/messages?state=outbox&signatureRequestId=${requestId}`
      await until('the message', async () => {
        const { json } = await console.tenant.asAdministrator('GET', messages)
        return json.items.length > 0
      })
      const { page, context } = await console.enter('/console', size)
      await goTo(page, 'Messages')
      await page.getByText('Nothing is sent: the operator has set up neither').waitFor()
      await requireAccessible(page, 'messages')
      await button(page, 'Read Invitation to sign to aino@example.com').first().click()
      await requireAccessible(page, 'before reading')
      await button(page, 'Read it, and have that recorded').click()
      await dialog(page).locator('.secret code').filter({ hasText: '/sign/' }).waitFor()
      await requireAccessible(page, 'a message')
      await button(page, 'Close').click()
      const { json } = await console.tenant.call('GET', `/event/signaturerequest/${requestId}?pageSize=500`)
      const types = json.items.map((event: { eventType: string }) => event.eventType)
      assert.ok(types.includes('signatorymessageshown'), types.join(' '))

      await goTo(page, 'Activity')
      await page.getByText('Read by an administrator').first().waitFor()
      await context.close()
    })

    test(`${where}: no page moves while it comes`, async () => {
      const things = await makeThings()
      assert.deepEqual(Object.keys(things).toSorted(), PATHS.filter((path) => path.includes(':')).toSorted())
      const { page, context } = await console.enter('/console', size)
      const moving: string[] = []
      for (const path of PATHS) {
        await page.goto(console.service.url + path.replace(':id', things[path] ?? ''))
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        const shift = await layoutShift(page)
        if (shift >= STILL) moving.push(`${path} by ${shift}`)
      }
      assert.deepEqual(moving, [])
      await context.close()
    })

    test(`${where}: a seal certificate is made, a bad one is refused, one is revoked`, async () => {
      const department = await addDepartment(console.service, console.tenant, `Seals ${suffix}`)
      const { page, context } = await console.enter('/console', size)
      await goTo(page, 'Certificates')
      await page.getByText('Root of this installation').waitFor()
      await requireAccessible(page, 'certificates')
      await button(page, 'Add a seal certificate').click()
      await dialog(page).getByLabel('Department').selectOption(department.id)
      await requireAccessible(page, 'a new certificate')
      await button(page, 'Make it').click()
      const row = page.getByRole('listitem').filter({ hasText: `Seal of Seals ${suffix}` })
      await row.filter({ hasText: 'In use' }).waitFor()

      await button(page, 'Add a seal certificate').click()
      await dialog(page).getByLabel('Department').selectOption(department.id)
      await dialog(page).getByLabel('Where it comes from').selectOption('pem')
      await dialog(page)
        .getByLabel('PEM file')
        .setInputFiles({ name: 'seal.pem', mimeType: 'text/plain', buffer: Buffer.from('no PEM') })
      await button(page, 'Import it').click()
      await row.filter({ hasText: 'Refused' }).waitFor()

      await button(page, `Revoke Seals ${suffix}`).click()
      await dialog(page).getByRole('textbox').fill(`Seals ${suffix}`)
      await requireAccessible(page, 'revoke')
      await button(page, 'Revoke it').click()
      await row.filter({ hasText: 'Revoked' }).waitFor()

      const root = page.getByRole('link', { name: /^Download Countersign root/ })
      const address = (await root.getAttribute('href'))!
      assert.equal((await console.service.call('GET', address)).status, 200)
      await context.close()
    })

    test(`${where}: the activity tells who did what, and narrows`, async () => {
      await console.tenant.asAdministrator('POST', '/onboarding/subscriptionkey', { name: `Audit ${suffix}` })
      const { page, context } = await console.enter('/console/activity', size)
      await heading(page, 'Activity')
      await page.getByText(`Audit ${suffix}`).waitFor()
      await requireAccessible(page, 'activity')
      await page.getByLabel('About').selectOption('department')
      await page.getByText(`Audit ${suffix}`).waitFor({ state: 'detached' })
      assert.match(page.url(), /targetType=department/)
      await page.getByLabel('About').selectOption('subscriptionkey')
      await page.getByText(`Audit ${suffix}`).waitFor()
      await context.close()
    })
  }

  test('whoever is no administrator sees what is theirs, and nothing of this', async () => {
    const email = await addPerson(console, { email: 'clerk@example.com', role: 'user' })
    const { page, context } = await console.enter('/console', { login: email })
    const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
    await links.filter({ hasText: 'Archive' }).waitFor()
    const names = await links.allTextContents()
    assert.deepEqual(names, ['Overview', 'Signature requests', 'Sealing', 'Templates', 'Archive'])
    await page.goto(`${console.service.url}/console/activity`)
    await page.getByText('Ask an administrator of your organisation').waitFor()
    await requireAccessible(page, 'refused')
    await context.close()
  })
})
