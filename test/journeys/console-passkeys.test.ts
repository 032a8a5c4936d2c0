// Passkeys in the console, with the browser's own virtual device: added, used, lost, and taken away.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { visit } from '../browser.ts'
import { PASSWORD } from '../service.ts'
import { addPerson, SIZES, signIn, startConsole, type ConsoleJourneys } from './console.ts'
import { button, debuggerOf, heading, requireAccessible } from './signatory.ts'

describe('passkeys in the console', () => {
  let console: ConsoleJourneys
  /** Passkeys belong to a name. */
  let url: string

  before(async () => {
    console = await startConsole()
    url = console.service.url.replace('127.0.0.1', 'localhost')
  })
  after(() => console.stop())

  async function open(path: string, size: BrowserContextOptions) {
    const visitor = await visit(url, size)
    await visitor.page.goto(url + path)
    return visitor
  }

  async function enterPassword(page: Page, login: string): Promise<void> {
    await heading(page, 'Sign in')
    await page.getByLabel('E-mail address').fill(login)
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Sign in').click()
  }

  for (const [where, size] of SIZES) {
    test(`${where}: a passkey is added, asked for, refused, lost, taken away by an administrator, and added again`, async () => {
      const place = where.split(' ').at(-1)!
      const login = await addPerson(console, { email: `keys-${place}@example.com`, firstName: 'Ada', lastName: place })
      const { page, context } = await open('/console/account', size)
      const device = await plugIn(page)
      await signIn(page, login)
      await heading(page, 'Your account')
      await button(page, 'Add a passkey').click()
      await page.getByLabel('Name of the device').fill('My telephone')
      await page.getByLabel('Your password').fill(PASSWORD)
      await requireAccessible(page, 'add a passkey')
      await button(page, 'Go on to the device').click()
      await page.locator('.recovery-codes li').nth(9).waitFor()
      const recoveryCode = await page.locator('.recovery-codes li').first().innerText()
      await requireAccessible(page, 'recovery codes')
      await button(page, 'I have kept them').click()
      await page.getByText('My telephone').waitFor()
      await requireAccessible(page, 'account with a passkey')

      await button(page, 'Sign out everywhere').click()
      await enterPassword(page, login)
      await requireAccessible(page, 'use a passkey')
      await button(page, 'Use your passkey').click()
      await heading(page, 'Overview')

      await page.goto(`${url}/console/account`)
      await button(page, 'Sign out everywhere').click()
      await device.lie(true)
      await enterPassword(page, login)
      await button(page, 'Use your passkey').click()
      await page.getByRole('alert').getByText('The passkey was not accepted.').waitFor()
      await requireAccessible(page, 'passkey refused')
      await device.lie(false)
      await button(page, 'Use your passkey').click()
      await heading(page, 'Overview')

      await page.goto(`${url}/console/account`)
      await button(page, 'Sign out everywhere').click()
      await enterPassword(page, login)
      await button(page, 'Use a recovery code').click()
      await page.getByLabel('Recovery code').fill(recoveryCode)
      await requireAccessible(page, 'recovery code')
      await button(page, 'Sign in').click()
      await heading(page, 'Overview')

      const admin = await console.enter('/console/people/users', size)
      await button(admin.page, `Change Ada ${place}`).click()
      await button(admin.page, 'Remove second factors').click()
      await requireAccessible(admin.page, 'remove second factors')
      await button(admin.page, 'Remove them').click()
      await admin.page.getByText(`Ada ${place} signs in with the password alone now.`).waitFor()
      await button(admin.page, `Change Ada ${place}`).click()
      await admin.page.getByLabel('Last name').waitFor()
      assert.equal(await button(admin.page, 'Remove second factors').count(), 0)
      await admin.context.close()

      await page.goto(`${url}/console/account`)
      await signIn(page, login)
      await heading(page, 'Your account')
      await button(page, 'Add a passkey').click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await button(page, 'Go on to the device').click()
      await button(page, 'I have kept them').click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await requireAccessible(page, 'remove a passkey')
      await button(page, 'Remove the passkey').click()
      await page.getByText('The passkey is removed.').waitFor()
      // The list is read anew after the removal.
      await page.getByRole('list', { name: 'Second factors' }).waitFor({ state: 'detached' })
      await context.close()
    })
  }
})

/** A device that always says yes. */
async function plugIn(page: Page) {
  const session = await debuggerOf(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** As one that somebody else has under the same name would. */
    lie: (isBogusSignature: boolean) =>
      session.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBogusSignature }),
  }
}
