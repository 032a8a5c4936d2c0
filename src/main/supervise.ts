// Runs a process of ours beside us and starts it again when it dies: at once, unless it keeps dying.
import { fork, type ChildProcess } from 'node:child_process'
import type { Installation, ProcessName } from './process.ts'

const STOP_WITHIN_MS = 35_000
const SHORTEST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** So many deaths within a minute are accidents. What dies more often has a reason that another start does not mend. */
const ACCIDENTS = 5
const MINUTE_MS = 60_000

/** How long to wait before the next start, after deaths at these times. */
export function pauseAfter(deaths: readonly number[], now: number): number {
  const recent = deaths.filter((at) => now - at < MINUTE_MS).length
  return Math.min(SHORTEST_PAUSE_MS * 2 ** Math.max(0, recent - ACCIDENTS), LONGEST_PAUSE_MS)
}

/** Threads for files and hashes. An fsync keeps one busy until the disk has answered; Node's own four are soon all waiting. */
const FILE_THREADS = 16

/** What our processes are started with: our environment, and more threads for files unless somebody has said how many. */
export function processEnvironment(): NodeJS.ProcessEnv {
  return { UV_THREADPOOL_SIZE: String(FILE_THREADS), ...process.env }
}

export type Supervised = {
  /** Resolves with what the process says when it is up for the first time. */
  isUp: Promise<{ url?: string }>
  stop(): Promise<void>
}

type Message = { kind: string; url?: string }

/** Starts it at once; what it is to work with is handed to it when that is there. */
export function supervise(
  name: ProcessName,
  installation: Promise<Installation>,
  onTrouble: (line: string) => void,
): Supervised {
  const entry = new URL(`./${name}.ts`, import.meta.url)
  let child: ChildProcess | undefined
  let isStopping = false
  let deaths: number[] = []
  let restart: NodeJS.Timeout | undefined
  const { promise: isUp, resolve: reportUp, reject: reportFailure } = Promise.withResolvers<{ url?: string }>()
  let wasUp = false

  function start(): void {
    try {
      run(fork(entry, { stdio: 'inherit', env: processEnvironment() }))
    } catch (error) {
      startAgain(couldNotStart(error))
    }
  }

  function run(process: ChildProcess): void {
    process.on('error', (error) => {
      // Whoever was started has an exit too. Whoever was not, for want of memory or processes, has nothing but this.
      if (process.pid === undefined) startAgain(couldNotStart(error))
    })
    if (process.pid === undefined) return
    child = process
    process.on('message', (message: Message) => {
      if (message.kind === 'ready for installation') void handOver(process, installation)
      if (message.kind !== 'listening' && message.kind !== 'working') return
      wasUp = true
      reportUp(message)
    })
    process.on('exit', (code, signal) => {
      child = undefined
      // Whoever exits at the first start has told why; whoever was killed has not said that it can't start.
      if (!wasUp && signal === null && !isStopping) reportFailure(new Error(`${name} did not start (exit ${code})`))
      else startAgain(`${process.pid} ended (${signal ?? `exit ${code}`})`)
    })
  }

  function startAgain(why: string): void {
    if (isStopping) return
    const now = performance.now()
    deaths = [...deaths.filter((at) => now - at < MINUTE_MS), now]
    onTrouble(`${name} ${why}; starting it again`)
    restart = setTimeout(start, pauseAfter(deaths, now))
  }

  start()
  return {
    isUp,
    async stop() {
      isStopping = true
      clearTimeout(restart)
      const process = child
      if (!process) return
      const ended = new Promise((resolve) => process.once('exit', resolve))
      process.kill('SIGTERM')
      const deadline = setTimeout(() => process.kill('SIGKILL'), STOP_WITHIN_MS)
      await ended
      clearTimeout(deadline)
    },
  }
}

const couldNotStart = (error: unknown) => `could not be started (${(error as NodeJS.ErrnoException).code})`

/** Where there is nothing to hand over, whoever made the promise says why and ends us all. */
export async function handOver(process: ChildProcess, promised: Promise<Installation>): Promise<void> {
  const installation = await promised.catch(() => undefined)
  // One that is killed in this very moment can't take it. We hear of its end, and start it again; it must not be ours.
  if (installation !== undefined && process.connected) process.send(installation, () => {})
}
