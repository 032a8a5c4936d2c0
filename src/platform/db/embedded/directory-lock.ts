// One server a data directory. We hold a socket that is named after the directory's inode: the kernel frees it with
// the process, even after kill -9, so no stale lock is ever left. It also answers with the pid of its holder.
import { once } from 'node:events'
import { rm, stat } from 'node:fs/promises'
import { type Server, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'

export type DirectoryLock = { release(): Promise<void> }

const ANSWER_TIMEOUT_MS = 500
const ATTEMPTS = 5
const DYING_PAUSE_MS = 100

/** Holds the directory for this process, or says which process has it. */
export async function lockDirectory(path: string): Promise<DirectoryLock> {
  const address = await lockAddress(path)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await tryListen(address)
    if (server !== undefined) return { release: () => close(server) }
    const holder = await askHolder(address)
    if (holder !== 'dying' && holder !== 'gone') throw inUse(path, holder.pid)
    // A socket file, unlike an abstract name, outlives its process.
    if (holder === 'gone' && !address.startsWith('\0')) await rm(address, { force: true })
    if (holder === 'dying') await sleep(DYING_PAUSE_MS)
  }
  throw inUse(path, 'unknown')
}

/** Whether a process that lives has the directory. */
export async function isDirectoryHeld(path: string): Promise<boolean> {
  return (await askHolder(await lockAddress(path))) !== 'gone'
}

function inUse(path: string, pid: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'in-use',
    `another Countersign is running on this data directory (pid ${pid}): ${path}`,
  )
}

async function lockAddress(path: string): Promise<string> {
  if (process.platform !== 'linux') return join(path, 'pg.lock')
  const { dev, ino } = await stat(path, { bigint: true })
  return `\0countersign-data-${dev}-${ino}`
}

async function tryListen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => {}) // Whoever asked may have left already.
    socket.end(String(process.pid))
  })
  try {
    // Exclusive: in a cluster worker, listen() would otherwise share the primary's socket and always succeed.
    server.listen({ path, exclusive: true })
    await once(server, 'listening')
    return server.unref()
  } catch (error) {
    if (hasErrorCode(error, 'EADDRINUSE')) return undefined
    throw error
  }
}

// A process that is being killed still has its socket for a moment, but does not answer any more.
async function askHolder(path: string): Promise<{ pid: string } | 'dying' | 'gone'> {
  const socket = createConnection({ path, timeout: ANSWER_TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy())
  try {
    let answer = ''
    for await (const chunk of socket.setEncoding('latin1')) answer = `${answer}${String(chunk)}`.slice(0, 20)
    return /^\d+$/.test(answer) ? { pid: answer } : 'dying'
  } catch (error) {
    return hasErrorCode(error, 'ECONNREFUSED', 'ENOENT') ? 'gone' : 'dying'
  }
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  await once(server, 'close')
}
