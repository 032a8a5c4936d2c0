// Whether a document that is accepted can be finished. Everybody signs it, each signature is stamped, then comes the
// seal, and years later it is stamped again; after each of these our own check has to read the whole of it within its
// bounds. So what that will cost is foretold before anybody is asked to sign. The figures are measured with the check.
import { Budget, DEFAULT_LIMITS } from './limits.ts'
import { tooComplex } from './refused.ts'
import { MAX_EFFORT, MAX_REVISIONS, MAX_SIGNATURES, READER_LIMITS } from './validate/bounds.ts'

/** What the document brings along. */
export interface DocumentLoad {
  readonly sizeBytes: number
  /** Sections of its cross-reference, that is: saves. */
  readonly sections: number
  /** Document timestamps are among them. */
  readonly signatures: number
  /** Fields of its form, and what shows them. */
  readonly fields: number
  /** What it took to read every object of every save. */
  readonly effort: number
  readonly parsedBytes: number
  readonly inflatedBytes: number
  /** The objects that every timestamp writes anew: catalog, form and first page, with their lists. */
  readonly rewritten: { readonly values: number; readonly bytes: number }
}

/** Stamped again every few years, so this is for longer than the file will matter. */
const RENEWALS = 10
/** A hundred people and the seal, 202 signatures and timestamps in all: 3,500 units and 122 KB for each of them. */
const EFFORT_OF_SIGNATURE = 4_500
const PARSED_BYTES_OF_SIGNATURE = 130_000
/** Most have 22 KB; a name that is drawn comes on top. */
const BYTES_OF_SIGNATURE = 250_000
/** To look up a field once, and then to see in every revision that it is as it was. */
const EFFORT_OF_FIELD = 50
const EFFORT_OF_KNOWN_FIELD = 3
/** An object that was written anew is read so often to be explained, some of it in windows that are too small at first. */
const READINGS = 8
const BYTES_OF_REFERENCE = 10

/** Passes where the check of the finished file stays within its bounds; says how many could sign where it does not. */
export function requireFinishable(load: DocumentLoad, signatories: number): void {
  if (isFinishable(load, signatories)) return
  let most = signatories - 1
  while (most > 0 && !isFinishable(load, most)) most--
  const advice = most === 0 ? 'print it to a new PDF and try again' : `at most ${most} can sign it`
  throw tooComplex(`with the signatures of ${signatories} people it could no longer be checked; ${advice}`)
}

function isFinishable(load: DocumentLoad, signatories: number): boolean {
  const stamps = signatories + 1 + RENEWALS
  const signatures = load.signatures + signatories + 1 + stamps
  // The first adds the fields.
  const revisions = 1 + signatories + 1 + stamps
  const { maxFileBytes, maxSections, maxTotalParsedBytes, maxTotalInflatedBytes } = limitsFor(load)
  return (
    signatures <= MAX_SIGNATURES &&
    load.sections + revisions <= Math.min(maxSections, MAX_REVISIONS) &&
    load.sizeBytes + signatures * BYTES_OF_SIGNATURE <= maxFileBytes &&
    // What does not fit into memory is unpacked twice: to be looked at, and for its fields.
    2 * load.inflatedBytes <= maxTotalInflatedBytes &&
    parsedBytes(load, { signatories, stamps, signatures }) <= maxTotalParsedBytes &&
    effort(load, { signatories, stamps, signatures, revisions }) <= MAX_EFFORT
  )
}

const limitsFor = ({ sizeBytes }: DocumentLoad) => new Budget({ ...DEFAULT_LIMITS, ...READER_LIMITS }, sizeBytes).limits

type Signing = { signatories: number; stamps: number; signatures: number }

/** Our own fields stand in two lists, and those of timestamps join them one by one. */
const listed = (signatories: number) => 3 * (signatories + 1)

function parsedBytes(load: DocumentLoad, { signatories, stamps, signatures }: Signing): number {
  const rewritten = load.rewritten.bytes + listed(signatories) * BYTES_OF_REFERENCE
  return load.parsedBytes + signatures * PARSED_BYTES_OF_SIGNATURE + stamps * rewritten * READINGS
}

function effort(load: DocumentLoad, { signatories, stamps, signatures, revisions }: Signing & { revisions: number }) {
  // Saves from before the first signature are not asked for their fields.
  const asked = revisions + (load.signatures > 0 ? load.sections : 0)
  const ofFields = load.fields * (EFFORT_OF_FIELD + asked * EFFORT_OF_KNOWN_FIELD)
  const ofOwn = revisions * listed(signatories) + signatures * EFFORT_OF_SIGNATURE
  return load.effort + ofFields + ofOwn + stamps * (load.rewritten.values + listed(signatories))
}
