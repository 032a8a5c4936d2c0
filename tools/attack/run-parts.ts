// Runs the parts one after the other. What they print passes through; what is to be remembered of it is told at the end.
import { spawn } from 'node:child_process'
import type { Part } from './parts.ts'

export type Outcome = {
  name: string
  about: string
  trials: number
  seconds: number
  hasHeld: boolean
  /** What its tests have measured, in their words. */
  figures: string[]
}

export type Options = {
  seed: number
  /** For the one part that is run. */
  more?: readonly string[]
  onOutput?: (text: string) => void
}

/** Runs all of them, also after one has failed. */
export async function runParts(parts: readonly Part[], options: Options): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const part of parts) outcomes.push(await runPart(part, options))
  return outcomes
}

async function runPart(part: Part, { seed, more = [], onOutput = () => {} }: Options): Promise<Outcome> {
  const { name, about, environment, takesOptions } = part
  const args = [...part.args, ...(takesOptions ? ['--seed', String(seed), ...more] : [])]
  onOutput(`\n── ${name}: ${about}\n`)
  const startedAt = performance.now()
  const { exitCode, output } = await run(args, { ...environment, COUNTERSIGN_TEST_SEED: String(seed) }, onOutput)
  const trials = countTrials(part, output)
  return {
    name,
    about,
    trials,
    seconds: (performance.now() - startedAt) / 1000,
    // A part that did nothing has shown nothing.
    hasHeld: exitCode === 0 && trials > 0,
    figures: listFigures(output),
  }
}

type Finished = { exitCode: number | null; output: string }

function run(args: string[], environment: Part['environment'], onOutput: (text: string) => void): Promise<Finished> {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    onOutput(text)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output }))
  })
}

function countTrials({ trials }: Part, output: string): number {
  if (typeof trials === 'number') return trials
  return [...output.matchAll(trials)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Lines of the runner about itself. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

function listFigures(output: string): string[] {
  const told = [...output.matchAll(/^\s*ℹ (.+)$/gm)].map(([, text]) => text!)
  return [...new Set(told.filter((text) => !SUMMARY.test(text)))]
}

/** One table, and what was measured below it. */
export function describeOutcomes(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, about, trials, seconds, hasHeld }) => [
    name,
    about,
    trials.toLocaleString('en'),
    seconds.toFixed(1),
    hasHeld ? 'held' : 'FAILED',
  ])
  const figures = outcomes.flatMap((outcome) => outcome.figures.map((figure) => `${outcome.name}: ${figure}`))
  return [...writeTable([['part', 'what', 'n', 'seconds', 'outcome'], ...rows]), '', ...figures].join('\n').trimEnd()
}

const NUMBERS = new Set([2, 3])

function writeTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  const pad = (cell: string, at: number) => (NUMBERS.has(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}
