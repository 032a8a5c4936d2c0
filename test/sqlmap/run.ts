// Runs sqlmap (https://sqlmap.org) against one address, and reads from what it prints and sent what became of it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Places } from './places.ts'

export type Attack = Omit<Places, 'count'> & {
  program: string
  url: string
  headers: Record<string, string>
  level: number
}

export type Outcome = {
  /** Unknown where it ended in another way than by having tried everything. */
  verdict: 'injectable' | 'not injectable' | 'unknown'
  requests: number
  statuses: Map<number, number>
  output: string
}

const OPTIONS = [
  '--batch',
  '--disable-coloring',
  '--risk=1',
  '--dbms=PostgreSQL',
  '--ignore-code=*',
  '--skip-waf',
  '--flush-session',
  // That the stars are places to try, in addresses and in bodies.
  '--answers=process=Y,custom=Y,JSON=Y',
]

export async function runSqlmap({ program, url, method, path, body, headers, level }: Attack): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-sqlmap-'))
  const traffic = join(folder, 'traffic')
  const args = [
    ...OPTIONS,
    `--url=${url}${path}`,
    `--method=${method}`,
    `--level=${level}`,
    `-t${traffic}`,
    `--output-dir=${folder}`,
    ...(body === undefined ? [] : ['--data', body, '-H', 'Content-Type: application/json']),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ]
  try {
    const output = await run(program, args)
    return { ...readTraffic(traffic), verdict: verdictOf(output), output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', () => resolve(output))
  })
}

function verdictOf(output: string): Outcome['verdict'] {
  if (output.includes('identified the following injection point')) return 'injectable'
  return output.includes('do not appear to be injectable') ? 'not injectable' : 'unknown'
}

function readTraffic(file: string): Pick<Outcome, 'requests' | 'statuses'> {
  const statuses = new Map<number, number>()
  const answers = [...readFileSync(file, 'latin1').matchAll(/^HTTP response \[#\d+\] \((\d+)/gm)].map(([, code]) =>
    Number(code),
  )
  for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  return { requests: answers.length, statuses }
}
