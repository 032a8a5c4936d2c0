// The bounds within which a stranger's file is read. All of them are far above what honest documents use.
import { tooComplex } from './refused.ts'

export interface Limits {
  /** The largest document that is looked at. Classic cross-reference tables end at 9,999,999,999. */
  maxFileBytes: number
  /** Bytes of one object without its stream data. */
  maxObjectBytes: number
  /** Dictionaries and arrays inside each other. */
  maxDepth: number
  /** Values in one object. */
  maxValues: number
  /** Sections in the chain of cross-references, that is: saved changes. */
  maxSections: number
  maxSubsections: number
  /** Entries looked at when all objects are listed. */
  maxXrefEntries: number
  /** The highest object number; ISO 32000-1 annex C names 8,388,607. */
  maxObjectNumber: number
  /** Decoded bytes of one stream. */
  maxInflatedBytes: number
  /** Decoded bytes for each stored byte. Deflate reaches 1,032 at most, honest structure streams stay below 100. */
  maxInflateRatio: number
  /** What the ratio never cuts below, so that small streams of zeros stay readable. */
  inflateAllowanceBytes: number
  /** Decoded bytes of all streams while the document is open; for small documents `maxInflateRatio` holds as well. */
  maxTotalInflatedBytes: number
  /** Bytes given to the parser while the document is open, so that overlapping objects cannot be read without end. */
  maxTotalParsedBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  maxFileBytes: 9_000_000_000,
  maxObjectBytes: 8 * 1024 * 1024,
  maxDepth: 100,
  maxValues: 1_000_000,
  maxSections: 1_000,
  maxSubsections: 100_000,
  maxXrefEntries: 1_000_000,
  maxObjectNumber: 8_388_607,
  maxInflatedBytes: 64 * 1024 * 1024,
  maxInflateRatio: 100,
  inflateAllowanceBytes: 4 * 1024 * 1024,
  maxTotalInflatedBytes: 256 * 1024 * 1024,
  maxTotalParsedBytes: 128 * 1024 * 1024,
}

/** What even a tiny document may swell to in all. */
const SMALL_DOCUMENT_INFLATED_BYTES = 32 * 1024 * 1024

/** What is left of the limits that hold for a document as a whole. */
export class Budget {
  readonly limits: Limits
  /** Spent so far. */
  inflatedBytes = 0
  parsedBytes = 0

  constructor(limits: Limits, documentBytes = Number.POSITIVE_INFINITY) {
    const bySize = Math.max(SMALL_DOCUMENT_INFLATED_BYTES, documentBytes * limits.maxInflateRatio)
    this.limits = { ...limits, maxTotalInflatedBytes: Math.min(limits.maxTotalInflatedBytes, bySize) }
  }

  spendInflated(bytes: number): void {
    this.inflatedBytes += bytes
    if (this.inflatedBytes > this.limits.maxTotalInflatedBytes) throw tooComplex('its compressed parts are too large')
  }

  spendParsed(bytes: number): void {
    this.parsedBytes += bytes
    if (this.parsedBytes > this.limits.maxTotalParsedBytes) throw tooComplex('its objects are too large')
  }
}
