// Which failures another try can't mend, and how each is told to the caller.
import { UnsoundFile } from '#features/certificates/index.ts'
import { PdfRefused } from '#pades/refused.ts'
import { PkiError } from '#pki/errors.ts'
import { AppError } from '#platform/errors.ts'
import { OutboundError } from '#platform/outbound/fetch-bytes.ts'

/** Codes of what the timestamp authority did wrong; it may do better next time. */
const TIMESTAMP_CODES: ReadonlySet<string> = new Set(['timestamp-refused', 'timestamp-invalid'])

/** True where trying again would end in the same way: the document or the certificate has to change. */
export function isLasting(error: unknown): boolean {
  if (error instanceof PdfRefused) return error.reason !== 'busy'
  if (error instanceof UnsoundFile) return true
  return error instanceof AppError && error.classification === 'InvalidOperation'
}

/** Why something could not be done with a document, in plain words. */
export function explainFailure(error: unknown, what: 'sealed' | 'prepared' = 'sealed'): string {
  if (error instanceof PdfRefused || error instanceof AppError) return error.message
  if (error instanceof UnsoundFile) return 'The sealed file did not pass our own check, so it was not published.'
  if (error instanceof OutboundError) return `An outside service did not answer: ${error.message}.`
  if (error instanceof PkiError && TIMESTAMP_CODES.has(error.code)) {
    return `The timestamp authority did not answer as it should: ${error.message}`
  }
  return `The document could not be ${what}. The log of the service says why.`
}
