// `npm run pictures`: a picture of everything that people can look at, at 390 and 1440 px, light and dark, in
// dist/pictures (or the folder given); words behind it choose scenes. With --keep, those of README and docs are renewed.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { connect } from '#client'
import { ensureWebBuilt } from '#main/web-build.ts'
import { openBrowser } from '../test/browser.ts'
import { signIn } from '../test/journeys/console.ts'
import { startService, type TestService, type TestTenant } from '../test/service.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { makePdf } from '../test/small-pdf.ts'
import { furnish, type Furnished } from './pictures/furnish.ts'
import {
  EMPTY_SCENES,
  listConsoleScenes,
  listSigningScenes,
  listVerifyScenes,
  OPEN_SCENES,
  type Scene,
  type SigningLinks,
} from './pictures/scenes.ts'

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const
const LOOKS = ['light', 'dark'] as const
const AFTER_EXPIRY_MS = 31 * 24 * 3600 * 1000
/** What README and docs show: the picture, and its name there. */
const KEPT = {
  'overview-desk-light': 'console-overview.png',
  'request-new-desk-light': 'console-new-request.png',
  'request-closed-desk-light': 'console-request.png',
  'webhook-desk-light': 'console-webhook.png',
  'sign-desk-light': 'sign-desktop.png',
  'sign-phone-light': 'sign-phone.png',
  'first-steps-desk-light': 'first-steps.png',
  'sign-sheet-desk-light': 'sign-sheet.png',
  'verify-good-desk-light': 'verify-desktop.png',
} as const

const words = process.argv.slice(2).filter((word) => !word.startsWith('--') && !word.includes('/'))
const folder = resolve(process.argv.slice(2).find((word) => word.includes('/')) ?? 'dist/pictures')
const isKeeping = process.argv.includes('--keep')
const isWanted = ({ name }: Scene) => words.length === 0 || words.includes(name)

let tries = 0
const receiver = createServer((_request, response) => response.writeHead((tries += 1) % 3 === 1 ? 503 : 204).end())
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/countersign`

await ensureWebBuilt()
await globalSetup()
mkdirSync(folder, { recursive: true })
const service = await startService({ COUNTERSIGN_ALLOW_INSECURE_HOOKS: 'true' }, { worker: { delivers: true } })
try {
  const [tenant, empty] = [await service.createTenant('Nordwind Property'), await service.createTenant('New')]
  const furnished = await furnish({ service, tenant, receiverUrl })
  const links = await linksOf(tenant, furnished)
  const verifying = listVerifyScenes(await filesOf(tenant, furnished))
  const sizes = ['desk', 'phone'] as const
  const take = (scenes: Scene[], login?: string) =>
    Promise.all(sizes.map((size) => takeAll({ service, scenes: scenes.filter(isWanted), size, login })))
  await take([...OPEN_SCENES, ...verifying, ...listSigningScenes(links)])
  await take(EMPTY_SCENES, empty.administratorEmail)
  await take(listConsoleScenes(furnished), tenant.administratorEmail)
  service.clock.advance(AFTER_EXPIRY_MS)
  await take([{ name: 'sign-expired', path: links.ready }])
} finally {
  await service.stop()
  globalTeardown()
  receiver.close()
  await (await openBrowser()).close()
}
if (isKeeping)
  for (const [from, to] of Object.entries(KEPT)) copyFileSync(join(folder, `${from}.png`), join('docs/pictures', to))

type Taking = {
  service: TestService
  scenes: Scene[]
  size: keyof typeof SIZES
  login?: string | undefined
}

async function takeAll({ service: { url }, scenes, size, login }: Taking): Promise<void> {
  if (scenes.length === 0) return
  const isPhone = size === 'phone'
  const options = { viewport: SIZES[size], isMobile: isPhone, hasTouch: isPhone, locale: 'en-GB' }
  const context: BrowserContext = await (await openBrowser()).newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  if (login !== undefined) {
    await page.goto(`${url}/console`)
    await signIn(page, login)
  }
  for (const scene of scenes) {
    // A signatory's session is a cookie: each scene begins without the one before.
    if (login === undefined) await context.clearCookies()
    await takeOne(page, url, scene, (look) => join(folder, `${scene.name}-${size}-${look}.png`))
  }
  await context.close()
}

type FileOf = (look: (typeof LOOKS)[number]) => string

async function takeOne(page: Page, url: string, { name, path, prepare }: Scene, fileOf: FileOf): Promise<void> {
  for (const look of LOOKS) rmSync(fileOf(look), { force: true })
  try {
    await page.goto(new URL(path, url).href)
    await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => {}) // A page that follows events never is.
    await prepare?.(page)
    for (const look of LOOKS) {
      await page.emulateMedia({ colorScheme: look, reducedMotion: 'reduce' })
      await page.waitForTimeout(200)
      await page.screenshot({ path: fileOf(look), fullPage: !name.startsWith('sign') })
    }
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    if (Number(wide) > 0) console.log(`${fileOf('light')}: ${String(wide)} px too wide`)
  } catch (error) {
    console.log(`${name}: ${(error as Error).message.split('\n')[0]}`)
  }
}

/** The ways to the pages of people in every state. What ends kills its links, so those were asked for before. */
async function linksOf({ call }: TestTenant, { requests, endedLinks }: Furnished): Promise<SigningLinks> {
  const open = requests.filter(({ status }) => status === 'Open')
  const linkOf = async (id: string, states: string[]): Promise<string> => {
    const { json } = await call('GET', `/signing/signaturerequest/${id}`)
    const people = json.signatories as { id: string; state: string }[]
    const { id: signatoryId } = people.find(({ state }) => states.includes(state))!
    const link = await call('GET', `/signing/signaturerequest/${id}/signatory/${signatoryId}/link`)
    return new URL(link.json.url).pathname
  }
  const ready = await linkOf(open.at(-1)!.id, ['Invited', 'Viewed'])
  const signed = await linkOf(open.at(-1)!.id, ['Signed'])
  return { ready, signed, ...endedLinks }
}

async function filesOf({ key, call }: TestTenant, { requests }: Furnished) {
  const { json } = await call('GET', `/signing/signaturerequest/${requests[0]!.id}`)
  const countersign = connect({ url: service.url, key })
  const response = await countersign.downloadStoredDocument({ uri: json.documents[0].documentURI })
  const signed = Buffer.from(await response!.arrayBuffer())
  const tampered = Buffer.from(signed)
  // A byte of the first page's content: what was signed is another document now.
  tampered[tampered.indexOf('stream') + 20]! ^= 1
  return { signed, tampered, unsigned: makePdf('A letter') }
}
