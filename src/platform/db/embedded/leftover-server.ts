// What an earlier run left behind. A parent that was killed leaves its server running; a server that was killed leaves
// its postmaster.pid, which makes PostgreSQL refuse to start once any other process has come to bear that pid.
// Call these only while holding the directory's lock: then no server on it is anybody else's.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, hasErrorCode } from './embedded-postgres-error.ts'
import { removeShortSocketFolder, socketPath } from './socket-folder.ts'

export type PostmasterFile = { pid: number; socketDir: string; isReady: boolean; isStopping: boolean }

// SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves recovery to the next start; SIGKILL is for what is stuck.
const ENDING: [signal: NodeJS.Signals, waitMs: number][] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
]
const POLL_MS = 10
const CONNECT_TIMEOUT_MS = 1000

/** Ends a server that still runs on the cluster, and removes the traces of one that does not. */
export async function stopLeftoverServer(data: string, log: (message: string) => void): Promise<void> {
  const file = await readPostmasterFile(data)
  if (listServerProcesses(data).length > 0) {
    log('stopping the database server that an earlier run left behind')
    await endProcesses(data, file?.pid)
  } else if (file !== undefined && (await answers(file.socketDir))) {
    // In another container, perhaps: its process is hidden from us, its socket is not.
    throw new EmbeddedPostgresError('in-use', `another server is running on the database in ${data}, out of our sight`)
  }
  if (file === undefined) return
  await rm(join(data, 'postmaster.pid'), { force: true })
  await removeShortSocketFolder(file.socketDir)
}

/** The server's own note of itself: its pid is the first line, its socket's folder the fifth, its state the eighth. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  try {
    return parsePostmasterFile(await readFile(join(data, 'postmaster.pid'), 'utf8'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parsePostmasterFile(text: string): PostmasterFile {
  const lines = text.split('\n')
  const state = lines[7]?.trim()
  const socketDir = lines[4] ?? ''
  return { pid: Number(lines[0]), socketDir, isReady: state === 'ready', isStopping: state === 'stopping' }
}

/** The processes of PostgreSQL that work in the cluster: each has it as its current folder. */
export function listServerProcesses(data: string): number[] {
  if (!existsSync(data)) return []
  const path = realpathSync(data)
  if (process.platform !== 'linux') return listPostmasters(path)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProcessLink(pid, 'cwd') === path && mayBePostgres(readProcessLink(pid, 'exe')))
}

// The name of the program goes first when a process ends, while it still holds on to shared memory, which would keep a
// new server from starting. And the program may have been replaced by an update while it ran.
function mayBePostgres(program: string | undefined): boolean {
  return program === undefined || basename(program).replace(/ \(deleted\)$/, '') === 'postgres'
}

function readProcessLink(pid: number, name: 'cwd' | 'exe'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined // Gone meanwhile, or another user's.
  }
}

function listPostmasters(data: string): number[] {
  return execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 24 })
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${data} `))
    .map((line) => Number.parseInt(line, 10))
}

async function endProcesses(data: string, postmaster: number | undefined): Promise<void> {
  for (const [signal, waitMs] of ENDING) {
    signalServer(data, postmaster, signal)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      if (listServerProcesses(data).length === 0) return
      await sleep(POLL_MS)
    }
  }
  throw new EmbeddedPostgresError('leftover-stuck', `a server of an earlier run on ${data} does not end`)
}

/** Ends the cluster's server at once and waits for it without yielding, for use while the process exits. */
export function endServerSync(data: string): void {
  if (listServerProcesses(data).length === 0) return
  const postmaster = parsePostmasterFile(readFileSync(join(data, 'postmaster.pid'), 'utf8')).pid
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    signalServer(data, postmaster, signal)
    for (let waited = 0; waited < 3000; waited += POLL_MS) {
      if (listServerProcesses(data).length === 0) return
      Atomics.wait(pause, 0, 0, POLL_MS)
    }
  }
}

// The postmaster ends its children in order. Children without one end by themselves, unless they are stuck.
function signalServer(data: string, postmaster: number | undefined, signal: NodeJS.Signals): void {
  const processes = listServerProcesses(data)
  const isLed = postmaster !== undefined && processes.includes(postmaster)
  for (const pid of isLed && signal !== 'SIGKILL' ? [postmaster] : processes) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!hasErrorCode(error, 'ESRCH')) throw error
    }
  }
}

/** Whether a server listens on the socket in this folder. */
export async function answers(socketDir: string): Promise<boolean> {
  const socket = createConnection({ path: socketPath(socketDir) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
