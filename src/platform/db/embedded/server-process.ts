import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseUser, runAs } from './database-user.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { readPostmasterFile } from './leftover-server.ts'
import { PROGRAM_ENVIRONMENT } from './run-program.ts'
import { type ServerLog, openServerLog } from './server-log.ts'

export type UnexpectedExit = { code: number | null; signal: string | null; lastWords: string }

export type ServerProcess = {
  pid: number
  /** Calls back if the server ends without having been asked to, also if it has ended already. */
  onExit(callback: (exit: UnexpectedExit) => void): void
  /** Ends sessions, writes a checkpoint and waits for the end. May be called again. */
  stop(): Promise<void>
}

type Start = {
  postgres: string
  args: string[]
  data: string
  logPath: string
  user: DatabaseUser | undefined
  log: (message: string) => void
  /** A stop in good order that takes longer is cut short: the next start recovers. */
  stopWithinMs?: number | undefined
}

const POLL_MS = 5
// Recovery reads all that was written since the last checkpoint. On a slow disk that takes its time.
const READY_TIMEOUT_MS = 10 * 60_000
const PATIENCE_NOTICE_MS = 5000
const STOP_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 5_000

/** Starts a server on the cluster and resolves when it takes connections. */
export async function startServerProcess(start: Start): Promise<ServerProcess> {
  const { postgres, args, data, logPath, user, log, stopWithinMs = STOP_WITHIN_MS } = start
  const serverLog = await openServerLog(logPath)
  let child: ChildProcess | undefined
  try {
    // Detached: a Ctrl-C in the terminal is for us; the server has to outlive the work that we then finish.
    child = spawn(postgres, ['-D', data, ...args], {
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', serverLog.file.fd, serverLog.file.fd],
      ...runAs(user),
    })
    await once(child, 'spawn')
    cutStopsShort(child, { data, stopWithinMs })
    await waitUntilReady(child, data, log)
  } catch (cause) {
    const lastWords = await endFailed(child, serverLog)
    throw new EmbeddedPostgresError('start-failed', `PostgreSQL did not start: ${lastWords || String(cause)}`, {
      cause,
    })
  }
  return supervise(child, serverLog)
}

/** Ends what is left of a start; what it said last, if it came to be: the last words in the log are another's otherwise. */
async function endFailed(child: ChildProcess | undefined, serverLog: ServerLog): Promise<string> {
  if (child?.pid !== undefined) await stopChild(child)
  const lastWords = child?.pid === undefined ? '' : await serverLog.tail()
  await serverLog.close()
  return lastWords
}

async function waitUntilReady(child: ChildProcess, data: string, log: (message: string) => void): Promise<void> {
  const startedAt = Date.now()
  let hasBeenPatient = false
  while (!hasEnded(child)) {
    const file = await readPostmasterFile(data)
    if (file?.pid === child.pid && file?.isReady) return
    const waitedMs = Date.now() - startedAt
    if (waitedMs > READY_TIMEOUT_MS) throw new Error(`not ready after ${waitedMs} ms`)
    if (waitedMs > PATIENCE_NOTICE_MS && !hasBeenPatient) {
      hasBeenPatient = true
      log('the database server is slow to start; after a crash it may need some minutes to recover')
    }
    await sleep(POLL_MS)
  }
  throw new Error(`ended with ${child.signalCode ?? `code ${child.exitCode}`}`)
}

function supervise(child: ChildProcess, serverLog: ServerLog): ServerProcess {
  const { promise: unexpectedExit, resolve: reportExit } = Promise.withResolvers<UnexpectedExit>()
  let stopping: Promise<void> | undefined
  // Whatever ends us in an orderly way must not leave the server running; kill -9 is what the next start is for.
  const stopWithUs = () => child.kill('SIGINT')
  process.once('exit', stopWithUs)
  child.once('exit', (code, signal) => {
    process.off('exit', stopWithUs)
    if (stopping !== undefined) return
    void serverLog
      .tail()
      .catch(() => '')
      .then((lastWords) => reportExit({ code, signal, lastWords }))
  })
  return {
    pid: child.pid ?? 0,
    onExit: (callback) => void unexpectedExit.then(callback),
    stop: () => (stopping ??= stopChild(child).finally(() => serverLog.close())),
  }
}

/** Whoever tells the server to stop, it has to end: while it waits for a process of its own that hangs, it refuses everybody. */
function cutStopsShort(child: ChildProcess, { data, stopWithinMs }: { data: string; stopWithinMs: number }): void {
  let stoppingSince: number | undefined
  const look = async () => {
    const file = await readPostmasterFile(data).catch(() => undefined)
    if (file?.pid !== child.pid || !file?.isStopping) stoppingSince = undefined
    else if (performance.now() - (stoppingSince ??= performance.now()) >= stopWithinMs) child.kill('SIGQUIT')
  }
  const timer = setInterval(() => void look(), Math.min(LOOK_EVERY_MS, stopWithinMs))
  timer.unref()
  child.once('exit', () => clearInterval(timer))
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  await ended
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
