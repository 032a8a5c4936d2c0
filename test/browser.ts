// One real browser for the whole test run. Each test opens pages in a context of its own and closes that.
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { unpackBrowser } from './browser-program.ts'

let browser: Promise<Browser> | undefined
/** What is awaited comes within a second on a machine that has nothing else to do, and late on one that is busy. */
const PATIENCE_MS = 120_000

/** The browser of this run, started by whoever asks first. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  browser ??= startBrowser()
  return browser
}

async function startBrowser(): Promise<Browser> {
  const { path, env } = await unpackBrowser()
  // Not the package's own list of arguments: --single-process in it ends the browser with its first context.
  // In the world the pages that frame ours and we are both public; here ours is on this machine.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-features=LocalNetworkAccessChecks']
  return chromium.launch({ executablePath: path, env: definedOnly(env), args, timeout: PATIENCE_MS })
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Closes what a test that failed has left open: its pages would go on asking. */
export async function closeLeftPages(): Promise<void> {
  const contexts = (await browser)?.contexts() ?? []
  await Promise.all(contexts.map((context) => context.close()))
}

export type Visit = {
  context: BrowserContext
  page: Page
  /** What the page complained about: errors in the console and exceptions that nobody caught. */
  complaints: string[]
  /** The addresses of other origins that it asked for. */
  strangers: string[]
}

/** A fresh page that knows nothing of others and may talk to these origins alone. */
export async function visit(origins: string | string[], options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await openBrowser()).newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await context.route('**/*', async (route) => {
    const url = route.request().url()
    if ([origins].flat().includes(new URL(url).origin) || url.startsWith('data:') || url.startsWith('blob:'))
      return route.continue()
    strangers.push(url)
    return route.abort()
  })
  return { context, page, complaints, strangers }
}
