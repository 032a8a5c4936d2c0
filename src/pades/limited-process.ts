// Runs a program on a stranger's file: no environment, no input, a time limit and a memory limit, and the kernel's own
// limits where the system offers them.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readUsage } from './process-usage.ts'

const MAX_COMPLAINT_CHARACTERS = 2000
const LOOK_EVERY_MS = 50

export interface ProcessLimits {
  readonly timeoutMs: number
  readonly memoryBytes: number
  readonly maxFileBytes: number
}

export interface ProcessOutcome {
  /** Undefined where the program was stopped by a signal. */
  readonly exitCode: number | undefined
  readonly hasTimedOut: boolean
  /** It occupied more memory than it may. */
  readonly hasOutgrown: boolean
  /** The beginning of what it wrote to its error output. */
  readonly complaint: string
}

/** The full path of a program, or undefined where the machine does not have it. */
export function findProgram(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}

/** Runs the program to its end, or to the end of its time. */
export function runLimited(program: string, args: readonly string[], limits: ProcessLimits): Promise<ProcessOutcome> {
  const [command, ...rest] = withKernelLimits([program, ...args], limits) as [string, ...string[]]
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'], env: {} })
    // What could not be started has an error alone, and no streams where too many files are open.
    if (child.pid === undefined) return void child.once('error', reject)
    let complaint = ''
    let hasTimedOut = false
    let hasOutgrown = false
    const look = setInterval(async () => {
      const { memoryBytes = 0 } = (await readUsage(child.pid ?? 0)) ?? {}
      if (memoryBytes <= limits.memoryBytes) return
      hasOutgrown = true
      child.kill('SIGKILL')
    }, LOOK_EVERY_MS)
    const timer = setTimeout(() => {
      hasTimedOut = true
      child.kill('SIGKILL')
    }, limits.timeoutMs)
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      complaint = (complaint + text).slice(0, MAX_COMPLAINT_CHARACTERS)
    })
    const stopWatching = () => {
      clearTimeout(timer)
      clearInterval(look)
    }
    child.on('error', (error) => {
      stopWatching()
      reject(error)
    })
    child.on('close', (code) => {
      stopWatching()
      resolve({ exitCode: code ?? undefined, hasTimedOut, hasOutgrown, complaint })
    })
  })
}

/** prlimit sets the limits and then becomes the program, so that killing it kills the program. */
function withKernelLimits(command: string[], { timeoutMs, memoryBytes, maxFileBytes }: ProcessLimits): string[] {
  const prlimit = findProgram('prlimit')
  if (prlimit === undefined) return command
  const seconds = Math.ceil(timeoutMs / 1000) + 1
  return [prlimit, `--cpu=${seconds}`, `--data=${memoryBytes}`, `--fsize=${maxFileBytes}`, '--core=0', '--', ...command]
}
