// The product as a newcomer runs it: `bin/start.js` in a process of its own, on a data directory of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureWebBuilt } from '#main/web-build.ts'
import { freePort } from './free-port.ts'
import { makeCaller, type Caller } from './service.ts'

const UP_WITHIN_MS = 180_000
export const KEY = 'csk_a-key-that-the-tests-give-to-the-first-start'

export type Installation = {
  dataDir: string
  port: number
  call: Caller
  /** Starts it and waits until it says that it runs; answers with what it printed so far. */
  start(environment?: Record<string, string>, options?: { asJson?: boolean }): Promise<string>
  /** Ends the process that was started, and waits for its end: 0 after SIGTERM if all went well. */
  end(signal: NodeJS.Signals): Promise<number | null>
  pid(): number
  /** All that it and its processes have printed since it was made. */
  output(): string
  remove(): void
}

/** On a port that others know already, where one is given. */
export async function makeInstallation(known?: number): Promise<Installation> {
  const dataDir = mkdtempSync(join('/tmp', 'countersign-start-'))
  const port = known ?? (await freePort())
  let child: ChildProcess | undefined
  let output = ''
  return {
    dataDir,
    port,
    call: makeCaller(`http://127.0.0.1:${port}`, { 'ocp-apim-subscription-key': KEY }),
    async start(environment = {}, { asJson = false } = {}) {
      // In a fresh clone they are built first, which may take longer than any start.
      await ensureWebBuilt()
      const program = asJson ? ['bin/countersign.js', 'start', '--json'] : ['bin/start.js']
      const started = spawn(process.execPath, program, {
        env: {
          ...process.env,
          COUNTERSIGN_DATA: dataDir,
          COUNTERSIGN_PORT: String(port),
          COUNTERSIGN_SUBSCRIPTION_KEY: KEY,
          COUNTERSIGN_LOG_LEVEL: 'warn',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      return untilItSays(started, asJson ? '"reference":' : 'Countersign is running.')
    },
    async end(signal) {
      const ending = child!
      if (ending.exitCode !== null || ending.signalCode !== null) return ending.exitCode
      const ended = new Promise<number | null>((resolve) => ending.once('exit', (code) => resolve(code)))
      ending.kill(signal)
      return ended
    },
    pid: () => child!.pid!,
    output: () => output,
    remove() {
      child?.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function untilItSays(child: ChildProcess, words: string): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${output}`))
    const timer = setTimeout(() => fail('it did not start in time'), UP_WITHIN_MS)
    child.once('exit', (code) => fail(`it ended with ${code}`))
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        // The words come first, the rest of what it has to say in the same breath.
        if (output.includes(words) && output.endsWith('\n')) {
          clearTimeout(timer)
          resolve(output)
        }
      })
    }
  })
}
