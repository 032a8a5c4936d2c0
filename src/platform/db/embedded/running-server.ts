// A server that another process of ours has started on a data directory, for commands that come beside it.
import { readFile } from 'node:fs/promises'
import { findCluster } from './cluster-folder.ts'
import { isDirectoryHeld } from './directory-lock.ts'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'
import type { Connection } from './embedded-postgres.ts'
import { DATABASE, OWNER } from './initialise-cluster.ts'
import { answers, readPostmasterFile } from './leftover-server.ts'
import { PORT } from './socket-folder.ts'

/** Whether a database has been made in this data directory, running or not. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await findCluster(dataDir)) !== undefined
}

/** How to reach the server that runs on the data directory; undefined where none does, or where its parent was killed. */
export async function findRunningServer(dataDir: string): Promise<Connection | undefined> {
  const cluster = await findCluster(dataDir)
  if (cluster === undefined || !(await isDirectoryHeld(dataDir))) return undefined
  try {
    const server = await readPostmasterFile(cluster.data)
    if (server === undefined || !server.isReady || !(await answers(server.socketDir))) return undefined
    const password = (await readFile(cluster.password, 'utf8')).trim()
    return { host: server.socketDir, port: PORT, user: OWNER, password, database: DATABASE }
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM')) throw error
    throw new EmbeddedPostgresError(
      'wrong-owner',
      `The database in ${cluster.folder} belongs to another user: run this as that user, or as root.`,
    )
  }
}
