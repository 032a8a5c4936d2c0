// What journeys of signatories share: the service with its worker and pages, a person with a browser, and the questions
// that every page has to answer well.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core'
import { LANGUAGES } from '#i18n/languages.ts'
import { ensureWebBuilt } from '#main/web-build.ts'
import { closeLeftPages, visit, type Visit } from '../browser.ts'
import type { TestService, TestTenant } from '../service.ts'
import { invite, linkOf, startSigningService, type Ceremony } from '../signing-flow.ts'
import { until } from '../until.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true }
export const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

export type Journeys = {
  service: TestService
  tenant: TestTenant
  /** A request whose first group has been invited. */
  invite(changes?: Record<string, unknown>): Promise<Ceremony>
  /** The address of a signatory's personal link, on the port of this test. */
  link(ceremony: Ceremony, signatory?: number): Promise<string>
  /** A signatory's browser that has opened the personal link. */
  open(ceremony: Ceremony, options?: OpenOptions): Promise<Visit>
  stop(): Promise<void>
}

export type OpenOptions = BrowserContextOptions & { signatory?: number }

export async function startJourneys(environment: Record<string, string> = {}): Promise<Journeys> {
  await ensureWebBuilt()
  const service = await startSigningService(environment)
  const tenant = await service.createTenant()
  const link = async ({ requestId, signatoryIds }: Ceremony, signatory = 0) => {
    const { pathname, search } = new URL(await linkOf(tenant, requestId, signatoryIds[signatory]!))
    return service.url + pathname + search
  }
  return {
    service,
    tenant,
    invite: (changes) => invite(tenant, changes),
    link,
    async open(ceremony, { signatory, ...options } = {}) {
      const visitor = await visit(service.url, options)
      await visitor.page.goto(await link(ceremony, signatory))
      return visitor
    },
    async stop() {
      await closeLeftPages()
      await service.stop()
    },
  }
}

/** A button by its words. */
export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name })
}

/** Waits until the page has this heading. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Waits until the first page of the first document stands there, with its text. */
export async function documentDrawn(page: Page): Promise<void> {
  await page.locator('.textLayer span').first().waitFor()
}

/** From the open documents to "Signed", where no code is asked for. */
export async function signOnPage(page: Page): Promise<void> {
  await button(page, 'Go on to signing').click()
  await button(page, /^Sign \d+ document/).click()
  await heading(page, 'Signed')
}

/** Nothing was asked of others, and nothing went wrong. */
export function requireQuiet({ complaints, strangers }: Visit): void {
  assert.deepEqual(complaints, [])
  assert.deepEqual(strangers, [])
}

/** What the page is now, in the browser's own words. */
export async function look<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(expression)) as T
}

/** How much has moved by itself since the page was opened; 0.1 is what people begin to notice. */
export function layoutShift(page: Page): Promise<number> {
  return look(
    page,
    `new Promise((resolve) => {
      let sum = 0
      const add = (list) => list.getEntries().forEach((entry) => { if (!entry.hadRecentInput) sum += entry.value })
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 200)
    })`,
  )
}

/** No rule of WCAG that a program can check is broken, and nothing reaches beyond the window's width. */
export async function requireAccessible(page: Page, where: string): Promise<void> {
  assert.deepEqual(await listAxeFaults(page), [], `axe: ${where}`)
  await requireNoSideways(page, where)
}

/** Pages of paper take their new width a moment after the window has changed. */
export async function requireNoSideways(page: Page, where: string): Promise<void> {
  await requireNothingBeyond(page, 'document.documentElement', `${where} to be no wider than the window`)
}

/** A sheet scrolls by itself, so its own width counts. */
async function requireSheetFits(page: Page, where: string): Promise<void> {
  await page.getByRole('dialog').waitFor()
  await requireNothingBeyond(page, 'document.querySelector("dialog")', `${where} to be no wider than its sheet`)
}

async function requireNothingBeyond(page: Page, element: string, what: string): Promise<void> {
  const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(${element})`
  await until(what, async () => (await look<number>(page, beyond)) === 0)
}

const LANGUAGE_CHOICE = '.top select'

/** Every language that the page can speak, one after the other, and in the end the one that it spoke before. */
export async function* eachLanguage(page: Page): AsyncGenerator<string> {
  const before = (await page.locator('html').getAttribute('lang'))!
  for (const language of [...LANGUAGES, before]) {
    await page.locator(LANGUAGE_CHOICE).selectOption(language)
    await page.locator(`html[lang="${language}"]`).waitFor()
    yield language
  }
}

export const NARROW = { width: 320, height: 640 }

/** In every language nothing of the page reaches beyond the narrowest window. */
export async function requireEveryLanguageFits(page: Page, where: string): Promise<void> {
  for await (const language of eachLanguage(page)) await requireNoSideways(page, `${where}, ${language}`)
}

export type SheetToFit = {
  /** Of the button on the page that opens it. */
  opener: string
  name: string
  /** What else is done in it, each with the name of what it leads to. */
  steps?: readonly (readonly [name: string, step: () => Promise<void>])[]
}

/** The same of sheets. The page behind an open one can't change its language, so each is opened again in each. */
export async function requireEverySheetFits(page: Page, sheets: readonly SheetToFit[]): Promise<void> {
  for await (const language of eachLanguage(page)) {
    for (const { opener, name, steps = [] } of sheets) {
      await page.locator(opener).click()
      await requireSheetFits(page, `${name}, ${language}`)
      for (const [next, step] of steps) {
        await step()
        await requireSheetFits(page, `${next}, ${language}`)
      }
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
}

/** Waits until what has the focus says this: it goes there a moment after the page has changed. */
export async function focusOn(page: Page, words: string): Promise<void> {
  await until(`the focus on “${words}”`, async () => (await focused(page)) === words)
}

export function focused(page: Page): Promise<string> {
  return look(page, `document.activeElement.textContent.trim()`)
}

/** One for each page, which ends with it: the browser falls when one is detached while a virtual device is plugged in. */
const debuggers = new WeakMap<Page, Promise<CDPSession>>()

export function debuggerOf(page: Page): Promise<CDPSession> {
  const found = debuggers.get(page) ?? page.context().newCDPSession(page)
  debuggers.set(page, found)
  return found
}

/** By the browser's debugger, because the page's own policy lets no foreign script in. */
async function listAxeFaults(page: Page): Promise<string[]> {
  const browser = await debuggerOf(page)
  await browser.send('Runtime.evaluate', { expression: AXE })
  const expression = 'axe.run().then(({ violations }) => JSON.stringify(violations))'
  const { result } = await browser.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  const violations = JSON.parse(String(result.value)) as { id: string; nodes: { html: string }[] }[]
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' · ')}`)
}
