// What journeys of the console share: the service with its worker and pages, and a person who has signed in.
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { ensureWebBuilt } from '#main/web-build.ts'
import { closeLeftPages, visit, type Visit } from '../browser.ts'
import { PASSWORD, startService, type TestService, type TestTenant } from '../service.ts'
import { button, DESK, heading, PHONE } from './signatory.ts'

/** Both sizes that every task is tried at. */
export const SIZES = [
  ['on a desk', DESK],
  ['on a phone', PHONE],
] as const

export type ConsoleJourneys = {
  service: TestService
  tenant: TestTenant
  /** A browser at an address of the console in which nobody is signed in. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>
  /** A browser in which the tenant's administrator (or whoever is named) is signed in, at that address. */
  enter(path: string, options?: BrowserContextOptions & { login?: string }): Promise<Visit>
  stop(): Promise<void>
}

export async function startConsole(environment: Record<string, string> = {}): Promise<ConsoleJourneys> {
  await ensureWebBuilt()
  // The worker that delivers also hands events out to whoever follows them.
  const service = await startService(environment, { worker: { delivers: true } })
  const tenant = await service.createTenant('Acme')
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const visitor = await visit(service.url, options)
    await visitor.page.goto(service.url + path)
    return visitor
  }
  return {
    service,
    tenant,
    open,
    async enter(path, { login = tenant.administratorEmail, ...options } = {}) {
      const visitor = await open(path, options)
      await signIn(visitor.page, login)
      return visitor
    },
    async stop() {
      await closeLeftPages()
      await service.stop()
    },
  }
}

/** A person of the tenant who can sign in with the password of the tests. */
export async function addPerson(
  { tenant }: ConsoleJourneys,
  { email, ...fields }: { email: string; role?: string; firstName?: string; lastName?: string },
): Promise<string> {
  const { json: user } = await tenant.asAdministrator('POST', '/onboarding/user', { email, ...fields })
  const { json } = await tenant.asAdministrator('POST', `/onboarding/user/${user.id}/invitation`)
  const body = { token: json.token, password: PASSWORD }
  assert.equal((await tenant.call('POST', '/identity/password', body)).status, 204)
  return email
}

/** Fills in the form and waits until the page behind it stands there. */
export async function signIn(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(login)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Sign in').click()
  await page.getByRole('main').and(page.locator('#content')).waitFor()
}

/** Goes to a page by the navigation, which on a phone lies in a drawer. */
export async function goTo(page: Page, name: string, title: string | RegExp = name): Promise<void> {
  await openMenu(page)
  const navigation = page.getByRole('navigation', { name: 'Console' })
  await navigation.getByRole('link', { name, exact: true }).filter({ visible: true }).click()
  await heading(page, title)
}

/** Opens the drawer where there is one, once the page knows which of the two it has. */
export async function openMenu(page: Page): Promise<void> {
  const menu = button(page, 'Menu')
  const navigation = page.getByRole('navigation', { name: 'Console' })
  await menu.or(navigation).filter({ visible: true }).first().waitFor()
  if (await menu.isVisible()) await menu.click()
}
