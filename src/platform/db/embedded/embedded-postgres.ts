// A PostgreSQL of our own, for whoever has none: a child process on a Unix socket, with its data in the data directory.
// It is the same PostgreSQL that a larger installation runs, so nothing above this folder knows the difference.
import { findBinaries, findPackage } from './binaries.ts'
import { makeDataDirectory, prepareClusterFolder, recordLocation } from './cluster-folder.ts'
import { lockDirectory } from './directory-lock.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { DATABASE, OWNER, initialiseCluster } from './initialise-cluster.ts'
import { stopLeftoverServer } from './leftover-server.ts'
import { type ServerProcess, type UnexpectedExit, startServerProcess } from './server-process.ts'
import { type Durability, serverArguments } from './settings.ts'
import { PORT, makeSocketFolder, removeShortSocketFolder } from './socket-folder.ts'

export { EmbeddedPostgresError } from './embedded-postgres-error.ts'
export type { UnexpectedExit } from './server-process.ts'

export type Connection = {
  /** The folder of the server's Unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export type EmbeddedPostgres = {
  connection: Connection
  /** The same connection as a URL, for `pg`. */
  ownerUrl: string
  pid: number
  /** Where the database lies: usually in the data directory. */
  clusterDir: string
  /** Whether this start made the cluster. */
  isFirstStart: boolean
  /** What whoever runs this should know, in whole sentences. */
  warnings: string[]
  /** Calls back if the server ends without having been asked to. */
  onExit(callback: (exit: UnexpectedExit) => void): void
  /** Stops the server in good order and frees the data directory. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  log: (message: string) => void
  durability?: Durability
  /** The npm package with PostgreSQL's programs; found by itself if not given. */
  packageDir?: string
  /** Where clusters go whose data directory the database user cannot reach. */
  systemDir?: string
  /** A stop in good order that takes longer is cut short: the next start recovers. */
  stopWithinMs?: number
}

/** Starts the server of a data directory, making the directory and the cluster if need be. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  requireUnix()
  const dataDir = await makeDataDirectory(options.dataDir)
  const lock = await lockDirectory(dataDir)
  try {
    return await startLocked({ ...options, dataDir }, () => lock.release())
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLocked(options: EmbeddedPostgresOptions, unlock: () => Promise<void>): Promise<EmbeddedPostgres> {
  const { dataDir, log, durability = 'full', systemDir = '/var/lib/countersign', stopWithinMs } = options
  const { cluster, user, warnings } = await prepareClusterFolder(dataDir, systemDir)
  await stopLeftoverServer(cluster.data, log)

  const packageDir = options.packageDir ?? findPackage()
  const binaries = await findBinaries({ packageDir, copyInto: cluster.base, user, log })
  const { password, isFirstStart } = await initialiseCluster(cluster, { binaries, user, durability })
  await recordLocation(dataDir, { base: cluster.base, isMade: true })

  const socketDir = await makeSocketFolder(cluster.socket, user)
  const args = serverArguments(socketDir, durability)
  const { postgres } = binaries
  const server = await startServerProcess({
    postgres,
    args,
    data: cluster.data,
    logPath: cluster.log,
    user,
    log,
    stopWithinMs,
  }).catch(async (error: unknown) => {
    await removeShortSocketFolder(socketDir)
    throw error
  })
  const connection = { host: socketDir, port: PORT, user: OWNER, password, database: DATABASE }
  return {
    connection,
    ownerUrl: connectionUrl(connection),
    pid: server.pid,
    clusterDir: cluster.data,
    isFirstStart,
    warnings,
    onExit: (callback) => server.onExit(callback),
    stop: () => stop(server, socketDir, unlock),
  }
}

async function stop(server: ServerProcess, socketDir: string, unlock: () => Promise<void>): Promise<void> {
  await server.stop()
  await removeShortSocketFolder(socketDir)
  await unlock()
}

function connectionUrl({ host, port, user, password, database }: Connection): string {
  return `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

// On Windows the server could only be reached over TCP, where every user of the machine could try the password.
function requireUnix(): void {
  if (process.platform !== 'win32') return
  throw new EmbeddedPostgresError(
    'unsupported-platform',
    'There is no embedded database on Windows: set DATABASE_URL to a PostgreSQL from 15 up.',
  )
}
