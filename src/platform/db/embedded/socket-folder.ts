// The folder of the server's Unix socket. A socket's whole path has to fit into a small field of the kernel's, so a
// data directory with a long name gets a folder in /tmp instead.
import { lchown, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from './cluster-folder.ts'
import type { DatabaseUser } from './database-user.ts'
import { hasErrorCode } from './embedded-postgres-error.ts'

export const PORT = 5432

// sun_path of sockaddr_un, less its closing zero.
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103

const SHORT_FOLDER = /^\/tmp\/countersign-[A-Za-z0-9]{6}$/

/** The path of the socket that a server makes in the folder. */
export function socketPath(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${PORT}`)
}

/**
 * Makes the folder for the socket: the wanted one if its name is short enough, else one in /tmp. What a killed server
 * left in it goes: PostgreSQL refuses to start over the lock file of a socket once its pid is borne by another process,
 * or by the dead one that nobody has buried. Call it only once no server runs on the cluster any more.
 */
export async function makeSocketFolder(wanted: string, user: DatabaseUser | undefined): Promise<string> {
  if (Buffer.byteLength(socketPath(wanted)) <= MAX_SOCKET_PATH_BYTES) {
    await makePrivateFolder(wanted, user)
    await removeSocket(wanted)
    return wanted
  }
  const short = await mkdtemp('/tmp/countersign-')
  if (user !== undefined) await lchown(short, user.uid, user.gid)
  return short
}

/** Removes a folder that makeSocketFolder made in /tmp, with the socket in it; leaves any other folder alone. */
export async function removeShortSocketFolder(socketDir: string): Promise<void> {
  if (!SHORT_FOLDER.test(socketDir)) return
  await removeSocket(socketDir)
  await rmdir(socketDir).catch((error: unknown) => {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTEMPTY')) throw error
  })
}

async function removeSocket(socketDir: string): Promise<void> {
  const socket = socketPath(socketDir)
  await rm(socket, { force: true })
  await rm(`${socket}.lock`, { force: true })
}
