import { spawn } from 'node:child_process'
import { type DatabaseUser, runAs } from './database-user.ts'

export type ProgramResult = { code: number | null; signal: string | null; output: string }

const MAX_OUTPUT_CHARS = 20_000

// Nothing of ours: a PGDATA or LC_ALL of the shell would change what the programs do. With TZ set, initdb need not
// search for the machine's time zone.
export const PROGRAM_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Runs a program of PostgreSQL to its end as the user, and returns what it said. Rejects if it cannot be started. */
export function runProgram(
  path: string,
  args: string[],
  { user, input = '', timeoutMs }: { user: DatabaseUser | undefined; input?: string; timeoutMs: number },
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    // The current folder may be one that the user cannot enter; "/" never is.
    const child = spawn(path, args, {
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...runAs(user),
    })
    // What could not be started has an error alone, and no streams where too many files are open.
    if (child.pid === undefined) return void child.once('error', reject)
    let output = ''
    const collect = (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT_CHARS))
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output: output.trim() }))
    child.stdin.on('error', () => {}) // A program that ends without reading is judged by its exit code.
    child.stdin.end(input)
  })
}
