// A browser that was left open after signing out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { create } from '../signature-requests.ts'
import { startConsole, type ConsoleJourneys } from './console.ts'
import { button, DESK } from './signatory.ts'

describe('a console that was left', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
    await create(console.tenant.call, { subject: 'Mallory' })
  })
  after(() => console.stop())

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
