// One process that reads one stranger's file at a time, with a bound on the memory that it occupies, in the heap or not,
// and on its computing time. A file that goes beyond takes its process with it and nothing else.
import { fork, type ChildProcess } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { engineFolders } from '../own-code.ts'
import { readUsage, type ProcessUsage } from '../process-usage.ts'
import { PdfRefused } from '../refused.ts'
import type { Answer, Question } from './child.ts'

export interface ReaderLimits {
  /** Of the processor, not of the clock: an answer must not depend on how busy the machine is. */
  readonly computingMs: number
  /** Of the clock: longer than this nobody waits at a screen. */
  readonly waitMs: number
  /** What a file may take beyond what the process had before it; several times the file's own size is added. */
  readonly memoryBytes: number
  readonly heapMb: number
}

export interface ReaderProcess {
  /** What the process says, or 'too much' where the file took more time or memory than it may. */
  ask(question: Question): Promise<Answer | 'too much'>
  /** A file was too much for it; another one has to be started. */
  readonly hasEnded: boolean
  /** Lets it go while nothing is asked. */
  end(): void
}

const CHILD = new URL('./child.ts', import.meta.url)
const LOOK_EVERY_MS = 50
/** So much less the scheduler thinks of it than of those who answer everybody. */
const STEP_BACK = 5
/** The file as it was sent, as it arrived, and what is cut out of it. */
const COPIES_OF_FILE = 4
/** By these somebody else ends a process: the system out of memory, a terminal, a shutdown. A file ends it by others. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

/** Starts a process. It has read its program when this resolves, so that only the file counts from then on. */
export async function startReader(limits: ReaderLimits, program: URL = CHILD): Promise<ReaderProcess> {
  const child = fork(fileURLToPath(program), {
    env: {},
    execArgv: execArguments(limits),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => {})
  // Where the system has no room for another process there is an error and never an exit.
  if (child.pid === undefined) throw notStarted()
  stepBack(child.pid)
  const ready = await nextAnswer(child)
  if (ready === 'ended') throw notStarted()
  rest(child)
  return {
    get hasEnded() {
      return isGone(child)
    },
    async ask(question) {
      child.ref()
      child.channel?.ref()
      try {
        return await askChild(child, question, limits)
      } finally {
        rest(child)
      }
    },
    end: () => child.kill('SIGKILL'),
  }
}

/** A file that takes long takes it from the other files like it, not from those who are answered in a moment. */
function stepBack(pid: number): void {
  try {
    setPriority(pid, Math.min(19, getPriority() + STEP_BACK))
  } catch {
    // It is gone already, as the next lines find out, or the system has no such order.
  }
}

const notStarted = () => new Error('the process for strangers’ files did not start')

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Nothing may be written, started or loaded; only the engine's own code may be read. */
function execArguments({ heapMb }: ReaderLimits): string[] {
  const readable = engineFolders().map((path) => `--allow-fs-read=${path}`)
  return [`--max-old-space-size=${heapMb}`, '--permission', ...readable, '--disable-warning=SecurityWarning']
}

/** A process may end while nobody asks. */
function rest(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

async function askChild(child: ChildProcess, question: Question, limits: ReaderLimits): Promise<Answer | 'too much'> {
  const watch = await watchUsage(child, limits, question.bytes.byteLength)
  try {
    if (isGone(child)) throw diedByAccident()
    const answer = nextAnswer(child)
    child.send(question)
    const first = await Promise.race([answer, watch.isOver])
    if (first === 'too long') throw new PdfRefused('busy', 'The machine has no time for this file at the moment.')
    if (first !== 'ended') return first
    if (FROM_OUTSIDE.has(child.signalCode)) throw diedByAccident()
    return 'too much'
  } finally {
    await watch.stop()
  }
}

/** It says nothing about the file: another try may well succeed. */
const diedByAccident = () => new PdfRefused('busy', 'The process that was to read this file was ended from outside.')

/** What the process says next, or that it has ended before it said anything. */
function nextAnswer(child: ChildProcess): Promise<Answer | 'ended'> {
  return new Promise((resolve) => {
    const settle = (answer: Answer | 'ended') => {
      child.off('message', onMessage).off('exit', onExit)
      resolve(answer)
    }
    const onMessage = (message: unknown) => settle(message as Answer)
    const onExit = () => settle('ended')
    child.on('message', onMessage).on('exit', onExit)
  })
}

interface Watch {
  readonly isOver: Promise<'too much' | 'too long'>
  stop(): Promise<void>
}

/** Looks now and then at what the process has used and how long somebody has waited; then the process ends. */
async function watchUsage(child: ChildProcess, limits: ReaderLimits, fileBytes: number): Promise<Watch> {
  const { promise: isOver, resolve } = Promise.withResolvers<'too much' | 'too long'>()
  const startedAt = performance.now()
  const before = await readUsage(child.pid!)
  const mostBytes = limits.memoryBytes + COPIES_OF_FILE * fileBytes
  const isTooMuch = (usage: ProcessUsage | undefined) =>
    before !== undefined &&
    usage !== undefined &&
    (usage.memoryBytes - before.memoryBytes > mostBytes || usage.computedMs - before.computedMs > limits.computingMs)
  let ended: Promise<unknown> | undefined
  let isStopped = false
  const end = (why: 'too much' | 'too long') => {
    // A look that takes long comes back when the file has its answer; the process is the next file's by then.
    if (isStopped || isGone(child)) return
    ended ??= new Promise((gone) => child.once('exit', gone))
    child.kill('SIGKILL')
    resolve(why)
  }
  const timer = setInterval(() => {
    if (performance.now() - startedAt > limits.waitMs) end('too long')
    else void readUsage(child.pid!).then((usage) => isTooMuch(usage) && end('too much'))
  }, LOOK_EVERY_MS)
  return {
    isOver,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await ended
    },
  }
}
