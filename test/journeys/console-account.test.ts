// One's own account: a password by a link, a forgotten one, another one, and an authenticator app.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOfStep } from '#features/identity/totp.ts'
import { PASSWORD } from '../service.ts'
import { until } from '../until.ts'
import { addPerson, SIZES, signIn, startConsole, type ConsoleJourneys } from './console.ts'
import { button, heading, requireAccessible } from './signatory.ts'

const NEW_PASSWORD = 'words that nobody else would say'

describe('an account in the console', () => {
  let console: ConsoleJourneys

  before(async () => {
    console = await startConsole()
  })
  after(() => console.stop())

  /** The link in the newest message to somebody, on the port of this test. */
  async function linkTo(email: string, kind: string): Promise<string> {
    const { asAdministrator } = console.tenant
    type Listed = { id: string; kind: string; recipient: string | null }
    const message = await until(`a message to ${email}`, async () => {
      const { json } = await asAdministrator('GET', '/messages?state=outbox')
      return (json.items as Listed[]).find((found) => found.kind === kind && found.recipient === email)
    })
    const { pathname, hash } = new URL((await asAdministrator('GET', `/messages/${message.id}`)).json.url)
    return pathname + hash
  }

  async function choosePassword(page: Page, password: string): Promise<void> {
    await heading(page, 'Choose a password')
    await page.getByLabel('New password').fill(password)
    await button(page, 'Set the password').click()
  }

  for (const [where, size] of SIZES) {
    test(`${where}: from an invitation to the console, and back after forgetting the password`, async () => {
      const email = `new-${where.split(' ').at(-1)}@example.com`
      await console.tenant.asAdministrator('POST', '/onboarding/user', {
        email,
        firstName: 'Ada',
        lastName: 'Lovelace',
      })
      const { page, context } = await console.open(await linkTo(email, 'userinvitation'), size)
      await choosePassword(page, 'short')
      await page.getByText('7 more characters, please.').waitFor()
      await requireAccessible(page, 'choose a password')
      assert.equal(new URL(page.url()).hash, '', 'the token has left the address')
      await choosePassword(page, PASSWORD)
      await heading(page, 'Your password is set')
      await requireAccessible(page, 'password set')

      await page.goto(`${console.service.url}/console/forgot`)
      await heading(page, 'Forgot your password?')
      await page.getByLabel('E-mail address').fill(email)
      await requireAccessible(page, 'forgot')
      // The service sends another link only some minutes after the first.
      console.service.clock.advance(6 * 60_000)
      await button(page, 'Send the link').click()
      await heading(page, 'Look into your inbox')
      const link = await linkTo(email, 'passwordreset')
      await page.goto(console.service.url + link)
      await choosePassword(page, NEW_PASSWORD)
      await heading(page, 'Your password is set')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(page, email, NEW_PASSWORD)

      await page.goto(`${console.service.url}${link}`)
      await choosePassword(page, PASSWORD)
      await heading(page, 'This link does not work any more')
      await requireAccessible(page, 'used link')
      await context.close()
    })

    test(`${where}: an authenticator app is added, asked for, and removed`, async () => {
      const login = await addPerson(console, { email: `safe-${where.split(' ').at(-1)}@example.com` })
      const { page, context } = await console.enter('/console/account', { ...size, login })
      await heading(page, 'Your account')
      await requireAccessible(page, 'account')
      await button(page, 'Add an authenticator app').click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await button(page, 'Go on').click()
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await requireAccessible(page, 'QR code')
      const secret = fromBase32((await page.locator('dialog code').innerText()).replaceAll(' ', ''))
      // A code of the next half minute counts, and is still good when that begins meanwhile.
      const code = (steps: number) =>
        codeOfStep(secret, Math.floor(console.service.clock.now().getTime() / 30_000) + steps)
      await page.getByLabel('Code from the app').fill(code(0))
      await button(page, 'Turn it on').click()
      await page.locator('.recovery-codes li').nth(9).waitFor()
      await requireAccessible(page, 'recovery codes')
      await button(page, 'I have kept them').click()
      await page.getByRole('list', { name: 'Second factors' }).getByText('Authenticator app').waitFor()

      await button(page, 'Sign out everywhere').click()
      await heading(page, 'Sign in')
      await page.getByLabel('E-mail address').fill(login)
      await page.getByLabel('Password').fill(PASSWORD)
      await button(page, 'Sign in').click()
      await page.getByLabel('Code from your authenticator app').fill('000000')
      await button(page, 'Sign in').click()
      await page.getByText('The code is not right').waitFor()
      await requireAccessible(page, 'wrong code')
      await page.getByLabel('Code from your authenticator app').fill(code(1))
      await button(page, 'Sign in').click()
      await heading(page, 'Overview')

      await page.goto(`${console.service.url}/console/account`)
      await button(page, 'Remove the app').click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click()
      await button(page, 'Add an authenticator app').waitFor()
      await context.close()
    })
  }

  test('another password signs the other browsers out, and asks them to sign in above what they were doing', async () => {
    const login = await addPerson(console, { email: 'changing@example.com' })
    const here = await console.enter('/console/account', { login })
    const there = await console.enter('/console/account', { login })
    await here.page.getByText('This browser').waitFor()
    await here.page.getByLabel('Present password').fill(PASSWORD)
    await here.page.getByLabel('New password').fill(NEW_PASSWORD)
    await button(here.page, 'Change the password').click()
    await here.page.getByText('Your password is changed.').waitFor()

    await button(there.page, 'Add an authenticator app').click()
    await there.page.getByLabel('Your password').fill(NEW_PASSWORD)
    await button(there.page, 'Go on').click()
    await there.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    const sheet = there.page.getByRole('dialog', { name: 'Sign in again' })
    await requireAccessible(there.page, 'sign in again')
    await sheet.getByLabel('Password').fill(NEW_PASSWORD)
    await sheet.getByRole('button', { name: 'Sign in' }).click()
    await sheet.waitFor({ state: 'detached' })
    await button(there.page, 'Go on').click()
    await there.page.getByRole('img', { name: /QR code/ }).waitFor()
    await here.context.close()
    await there.context.close()
  })
})

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
}
