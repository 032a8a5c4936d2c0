// Coming in and going out: signing in, staying signed in, being signed out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PASSWORD } from '../service.ts'
import { openMenu, SIZES, signIn, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, layoutShift, requireAccessible, requireQuiet } from './signatory.ts'

describe('signing in to the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  for (const [where, size] of SIZES) {
    test(`${where}: in, out, and in again at the address that one came to`, async () => {
      const visitor = await console.open('/console', size)
      const { page, context } = visitor
      await heading(page, 'Sign in')
      await requireAccessible(page, 'sign in')
      await signIn(page, console.tenant.administratorEmail)
      await heading(page, 'Overview')
      await requireAccessible(page, 'overview')
      assert.ok((await layoutShift(page)) < 0.1)

      await page.reload()
      await heading(page, 'Overview')

      await openMenu(page)
      await requireAccessible(page, 'navigation')
      await button(page, 'Sign out').filter({ visible: true }).click()
      await heading(page, 'Sign in')
      const cookies = await context.cookies()
      assert.deepEqual(cookies, [])
      // The browser tells every answer that is a refusal; that nobody is signed in is one.
      visitor.complaints = visitor.complaints.filter((words) => !words.includes('401'))
      requireQuiet(visitor)
      await context.close()
    })
  }

  test('a wrong password is said in words, and the right one still gets in', async () => {
    const { page, context } = await console.open('/console')
    await page.getByLabel('E-mail address').fill(console.tenant.administratorEmail)
    await page.getByLabel('Password').fill('not this one')
    await button(page, 'Sign in').click()
    await page.getByText('The e-mail address or the password is not right.').waitFor()
    await requireAccessible(page, 'refused')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Overview')
    await context.close()
  })

  test('an address that leads nowhere says so', async () => {
    const { page, context } = await console.enter('/console/nowhere/at/all')
    await heading(page, 'There is no such page')
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await heading(page, 'Overview')
    await context.close()
  })
})
