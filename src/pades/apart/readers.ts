// Strangers' files are read apart from the process that serves everybody: a few processes, one file at a time in each.
// What waits is bounded too. Processes start when they are needed, stay for the next file, and go when none comes.
import { availableParallelism } from 'node:os'
import type { IntakeOptions, NeedsNormalising, PdfFacts } from '../intake.ts'
import { PdfRefused, tooComplex } from '../refused.ts'
import type { ValidationReport } from '../validate/report.ts'
import type { ValidationOptions } from '../validate/validate-pdf.ts'
import type { Answer, Question } from './child.ts'
import { startReader, type ReaderLimits, type ReaderProcess } from './reader-process.ts'

export interface Bounds extends ReaderLimits {
  readonly processes: number
  /** Files that wait for a process; one more is refused. */
  readonly waiting: number
  /** How long a process stays when there is nothing to read. */
  readonly restMs: number
}

const MB = 1024 * 1024

export const BOUNDS: Bounds = {
  processes: Math.max(1, Math.min(4, availableParallelism() - 1)),
  waiting: 8,
  computingMs: 2_000,
  waitMs: 20_000,
  memoryBytes: 320 * MB,
  heapMb: 256,
  restMs: 60_000,
}

export interface Readers {
  /** The validator's report; one in doubt where the file takes more than is given to it. */
  validate(bytes: Buffer, options: ValidationOptions): Promise<ValidationReport>
  /** The same as checkPdf. */
  check(bytes: Buffer, options: IntakeOptions): Promise<PdfFacts | NeedsNormalising>
}

interface Task {
  readonly question: Question
  readonly resolve: (answer: Answer | 'too much') => void
  readonly reject: (error: unknown) => void
}

/** Readers who share these bounds. Both throw a PdfRefused that is `busy` where too many wait. */
export function makeReaders(bounds: Bounds = BOUNDS, program?: URL): Readers {
  const waiting: Task[] = []
  const resting = new Map<ReaderProcess, NodeJS.Timeout>()
  let working = 0

  /** Works off what waits, and rests when nothing does. */
  async function work(): Promise<void> {
    working++
    let reader = takeResting()
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      try {
        reader ??= await startReader(bounds, program)
        task.resolve(await reader.ask(task.question))
      } catch (error) {
        task.reject(error)
      }
      if (reader?.hasEnded) reader = undefined
    }
    working--
    if (reader) letRest(reader)
  }

  function takeResting(): ReaderProcess | undefined {
    for (const [reader, timer] of resting) {
      clearTimeout(timer)
      resting.delete(reader)
      if (!reader.hasEnded) return reader
    }
    return undefined
  }

  function letRest(reader: ReaderProcess): void {
    const end = () => {
      resting.delete(reader)
      reader.end()
    }
    resting.set(reader, setTimeout(end, bounds.restMs).unref())
  }

  function ask(question: Question): Promise<Answer | 'too much'> {
    if (working >= bounds.processes && waiting.length >= bounds.waiting) {
      return Promise.reject(new PdfRefused('busy', 'Too many files are being read at the moment.'))
    }
    return new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (working < bounds.processes) void work()
    })
  }

  return {
    async validate(bytes, options) {
      const answer = await ask({ kind: 'validate', bytes, options })
      if (answer === 'too much') return inDoubt(options.time)
      if (answer.kind === 'report') return answer.report
      throw errorOf(answer)
    },
    async check(bytes, options) {
      const answer = await ask({ kind: 'check', bytes, options })
      if (answer === 'too much') throw tooComplex('it takes more time or memory than is given to one')
      if (answer.kind === 'facts') return answer.facts
      throw errorOf(answer)
    },
  }
}

function errorOf(answer: Answer): Error {
  if (answer.kind === 'refusal') return new PdfRefused(answer.reason, answer.message, answer.detail)
  return new Error(answer.kind === 'problem' ? answer.message : `an answer to another question: ${answer.kind}`)
}

function inDoubt(time: Date): ValidationReport {
  const message = 'This file takes more time or memory to judge than is given to one.'
  return {
    verdict: 'indeterminate',
    validatedAt: time,
    revisions: 0,
    signatures: [],
    timestamps: [],
    findings: [{ weight: 'doubt', message }],
  }
}
