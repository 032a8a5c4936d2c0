// Runs the parts of the tests in processes of their own. Each process starts a database server for itself: roles,
// settings and the number of connections belong to a whole server, and the tests of one part would see the other's.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openReport, type Report } from './report.ts'

export type Options = {
  atOnce: number
  /** Of Node's test runner. */
  nodeArgs: readonly string[]
  output?: Writable
}

const REPORTER = fileURLToPath(new URL('./events.ts', import.meta.url))

/** Runs all parts, also after one has failed, and answers with whether every test has passed. */
export async function runSideBySide(parts: readonly string[][], options: Options): Promise<boolean> {
  const report = openReport(options.output ?? process.stdout)
  const waiting = [...parts]
  const running = new Set<ChildProcess>()
  let isStopped = false
  const runOneByOne = async () => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const child = startPart(files, options.nodeArgs)
      running.add(child)
      await followPart(child, files, report)
      running.delete(child)
    }
  }
  const forgetSignals = onSignal((signal) => {
    isStopped = true
    waiting.length = 0
    // Ctrl-C has reached them already: the terminal tells every process in front of it.
    if (signal !== 'SIGINT') for (const child of running) child.kill(signal)
  })
  await Promise.all(Array.from({ length: options.atOnce }, runOneByOne)).finally(forgetSignals)
  const haveEndedWell = await report.close()
  return haveEndedWell && !isStopped
}

function startPart(files: readonly string[], nodeArgs: readonly string[]) {
  const reporting = [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout']
  return spawn(process.execPath, [...nodeArgs, ...reporting, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function followPart(child: ReturnType<typeof startPart>, files: readonly string[], report: Report) {
  const part = report.openPart(files.length === 1 ? files[0]! : `${files[0]} and ${files.length - 1} more`)
  const ended = once(child, 'close')
  for await (const line of linesOf(child.stdout)) part.take(line)
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  part.close(signal ?? code!)
}

/** Not by readline, for which a test's name may hold the end of a line: U+2028. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

function onSignal(act: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, act)
  return () => {
    for (const signal of signals) process.off(signal, act)
  }
}
