// Everything that people can look at: each page, each sheet, each state, with the way there.
import type { Page } from 'playwright-core'
import type { EndedLinks, Furnished } from './furnish.ts'

export type Scene = {
  name: string
  path: string
  /** What to do there before the picture is taken. */
  prepare?: (page: Page) => Promise<void>
}

const press =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).filter({ visible: true }).first().click()
    await page.getByRole('dialog').waitFor()
  }

/** The console of an administrator. */
export function listConsoleScenes({
  requests,
  webhookId,
  sealingId,
  departmentId,
  requestTemplateId,
}: Furnished): Scene[] {
  const requestOf = (status: string) => `/console/requests/${requests.find((one) => one.status === status)!.id}`
  return [
    { name: 'overview', path: '/console' },
    { name: 'requests', path: '/console/requests' },
    { name: 'requests-nothing-found', path: '/console/requests?search=nothing-like-this' },
    { name: 'request-new', path: '/console/requests/new' },
    { name: 'request-closed', path: requestOf('Closed') },
    { name: 'request-open', path: requestOf('Open') },
    { name: 'request-cancel', path: requestOf('Open'), prepare: press(/^Cancel/) },
    { name: 'request-canceled', path: requestOf('Canceled') },
    { name: 'request-draft', path: requestOf('Draft') },
    { name: 'sealing', path: '/console/sealing' },
    { name: 'sealing-new', path: '/console/sealing/new' },
    { name: 'sealing-one', path: `/console/sealing/${sealingId}` },
    { name: 'templates', path: '/console/templates' },
    { name: 'templates-add', path: '/console/templates', prepare: press(/Add|Upload|New/) },
    { name: 'templates-requests', path: '/console/templates/requests' },
    { name: 'templates-requests-new', path: '/console/templates/requests/new' },
    { name: 'templates-request', path: `/console/templates/requests/${requestTemplateId}` },
    { name: 'people', path: '/console/people' },
    { name: 'department', path: `/console/people/departments/${departmentId}` },
    { name: 'users', path: '/console/people/users' },
    { name: 'users-invite', path: '/console/people/users', prepare: press(/^Invite/) },
    { name: 'keys', path: '/console/integrations' },
    { name: 'keys-create', path: '/console/integrations', prepare: press('Create a key') },
    { name: 'webhooks', path: '/console/integrations/webhooks' },
    { name: 'webhook', path: `/console/integrations/webhooks/${webhookId}` },
    { name: 'api', path: '/console/integrations/api' },
    { name: 'messages', path: '/console/messages' },
    { name: 'certificates', path: '/console/certificates' },
    { name: 'archive', path: '/console/archive' },
    { name: 'archive-sealing', path: '/console/archive/sealing' },
    { name: 'activity', path: '/console/activity' },
    { name: 'first-steps', path: '/console/first-steps' },
    { name: 'account', path: '/console/account' },
    { name: 'not-there', path: '/console/nothing-of-that-name' },
    { name: 'organisation', path: '/console/people/organisation' },
    { name: 'request-change', path: `${requestOf('Draft')}/change` },
    { name: 'users-change', path: '/console/people/users', prepare: press(/^Change/) },
    {
      name: 'webhook-delivery',
      path: `/console/integrations/webhooks/${webhookId}`,
      prepare: (page) => page.locator('summary').nth(1).click(),
    },
    {
      name: 'request-verified',
      path: requestOf('Closed'),
      async prepare(page) {
        await page.getByRole('button', { name: 'Verify history now' }).click()
        await page.locator('.verify-history .good, .verify-history .bad').first().waitFor()
      },
    },
  ]
}

/** Before anybody has signed in. */
export const OPEN_SCENES: Scene[] = [
  { name: 'sign-in', path: '/console' },
  { name: 'forgot', path: '/console/forgot' },
  { name: 'set-password', path: '/console/password?token=not-a-real-one' },
]

/** A console in which nothing has happened yet. */
export const EMPTY_SCENES: Scene[] = [
  ['overview', '/console'],
  ['requests', '/console/requests'],
  ['sealing', '/console/sealing'],
  ['templates', '/console/templates'],
  ['webhooks', '/console/integrations/webhooks'],
  ['messages', '/console/messages'],
  ['archive', '/console/archive'],
].map(([name, path]) => ({ name: `empty-${name}`, path: path! }))

type Files = { signed: Buffer; tampered: Buffer; unsigned: Buffer }

/** The verification page with each verdict. */
export function listVerifyScenes(files: Files): Scene[] {
  const choose = (buffer: Buffer, fileName: string) => async (page: Page) => {
    await page.locator('input[type=file]').setInputFiles({ name: fileName, mimeType: 'application/pdf', buffer })
    await page.locator('h1').waitFor()
    await page.locator('.verdict, .state-page').waitFor()
  }
  return [
    { name: 'verify', path: '/verify' },
    { name: 'verify-wrong-link', path: '/verify/no-such-link' },
    { name: 'verify-good', path: '/verify', prepare: choose(files.signed, 'Lease for the office.pdf') },
    { name: 'verify-tampered', path: '/verify', prepare: choose(files.tampered, 'Lease for the office.pdf') },
    {
      name: 'verify-details',
      path: '/verify',
      async prepare(page) {
        await choose(files.signed, 'Lease for the office.pdf')(page)
        await page.locator('.top select').selectOption('fi')
        await page.locator('html[lang=fi]').waitFor()
        await page.locator('article summary').first().click()
      },
    },
    { name: 'verify-unsigned', path: '/verify', prepare: choose(files.unsigned, 'letter.pdf') },
    { name: 'verify-not-a-pdf', path: '/verify', prepare: choose(Buffer.from('hello'), 'letter.txt') },
  ]
}

/** Personal links of people in each state. */
export type SigningLinks = EndedLinks & { ready: string; signed: string }

/** What a signatory meets. */
export function listSigningScenes({ ready: link, ...links }: SigningLinks): Scene[] {
  const drawn = (page: Page) => page.locator('.textLayer span').first().waitFor()
  return [
    { name: 'sign', path: link, prepare: drawn },
    {
      name: 'sign-sheet',
      path: link,
      async prepare(page) {
        await drawn(page)
        await page.getByRole('button', { name: 'Go on to signing' }).click()
        await page.getByRole('button', { name: /^Sign \d+ document/ }).waitFor()
      },
    },
    {
      name: 'sign-decline',
      path: link,
      async prepare(page) {
        await drawn(page)
        await page
          .getByRole('button', { name: /Decline/ })
          .filter({ visible: true })
          .first()
          .click()
      },
    },
    { name: 'sign-wrong-link', path: '/sign/not-a-real-link' },
    { name: 'sign-session-ended', path: '/sign' },
    { name: 'sign-signed', path: links.signed },
    { name: 'sign-not-your-turn', path: links.notYourTurn },
    { name: 'sign-declined', path: links.declined },
    { name: 'sign-ended-by-another', path: links.closed },
    { name: 'sign-canceled', path: links.canceled },
    { name: 'sign-code', path: links.code },
    {
      name: 'sign-no-connection',
      path: link,
      async prepare(page) {
        await page.route('**/sign/api/**', (route) => route.abort())
        await page.reload()
        await page.locator('.state-page').waitFor()
        await page.unroute('**/sign/api/**')
      },
    },
    {
      name: 'sign-german',
      path: link,
      async prepare(page) {
        await drawn(page)
        await page.locator('.top select').selectOption('de')
        await page.locator('html[lang=de]').waitFor()
      },
    },
  ]
}
