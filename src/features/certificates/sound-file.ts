// Nothing is published that our own validator does not find good.
import { Memory } from '#pades/validate/memory.ts'
import type { SignatureReport, ValidationReport } from '#pades/validate/report.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { Platform } from '#platform/platform.ts'
import { trustAnchors } from './trust-anchors.ts'
import { validateInThread } from './validation-threads.ts'

export type FileToCheck = {
  tenantId: string
  bytes: Buffer
  /** The fields that must hold a good signature of ours. */
  fields: readonly string[]
  level: 'B-T' | 'B-LTA'
  /** Fresh answers about the certificates, where the file does not carry them yet. */
  ocsps?: readonly Buffer[]
  crls?: readonly Buffer[]
  time: Date
  /** What is trusted, where the caller knows it already. */
  anchors?: readonly Buffer[]
  /** Nobody waits for it at a screen, so it may be judged in another thread. Large files always are. */
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
  const anchors = file.anchors ?? (await trustAnchors(platform, { tenantId: file.tenantId }))
  const revocation = { ocsps: file.ocsps ?? [], crls: file.crls ?? [] }
  const { bytes, time, isBulk = false } = file
  const options = { trustAnchors: anchors, time, revocation }
  const isElsewhere = isBulk || bytes.length > LARGE_BYTES
  const report = await (isElsewhere
    ? validateInThread(bytes, options, { isBulk })
    : validatePdf(bytes, options, memory))
  for (const field of file.fields) requireGood(report, field, file.level)
  const broken = [...report.signatures, ...report.timestamps].find(isBroken)
  if (broken) throw new UnsoundFile(`${broken.fieldName}: ${describe(broken)}`)
  return report
}

const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA']

function requireGood(report: ValidationReport, field: string, level: string): void {
  const found = report.signatures.filter((signature) => signature.fieldName === field)
  const [signature] = found
  if (found.length !== 1 || signature === undefined) throw new UnsoundFile(`${field} holds ${found.length} signatures`)
  if (signature.indication !== 'TOTAL-PASSED') throw new UnsoundFile(`${field}: ${describe(signature)}`)
  if (LEVELS.indexOf(signature.level ?? 'B-B') < LEVELS.indexOf(level))
    throw new UnsoundFile(`${field} reached ${signature.level} instead of ${level}`)
}

/** Somebody else's signature may be of an authority that we do not know; it must not have been harmed. */
function isBroken({ indication, changedAfterwards }: SignatureReport): boolean {
  return indication === 'TOTAL-FAILED' || changedAfterwards === 'unexplained' || changedAfterwards === 'unknown'
}

function describe({ indication, subIndication, findings }: SignatureReport): string {
  const messages = findings.filter(({ weight }) => weight !== 'note').map(({ message }) => message)
  return [indication, subIndication, ...messages].filter((part) => part !== undefined).join(' ')
}
