// Departments as a tree, users and their invitations: every task at both sizes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import { goTo, SIZES, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, requireAccessible, requireQuiet } from './signatory.ts'

describe('people in the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  const dialog = (page: Page) => page.getByRole('dialog')
  /** Of the tree. The names of what lies above are in it as well, so it is known by how it begins. */
  const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

  async function addDepartment(page: Page, name: string, below?: string): Promise<void> {
    await button(page, 'Add a department').first().click()
    await dialog(page).getByLabel('Name').fill(name)
    if (below) await dialog(page).getByLabel('Below').selectOption({ label: below })
    await button(page, 'Add the department').click()
    await dialog(page).waitFor({ state: 'detached' })
    await link(page, name).waitFor()
  }

  for (const [where, size] of SIZES) {
    test(`${where}: a department is added, changed, moved and deleted with all that is in it`, async () => {
      const suffix = where.split(' ').at(-1)!
      const visitor = await console.enter('/console', size)
      const { page, context } = visitor
      await goTo(page, 'People')
      const [sales, north, legal] = [`Sales ${suffix}`, `North ${suffix}`, `Legal ${suffix}`]
      for (const name of [sales, legal]) await addDepartment(page, name)
      await addDepartment(page, north, `\u2003${sales}`)
      await requireAccessible(page, 'the tree')

      await link(page, north).click()
      await heading(page, north)
      await button(page, 'Change').click()
      await dialog(page).getByLabel('Name', { exact: true }).fill(`${north} east`)
      await dialog(page).getByLabel('Keep finished requests for how many days').fill('90')
      await requireAccessible(page, 'change a department')
      await button(page, 'Save the changes').click()
      await heading(page, `${north} east`)
      await page.getByText('For 90 days').waitFor()

      await button(page, 'Move').click()
      await dialog(page)
        .getByLabel('Below')
        .selectOption({ label: `\u2003${legal}` })
      await button(page, 'Move it').click()
      await link(page, legal).waitFor()

      await link(page, legal).click()
      await heading(page, legal)
      await button(page, 'Delete').click()
      await page.getByText('1 department below it is deleted').waitFor()
      await requireAccessible(page, 'delete a department')
      await button(page, 'Delete it with all of this').click()
      await page.getByText('This is not the name.').waitFor()
      await dialog(page).getByRole('textbox').fill(legal)
      await button(page, 'Delete it with all of this').click()
      await heading(page, 'People')
      await link(page, legal).waitFor({ state: 'detached' })
      await link(page, sales).waitFor()
      visitor.complaints = visitor.complaints.filter((words) => !words.includes('401'))
      requireQuiet(visitor)
      await context.close()
    })

    test(`${where}: a person is invited, changed, invited again, deactivated and taken back`, async () => {
      const email = `aino-${where.split(' ').at(-1)}@example.com`
      const { page, context } = await console.enter('/console/people/users', size)
      await heading(page, 'People')
      await button(page, 'Invite a person').click()
      await dialog(page).getByLabel('E-mail address').fill(email)
      await dialog(page).getByLabel('First name').fill('Aino')
      await dialog(page).getByLabel('Last name').fill(email)
      await requireAccessible(page, 'invite')
      await button(page, 'Send the invitation').click()
      await row(page, email).getByText('Invited').waitFor()
      await requireAccessible(page, 'users')

      await button(page, `Change Aino ${email}`).click()
      await dialog(page).getByLabel('Role').selectOption('administrator')
      await button(page, 'Save the changes').click()
      await row(page, email).getByText('administrator').waitFor()

      await button(page, `Invite again Aino ${email}`).click()
      await button(page, 'Send it').click()
      await dialog(page).getByText('/console/password#').waitFor()
      await requireAccessible(page, 'invitation')
      await button(page, 'Done').click()
      const { asAdministrator } = console.tenant
      await until('two invitations', async () => {
        const { json } = await asAdministrator('GET', '/messages?take=500')
        return json.items.filter((message: { recipient: string }) => message.recipient === email).length === 2
      })

      await button(page, `Deactivate Aino ${email}`).click()
      await dialog(page).getByRole('button', { name: 'Deactivate' }).click()
      await row(page, email).getByText('Deactivated').waitFor()
      await button(page, `Reactivate Aino ${email}`).click()
      await dialog(page).getByRole('button', { name: 'Reactivate' }).click()
      await row(page, email).getByText('Invited').waitFor()

      await page.getByLabel('Search name or e-mail address').fill('ain EXAMPLE')
      await row(page, email).waitFor()
      await page.getByLabel('Search name or e-mail address').fill('nobody@example.com')
      await page.getByText('Nobody has a name or an e-mail address like this.').waitFor()
      await context.close()
    })
  }

  test('an e-mail address that is taken is refused in words, with the number of the call', async () => {
    const { page, context } = await console.enter('/console/people/users')
    await button(page, 'Invite a person').click()
    await dialog(page).getByLabel('E-mail address').fill(console.tenant.administratorEmail)
    await button(page, 'Send the invitation').click()
    await dialog(page).getByRole('alert').getByText('Number of this call').waitFor()
    await requireAccessible(page, 'refused')
    assert.equal(await dialog(page).count(), 1)
    await context.close()
  })
})
