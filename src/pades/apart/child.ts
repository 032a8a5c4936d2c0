// Runs in a process of its own, which has no environment, no secrets and no right to write or to start anything: reads
// one file at a time and says what it found.
import { checkPdf, type IntakeOptions, type NeedsNormalising, type PdfFacts } from '../intake.ts'
import { PdfRefused, type RefusalReason } from '../refused.ts'
import { bufferSource } from '../source.ts'
import type { ValidationReport } from '../validate/report.ts'
import { validatePdf, type ValidationOptions } from '../validate/validate-pdf.ts'

export type Question =
  | { kind: 'check'; bytes: Uint8Array; options: IntakeOptions }
  | { kind: 'validate'; bytes: Uint8Array; options: ValidationOptions }

export type Answer =
  | { kind: 'ready' }
  | { kind: 'facts'; facts: PdfFacts | NeedsNormalising }
  | { kind: 'report'; report: ValidationReport }
  | { kind: 'refusal'; reason: RefusalReason; message: string; detail: string }
  | { kind: 'problem'; message: string }

async function answer(question: Question): Promise<Answer> {
  const bytes = asBuffer(question.bytes)
  try {
    if (question.kind === 'check')
      return { kind: 'facts', facts: await checkPdf(bufferSource(bytes), question.options) }
    return { kind: 'report', report: await validatePdf(bytes, withBuffers(question.options)) }
  } catch (error) {
    if (error instanceof PdfRefused) {
      const { reason, message, detail } = error
      return { kind: 'refusal', reason, message, detail }
    }
    return { kind: 'problem', message: error instanceof Error ? error.message : 'unknown' }
  }
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Buffers may arrive from another process as plain arrays of bytes. */
function withBuffers({ trustAnchors, time, revocation }: ValidationOptions): ValidationOptions {
  const { ocsps = [], crls = [] } = revocation ?? {}
  return {
    trustAnchors: trustAnchors.map(asBuffer),
    time,
    revocation: { ocsps: ocsps.map(asBuffer), crls: crls.map(asBuffer) },
  }
}

process.on('message', (question: Question) => {
  void answer(question).then((said) => process.send!(said))
})
// Whoever counts its time and memory begins here: the program is loaded.
process.send!({ kind: 'ready' } satisfies Answer)
