// One real browser for the whole test run. Each test opens pages in a context of its own and closes that.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'

const run = promisify(execFile)
const PACKAGE = '@sparticuz/chromium'

let browser: Promise<Browser> | undefined

/** The browser of this run, started by whoever asks first. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  browser ??= startBrowser()
  return browser
}

async function startBrowser(): Promise<Browser> {
  // Not the package's own list of arguments: --single-process in it ends the browser with its first context.
  return chromium.launch({
    executablePath: await unpackBrowser(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    handleSIGHUP: true,
    handleSIGINT: true,
    handleSIGTERM: true,
  })
}

/** The browser's program, unpacked once for each user and version. */
async function unpackBrowser(): Promise<string> {
  const folder = join(tmpdir(), `countersign-browser-${process.getuid?.() ?? 'user'}-${packageVersion()}`)
  const program = join(folder, 'chromium')
  if (isOurs(program)) return program
  // It is unpacked where TMPDIR points, and taken from there, whatever its version, if anything lies there already. So
  // it gets a folder of its own, which takes its final name only when it is whole.
  const partial = mkdtempSync(join(tmpdir(), 'countersign-browser-'))
  const script = `import('${PACKAGE}').then(({ default: chromium }) => chromium.executablePath())`
  await run(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: partial } })
  moveUnlessThere(partial, folder)
  return program
}

function packageVersion(): string {
  const build = createRequire(import.meta.url).resolve(PACKAGE)
  return (JSON.parse(readFileSync(join(dirname(build), '..', 'package.json'), 'utf8')) as { version: string }).version
}

function isOurs(program: string): boolean {
  return existsSync(program) && statSync(program).uid === (process.getuid?.() ?? statSync(program).uid)
}

/** Another run may have been faster; its copy is as good. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isOurs(join(to, 'chromium'))) throw error
    rmSync(from, { recursive: true, force: true })
  }
}

export type Visit = {
  context: BrowserContext
  page: Page
  /** What the page complained about: errors in the console and exceptions that nobody caught. */
  complaints: string[]
  /** The addresses of other origins that it asked for. */
  strangers: string[]
}

/** A fresh page that knows nothing of others and may talk to this origin alone. */
export async function visit(origin: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await openBrowser()).newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  const strangers: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await context.route('**/*', async (route) => {
    const url = route.request().url()
    if (new URL(url).origin === origin || url.startsWith('data:') || url.startsWith('blob:')) return route.continue()
    strangers.push(url)
    return route.abort()
  })
  return { context, page, complaints, strangers }
}
