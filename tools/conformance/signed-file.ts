// What a judge is asked about: a file, and what it should find in it.
import type { Level } from '#pades/sign.ts'
import type { ValidationData } from '#pades/validation-data.ts'

/** How a document reads, from best to worst. */
export const HEALTH = ['clean', 'warnings', 'errors'] as const
export type Health = (typeof HEALTH)[number]

export interface SignedFile {
  readonly name: string
  /** The kind of document or story, by which results are summed up. */
  readonly kind: string
  readonly pdf: Buffer
  /** The document as it was before anybody signed. */
  readonly original: Buffer
  /** The level that each signature should have reached, by the name of its field. */
  readonly levels: Readonly<Record<string, Level>>
  readonly documentTimestamps: number
  /** What proves the certificates good, for judges who are told more than the file says. */
  readonly proofs: ValidationData
  /** Somebody else has signed it too, whom our judges do not know. */
  readonly hasForeignSignatures?: boolean
  /** What qpdf said of it before; clean unless said otherwise. */
  readonly originalHealth?: Health
  /** Whether the last revision is a signature or timestamp, so that one of them covers the whole file. */
  readonly isCoveredWhole: boolean
}
