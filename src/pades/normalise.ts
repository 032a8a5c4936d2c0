// Writes a document anew that can't be signed as it is: damaged cross-references, hybrid files, encryption with an empty
// password, usage rights of a form program. Once, before the first signature; the upload itself is kept by whoever calls.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  checkPdf,
  countByteRanges,
  withUsageRights,
  type CheckPdf,
  type IntakeOptions,
  type NeedsNormalising,
  type PdfFacts,
} from './intake.ts'
import { findProgram, runLimited, type ProcessLimits, type ProcessOutcome } from './limited-process.ts'
import { EXIT } from './normalise-exit.ts'
import { engineAndLibraryFolders } from './own-code.ts'
import { PdfRefused } from './refused.ts'
import { bufferSource, type Source } from './source.ts'

export interface NormaliserOptions {
  readonly timeoutMs?: number
  readonly memoryBytes?: number
  readonly maxInputBytes?: number
  /** Processes at the same time; a further document is refused as busy. */
  readonly maxProcesses?: number
  /** The qpdf program; false does without it. Found on the machine unless given. */
  readonly qpdf?: string | false
  /** Where the document lies meanwhile; the system's folder for temporary files unless given. */
  readonly temporaryFolder?: string
  /** Looks at what was written; checkPdf itself unless given. */
  readonly check?: CheckPdf
}

export interface NormalisedPdf {
  readonly bytes: Buffer
  readonly facts: PdfFacts
  /** What wrote it, for the record. */
  readonly writtenBy: 'qpdf' | '@libpdf/core'
}

export interface NormaliseOptions extends IntakeOptions {
  /** Why, as the intake said. */
  readonly reason?: NeedsNormalising['reason']
}

export type Normalise = (source: Source, options?: NormaliseOptions) => Promise<NormalisedPdf>

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MEMORY_BYTES = 1024 * 1024 * 1024
const DEFAULT_MAX_INPUT_BYTES = 100 * 1024 * 1024
const DEFAULT_MAX_PROCESSES = 2
/** A document grows when its compression is lost, but not without measure. */
const MAX_GROWTH = 4
const SMALLEST_OUTPUT_LIMIT = 16 * 1024 * 1024

/** A normaliser that keeps count of its processes. */
export function createNormaliser(options: NormaliserOptions = {}): Normalise {
  const { maxProcesses = DEFAULT_MAX_PROCESSES, maxInputBytes = DEFAULT_MAX_INPUT_BYTES } = options
  let running = 0
  return async (source, intake = {}) => {
    if (source.size > maxInputBytes) throw new PdfRefused('too-large', 'This PDF needs repair and is too large for it.')
    if (intake.reason !== 'usage-rights' && (await countByteRanges(source)) > 0) {
      throw new PdfRefused('signed-and-damaged', 'This PDF carries signatures; repairing it would destroy them.')
    }
    if (running >= maxProcesses) throw new PdfRefused('busy', 'Too many documents are being repaired at this moment.')
    running++
    try {
      return await inFolder(options.temporaryFolder ?? tmpdir(), (folder) =>
        normaliseIn(folder, source, options, intake),
      )
    } finally {
      running--
    }
  }
}

async function inFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, 'normalise-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function normaliseIn(
  folder: string,
  source: Source,
  options: NormaliserOptions,
  { reason, ...intake }: NormaliseOptions,
): Promise<NormalisedPdf> {
  const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')]
  await writeSource(source, from)
  const limits: ProcessLimits = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    memoryBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES,
    maxFileBytes: Math.max(SMALLEST_OUTPUT_LIMIT, source.size * MAX_GROWTH),
  }
  // Only the library leaves usage rights out.
  const isWithoutQpdf = options.qpdf === false || reason === 'usage-rights'
  const qpdf = isWithoutQpdf ? undefined : (options.qpdf ?? findProgram('qpdf'))
  if (qpdf === undefined) await rewriteWithLibrary({ folder, from, to }, limits)
  else await rewriteWithQpdf(qpdf, { from, to }, limits)
  const bytes = await readFile(to)
  if (reason === 'usage-rights' && (await countByteRanges(bufferSource(bytes))) > 0) throw withUsageRights()
  const facts = await requireSignable(bytes, { check: options.check ?? checkPdf, intake })
  return { bytes, facts, writtenBy: qpdf === undefined ? '@libpdf/core' : 'qpdf' }
}

async function writeSource(source: Source, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of source.chunks(0, source.size)) await file.write(chunk)
  } finally {
    await file.close()
  }
}

async function rewriteWithQpdf(
  qpdf: string,
  { from, to }: { from: string; to: string },
  limits: ProcessLimits,
): Promise<void> {
  const outcome = await runLimited(qpdf, ['--warning-exit-0', '--decrypt', '--', from, to], limits)
  if (outcome.exitCode === 0) return
  throw refusalFor(outcome, /invalid password/i.test(outcome.complaint))
}

/** The permission model keeps a parser that has been taken over from other files and from starting programs. */
async function rewriteWithLibrary(
  { folder, from, to }: { folder: string; from: string; to: string },
  limits: ProcessLimits,
): Promise<void> {
  const heapMegabytes = Math.floor(limits.memoryBytes / 2 / 1024 / 1024)
  const readable = [folder, ...engineAndLibraryFolders()].map((path) => `--allow-fs-read=${path}`)
  const outcome = await runLimited(
    process.execPath,
    [
      `--max-old-space-size=${heapMegabytes}`,
      '--permission',
      ...readable,
      `--allow-fs-write=${folder}`,
      fileURLToPath(new URL('./normalise-child.ts', import.meta.url)),
      from,
      to,
    ],
    limits,
  )
  if (outcome.exitCode === EXIT.done) return
  if (outcome.exitCode === EXIT.isProtected) {
    throw new PdfRefused(
      'encrypted',
      'The author of this PDF has protected it against changes. Ask for a copy without protection.',
    )
  }
  throw refusalFor(outcome, outcome.exitCode === EXIT.needsPassword)
}

function refusalFor(outcome: ProcessOutcome, needsPassword: boolean): PdfRefused {
  const { exitCode, hasTimedOut, hasOutgrown, complaint } = outcome
  if (hasTimedOut) return new PdfRefused('too-complex', 'This PDF is damaged, and repairing it takes too long.')
  if (hasOutgrown) return new PdfRefused('too-complex', 'This PDF is damaged, and repairing it takes too much memory.')
  if (needsPassword) {
    return new PdfRefused('password', 'This PDF can only be opened with a password. Save it without one and try again.')
  }
  const detail = `exit ${exitCode ?? 'by signal'}: ${complaint.slice(0, 500)}`
  return new PdfRefused(
    'not-repairable',
    'This PDF is damaged and cannot be repaired. Print it to a new PDF and try again.',
    detail,
  )
}

async function requireSignable(
  bytes: Buffer,
  { check, intake }: { check: CheckPdf; intake: IntakeOptions },
): Promise<PdfFacts> {
  const facts = await check(bufferSource(bytes), intake)
  if (!facts.needsNormalising) return facts
  throw new PdfRefused(
    'not-repairable',
    'This PDF is damaged and cannot be repaired. Print it to a new PDF and try again.',
    facts.message,
  )
}
