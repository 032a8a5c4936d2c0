// Files of strangers are judged apart from everything else, a few at a time.
import { makeReaders } from '#pades/apart/readers.ts'
import { PdfRefused } from '#pades/refused.ts'
import type { ValidationReport } from '#pades/validate/report.ts'
import type { ValidationOptions } from '#pades/validate/validate-pdf.ts'
import { busy } from './errors.ts'

const readers = makeReaders()

/** The validator's report. Throws `busy` where too many wait, or where the machine has no time for it. */
export async function judge(bytes: Buffer, options: ValidationOptions): Promise<ValidationReport> {
  try {
    return await readers.validate(bytes, options)
  } catch (error) {
    throw error instanceof PdfRefused && error.reason === 'busy' ? busy() : error
  }
}
