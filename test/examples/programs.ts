// The examples of the documentation as programs that run: in which language, by which interpreter, in a folder where the
// client is installed.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { until } from '../until.ts'

export const EXAMPLES = 'docs/examples'

export type Language = { extension: string; interpreter: string; needs: string[] }

/** The languages whose examples can run where their interpreter is. C# has none here: see examples-fit-the-api.test.ts. */
export const LANGUAGES: Language[] = [
  { extension: 'sh', interpreter: 'sh', needs: ['sh', 'curl', 'base64', 'openssl'] },
  { extension: 'ts', interpreter: process.execPath, needs: [] },
  { extension: 'py', interpreter: 'python3', needs: ['python3'] },
]

/** Why the language's examples can't run on this machine; false where they can. */
export function missing({ needs }: Language): string | false {
  const absent = needs.filter((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0)
  return absent.length > 0 && `${absent.join(', ')} not installed`
}

export type Program = {
  output(): string
  /** Waits for the first match of a pattern in what it prints. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits for its end; throws with what it printed if that is not a good one. */
  ends(): Promise<void>
  stop(): void
}

/** Starts an example. The TypeScript ones are copied to where the client is installed; the others run where they lie. */
export function start(language: Language, file: string, args: string[], env: Record<string, string>): Program {
  const child = spawn(language.interpreter, [resolve(file), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    output: () => output,
    says: (pattern) =>
      until(`${String(pattern)} in: ${output}`, async () => pattern.exec(output) ?? failIfEnded(child, output)),
    ends: () => endOf(child, () => output),
    stop: () => void child.kill(),
  }
}

function failIfEnded({ exitCode }: ChildProcess, output: string): undefined {
  if (exitCode !== null && exitCode !== 0) throw new Error(`exit ${exitCode}: ${output}`)
  return undefined
}

async function endOf(child: ChildProcess, output: () => string): Promise<void> {
  if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve))
  if (child.exitCode !== 0) throw new Error(`exit ${child.exitCode}: ${output()}`)
}
