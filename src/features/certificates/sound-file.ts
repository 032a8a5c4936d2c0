// Nothing is published that our own validator does not find good.
import { Memory } from '#pades/validate/memory.ts'
import { LEVELS, type Level, type SignatureReport, type ValidationReport } from '#pades/validate/report.ts'
import { validatePdf, type ValidationOptions } from '#pades/validate/validate-pdf.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import type { Platform } from '#platform/platform.ts'
import { trustAnchors } from './trust-anchors.ts'
import { validationThreads } from './validation-threads.ts'

export type FileToCheck = {
  tenantId: string
  bytes: Buffer
  /** Of the bytes, where whoever made them has hashed them already. */
  sha256?: string
  /** The fields that must hold a good signature of ours; or whichever holds the newest. */
  fields: readonly string[] | 'newest'
  level: Level
  /** Fresh answers about the certificates, where the file does not carry them yet. */
  ocsps?: readonly Buffer[]
  crls?: readonly Buffer[]
  time: Date
  /** What is trusted, where the caller knows it already. */
  anchors?: readonly Buffer[]
  /** Others wait at a screen and not for this, so it is judged by a thread that steps back. Large files always have one. */
  isBulk?: boolean
}

/** Beyond this, judging a file in this thread would hold up everybody else for too long. */
const LARGE_BYTES = 4 * 1024 * 1024

const memory = new Memory()

/** A file that we made is not what it should be. It is thrown away. */
export class UnsoundFile extends Error {
  constructor(what: string) {
    super(`the produced file was not published: ${what}`)
    this.name = 'UnsoundFile'
  }
}

/** Passes where each field holds a good signature of at least this level, and nothing else in the file is broken. */
export async function requireSoundFile(platform: Platform, file: FileToCheck): Promise<ValidationReport> {
  const report = await judge(platform, file)
  const problem = findProblem(report, file)
  if (problem !== undefined) throw new UnsoundFile(problem)
  return report
}

/** The same in another thread, which stages the file too: from here on the bytes are that thread's. */
export async function stageSoundFile(
  platform: Platform,
  file: FileToCheck,
): Promise<{ report: ValidationReport; staged: StagedBlob }> {
  const { blobs } = platform
  const options = await optionsFor(platform, file)
  const { report, written } = await validationThreads.validateAndWrite(file.bytes, options, {
    path: blobs.place(),
    isBulk: file.isBulk ?? false,
    sha256: file.sha256,
  })
  const staged = blobs.adopt(written)
  const problem = findProblem(report, file)
  if (problem === undefined) return { report, staged }
  await staged.discard()
  throw new UnsoundFile(problem)
}

/** What is wrong with a file that was published once; undefined where it is as good as it has to be. */
export async function findUnsoundness(platform: Platform, file: FileToCheck): Promise<string | undefined> {
  return findProblem(await judge(platform, file), file)
}

async function judge(platform: Platform, file: FileToCheck): Promise<ValidationReport> {
  const options = await optionsFor(platform, file)
  const { bytes, isBulk = false } = file
  const isElsewhere = isBulk || bytes.length > LARGE_BYTES
  return isElsewhere ? validationThreads.validate(bytes, options, { isBulk }) : validatePdf(bytes, options, memory)
}

async function optionsFor(platform: Platform, file: FileToCheck): Promise<ValidationOptions> {
  const anchors = file.anchors ?? (await trustAnchors(platform, { tenantId: file.tenantId }))
  return { trustAnchors: anchors, time: file.time, revocation: { ocsps: file.ocsps ?? [], crls: file.crls ?? [] } }
}

function findProblem(report: ValidationReport, { fields, level }: FileToCheck): string | undefined {
  if (report.unreadable !== undefined) return report.findings[0]?.message ?? report.unreadable
  const weak = fields === 'newest' ? weaknessOf(newestOf(report), level) : findWeak(report, fields, level)
  if (weak !== undefined) return weak
  const broken = [...report.signatures, ...report.timestamps].find(isBroken)
  return broken && `${broken.fieldName}: ${describe(broken)}`
}

function newestOf({ signatures }: ValidationReport): SignatureReport | undefined {
  return signatures.toSorted((one, other) => (other.coverage.end ?? 0) - (one.coverage.end ?? 0))[0]
}

function findWeak({ signatures }: ValidationReport, fields: readonly string[], level: Level): string | undefined {
  for (const field of fields) {
    const found = signatures.filter(({ fieldName }) => fieldName === field)
    if (found.length !== 1) return `${field} holds ${found.length} signatures`
    const weakness = weaknessOf(found[0], level)
    if (weakness !== undefined) return weakness
  }
  return undefined
}

function weaknessOf(signature: SignatureReport | undefined, level: Level): string | undefined {
  if (signature === undefined) return 'nobody has signed it'
  const { fieldName, indication, level: reached = 'B-B' } = signature
  if (indication !== 'TOTAL-PASSED') return `${fieldName}: ${describe(signature)}`
  if (LEVELS.indexOf(reached) < LEVELS.indexOf(level)) return `${fieldName} reached ${reached} instead of ${level}`
  return undefined
}

/** Somebody else's signature may be of an authority that we do not know; it must not have been harmed. */
function isBroken({ indication, changedAfterwards }: SignatureReport): boolean {
  return indication === 'TOTAL-FAILED' || changedAfterwards === 'unexplained' || changedAfterwards === 'unknown'
}

function describe({ indication, subIndication, findings }: SignatureReport): string {
  const messages = findings.filter(({ weight }) => weight !== 'note').map(({ message }) => message)
  return [indication, subIndication, ...messages].filter((part) => part !== undefined).join(' ')
}
