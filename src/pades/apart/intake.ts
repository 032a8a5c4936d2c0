// Looking at an upload in a process that serves others. Nearly all documents are looked at in a moment; whatever takes
// longer is looked at apart, so that nobody else waits for it.
import { checkPdf, type CheckPdf } from '../intake.ts'
import type { Limits } from '../limits.ts'
import { PdfRefused } from '../refused.ts'
import { readWhole } from '../source.ts'
import { READER_LIMITS } from '../validate/bounds.ts'
import type { Readers } from './readers.ts'

const MB = 1024 * 1024

/** What is read in a few hundredths of a second, whatever it is made of. */
const A_MOMENT: Partial<Limits> = {
  ...READER_LIMITS,
  maxTotalParsedBytes: MB,
  maxTotalInflatedBytes: 4 * MB,
  maxInflatedBytes: 4 * MB,
  maxXrefEntries: 5_000,
  maxSections: 50,
}

/** The same as checkPdf; what is too complex for a moment gets its answer from the readers. */
export function makeIntake(readers: Pick<Readers, 'check'>): CheckPdf {
  return async (source, options = {}) => {
    try {
      return await checkPdf(source, { ...options, limits: A_MOMENT })
    } catch (error) {
      if (!(error instanceof PdfRefused) || error.reason !== 'too-complex') throw error
      return readers.check(await readWhole(source), options)
    }
  }
}
