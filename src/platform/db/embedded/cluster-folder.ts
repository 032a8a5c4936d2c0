// Where the database of a data directory lies:
//
//   <base>/pg/data        the cluster          } pg/ has mode 0700 and belongs to the database user
//   <base>/pg/socket      the server's socket  }
//   <base>/pg/password    the owner's password }
//   <base>/pg.log         what the server says
//   <base>/pg-native-…    a copy of the programs, only where the database user cannot read the installed ones
//
// The base is the data directory itself. Where the database user cannot reach that (it lies under /root, say), the base
// is a new folder in /var/lib/countersign, and `pg.location` in the data directory says which: a cluster, once made, is
// found again or missed loudly, and never replaced by an empty one. Whoever deletes the data directory starts afresh.
import { randomBytes } from 'node:crypto'
import { chmod, lchown, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseUser, canReach, chooseDatabaseUser, giveTree } from './database-user.ts'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'

export type ClusterFolder = {
  base: string
  folder: string
  data: string
  socket: string
  password: string
  log: string
}

type Location = { base: string; isMade: boolean }

type Located = { cluster: ClusterFolder; user: DatabaseUser | undefined; warnings: string[] }

const LOCATION = 'pg.location'

/** Makes the data directory if need be, and returns its real path. */
export async function makeDataDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o711 })
  return realpath(path)
}

/** Finds or makes the cluster's folder, and picks the user that the server runs as. */
export async function prepareClusterFolder(dataDir: string, systemDir: string): Promise<Located> {
  const existing = await findCluster(dataDir)
  const { user, warnings } = await chooseDatabaseUser(existing?.data ?? dataDir)
  const cluster = existing ?? clusterUnder(await chooseBase(dataDir, systemDir, user))
  await makePrivateFolder(cluster.folder, user)
  if (existing !== undefined) await requireUsable(existing, user)
  if (cluster.base !== dataDir) warnings.push(elsewhere(dataDir, cluster.folder, user))
  return { cluster, user, warnings }
}

/** Notes in the data directory where its cluster lies, if that is elsewhere, and whether it has been made yet. */
export async function recordLocation(dataDir: string, location: Location): Promise<void> {
  if (location.base === dataDir) return
  const note = join(dataDir, LOCATION)
  await writeFile(`${note}.new`, `${JSON.stringify(location)}\n`, { mode: 0o644, flush: true })
  await rename(`${note}.new`, note)
}

/** Makes a folder that nobody but the user can enter. */
export async function makePrivateFolder(path: string, user: DatabaseUser | undefined): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
    if (user !== undefined) await lchown(path, user.uid, user.gid)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

/** The folder of a cluster that has been made; undefined where there is none yet. */
export async function findCluster(dataDir: string): Promise<ClusterFolder | undefined> {
  const location = await readLocation(dataDir)
  for (const base of location === undefined ? [dataDir] : [location.base, dataDir]) {
    const cluster = clusterUnder(base)
    if (await exists(join(cluster.data, 'PG_VERSION'))) return cluster
  }
  if (!location?.isMade) return undefined
  throw new EmbeddedPostgresError(
    'lost',
    `The database of ${dataDir} was made in ${location.base}, and is not there any more. ` +
      `Bring it back, or delete the file ${LOCATION} to start with an empty one.`,
  )
}

async function readLocation(dataDir: string): Promise<Location | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, LOCATION), 'utf8')) as Location
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function chooseBase(dataDir: string, systemDir: string, user: DatabaseUser | undefined): Promise<string> {
  if (user === undefined) return dataDir
  await letThrough(dataDir)
  return (await canReach(user, dataDir)) ? dataDir : makeBaseElsewhere(dataDir, systemDir)
}

async function makeBaseElsewhere(dataDir: string, systemDir: string): Promise<string> {
  const base = join(systemDir, randomBytes(8).toString('hex'))
  await mkdir(base, { recursive: true })
  // Whatever the umask was, the database user has to pass.
  await chmod(systemDir, 0o755)
  await chmod(base, 0o711)
  await writeFile(join(base, 'belongs-to'), `${dataDir}\n`)
  await recordLocation(dataDir, { base, isMade: false })
  return base
}

// Our own folder may be passed through, not read: what lies in it has modes of its own.
async function letThrough(dataDir: string): Promise<void> {
  const { uid, mode } = await stat(dataDir)
  if (uid === 0) await chmod(dataDir, (mode & 0o7777) | 0o011)
}

async function requireUsable({ data, folder }: ClusterFolder, user: DatabaseUser | undefined): Promise<void> {
  if (user === undefined) {
    await requireOwn(folder)
    return requireOwn(data)
  }
  // A cluster restored by root, or brought from a machine with other users, changes hands.
  const owners = [(await stat(data)).uid, (await stat(folder)).uid]
  if (owners.some((owner) => owner !== user.uid)) await giveTree(folder, user)
  if (await canReach(user, folder)) return
  throw new EmbeddedPostgresError(
    'unreachable',
    `The database user "${user.name}" cannot reach the database in ${folder}: ` +
      'let it pass through the folders above (chmod o+x), or move the data directory.',
  )
}

async function requireOwn(path: string): Promise<void> {
  const { uid } = await stat(path)
  if (uid === process.getuid?.()) return
  throw new EmbeddedPostgresError(
    'wrong-owner',
    `The database in ${path} belongs to another user (id ${uid}): start Countersign as that user, or as root.`,
  )
}

function elsewhere(dataDir: string, folder: string, user: DatabaseUser | undefined): string {
  return `The database lies in ${folder}, because the user "${user?.name}" that PostgreSQL runs as cannot reach ${dataDir}.`
}

function clusterUnder(base: string): ClusterFolder {
  const folder = join(base, 'pg')
  return {
    base,
    folder,
    data: join(folder, 'data'),
    socket: join(folder, 'socket'),
    password: join(folder, 'password'),
    log: join(base, 'pg.log'),
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false
    // Another user's folder. Whose it is comes out, in words, when we ask to use it.
    if (hasErrorCode(error, 'EACCES')) return true
    throw error
  }
}
