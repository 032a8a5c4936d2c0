// What journeys of signatories share: the service with its worker and pages, a person with a browser, and the questions
// that every page has to answer well.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, CDPSession, Locator, Page } from 'playwright-core'
import { ensureWebBuilt } from '#main/web-build.ts'
import { visit, type Visit } from '../browser.ts'
import type { TestService, TestTenant } from '../service.ts'
import { invite, linkOf, startSigningService, type Ceremony } from '../signing-flow.ts'

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
    stop: () => service.stop(),
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

export async function requireNoSideways(page: Page, where: string): Promise<void> {
  const beyond = await look<number>(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(beyond, 0, `${where} is ${beyond} px wider than the window`)
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
