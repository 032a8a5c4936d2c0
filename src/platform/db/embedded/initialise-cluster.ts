// Makes the cluster, once. It is built under a temporary name and renamed when it is whole: a start that was killed
// half-way leaves no half cluster behind.
import { randomBytes } from 'node:crypto'
import { lchown, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { ClusterFolder } from './cluster-folder.ts'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'
import { runProgram } from './run-program.ts'
import { type Durability, singleUserArguments } from './settings.ts'

export const OWNER = 'countersign_owner'
export const DATABASE = 'countersign'

type Context = { binaries: Binaries; user: DatabaseUser | undefined; durability: Durability }
type Initialised = { password: string; isFirstStart: boolean }

const INITDB_TIMEOUT_MS = 120_000
const SINGLE_USER_TIMEOUT_MS = 600_000
// Built in: the same order of strings on every machine, and no locale of the system needed.
const LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '-E', 'UTF8']
const UNFINISHED = 'data.new-'

/** Makes the cluster with its owner and database unless it is there already, and returns the owner's password. */
export async function initialiseCluster(cluster: ClusterFolder, context: Context): Promise<Initialised> {
  const existingVersion = await readIfThere(join(cluster.data, 'PG_VERSION'))
  if (existingVersion !== undefined) requireVersion(existingVersion.trim(), context.binaries)
  const existingPassword = await readIfThere(cluster.password)
  const password = existingPassword ?? (await writePassword(cluster, context.user))
  if (existingVersion === undefined) await makeCluster(cluster, context)
  else if (existingPassword === undefined) await setPassword(cluster, context, password)
  return { password, isFirstStart: existingVersion === undefined }
}

async function makeCluster(cluster: ClusterFolder, context: Context): Promise<void> {
  await removeUnfinished(cluster.folder)
  const unfinished = join(cluster.folder, `${UNFINISHED}${randomBytes(4).toString('hex')}`)
  await runInitdb(unfinished, cluster.password, context)
  await runSingleUser(unfinished, context, `create database ${DATABASE}\n`)
  await rename(unfinished, cluster.data)
  await syncFolder(cluster.folder)
}

async function runInitdb(data: string, passwordFile: string, { binaries, user, durability }: Context): Promise<void> {
  const args = ['-D', data, '-U', OWNER, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', ...LOCALE]
  args.push('--no-instructions', ...(durability === 'tests' ? ['--no-sync'] : []))
  const { code, output } = await runProgram(binaries.initdb, args, { user, timeoutMs: INITDB_TIMEOUT_MS })
  if (code !== 0) throw new EmbeddedPostgresError('initialise-failed', `initdb could not make the database: ${output}`)
}

// The programs that come with us lack psql; a server in single-user mode reads statements from its input, one a line.
async function runSingleUser(data: string, { binaries, user, durability }: Context, sql: string): Promise<void> {
  const args = ['--single', '-D', data, ...singleUserArguments(durability), 'postgres']
  const result = await runProgram(binaries.postgres, args, { user, input: sql, timeoutMs: SINGLE_USER_TIMEOUT_MS })
  if (result.code === 0) return
  throw new EmbeddedPostgresError('initialise-failed', `PostgreSQL refused to set up the database: ${result.output}`)
}

async function setPassword(cluster: ClusterFolder, context: Context, password: string): Promise<void> {
  try {
    await runSingleUser(cluster.data, context, `alter role ${OWNER} password '${password}'\n`)
  } catch (error) {
    await rm(cluster.password, { force: true }) // Otherwise the next start would believe in it.
    throw error
  }
}

async function writePassword({ folder, password: path }: ClusterFolder, user: DatabaseUser | undefined) {
  const password = randomBytes(24).toString('base64url')
  const unfinished = join(folder, `password.new-${randomBytes(4).toString('hex')}`)
  await writeFile(unfinished, password, { mode: 0o600, flag: 'wx', flush: true })
  if (user !== undefined) await lchown(unfinished, user.uid, user.gid)
  await rename(unfinished, path)
  return password
}

function requireVersion(found: string, { majorVersion }: Binaries): void {
  if (found === majorVersion) return
  throw new EmbeddedPostgresError(
    'wrong-version',
    `The database was made by PostgreSQL ${found}, and this Countersign comes with ${majorVersion}. ` +
      'Export it with the version that made it, or set DATABASE_URL to a server that has been upgraded.',
  )
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
