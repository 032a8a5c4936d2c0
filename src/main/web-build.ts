// The pages are built once for each state of their sources. What was built carries the hash of what it was built from,
// because times of files say nothing after a checkout or in an image.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['src/web/**/*', 'src/i18n/**/*.ts', 'client/src/**/*.ts', 'tools/build-web.ts', 'package-lock.json']

const BUILDER = join(ROOT, 'tools', 'build-web.ts')

export const WEB_FOLDER = join(ROOT, 'dist', 'web')
export const STAMP_FILE = 'built-from.txt'

/** The hash of everything that the pages are made of. */
export function hashWebSources(): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    if (!/\.(ts|tsx|css|html|json)$/.test(path) || path.endsWith('.test.ts')) continue
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(join(WEB_FOLDER, STAMP_FILE), 'utf8')
  } catch {
    return undefined
  }
}

let building: Promise<void> | undefined

/** Makes sure that the pages in dist/web belong to the sources here; builds them if they do not. */
export function ensureWebBuilt(say: (line: string) => void = () => {}): Promise<void> {
  building ??= buildIfNeeded(say).finally(() => (building = undefined))
  return building
}

async function buildIfNeeded(say: (line: string) => void): Promise<void> {
  const built = builtFrom()
  // A package that npm installed has the pages without their sources.
  if (built !== undefined && !existsSync(BUILDER)) return
  if (built === hashWebSources()) return
  say('building the pages, once')
  try {
    await runBuild()
  } catch (error) {
    // An image has the pages but not what builds them: then what is there is what it was shipped with.
    if (built === undefined) throw error
    say('the pages could not be built again; the ones that are there are served')
  }
}

/** In a process of its own: the builder takes memory that a server should not keep. */
function runBuild(): Promise<void> {
  const child = spawn(process.execPath, [BUILDER], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the pages could not be built: ${words.trim() || `the builder ended with ${code}`}`))
    })
  })
}
