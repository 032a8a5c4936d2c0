// Finds the signatures of a document: those that its form names, and those that only the bytes know of. A viewer shows
// the former; the latter are how forgeries hide, so each is reported and none can pass.
import { tooComplex } from '../refused.ts'
import { entry, isName, type PdfDict } from '../value.ts'
import { MAX_SIGNATURES } from './bounds.ts'
import type { FormField } from './fields.ts'
import type { Inventory, RevisionView } from './inventory.ts'

export interface Candidate {
  readonly fieldName: string
  /** The object number of the signature dictionary; undefined where there is no such object. */
  readonly number: number | undefined
  /** Why it can't be a proper signature, before anything in it has been looked at. */
  readonly problems: readonly string[]
}

/** All signatures and document timestamps, proper or not. */
export async function listCandidates({ views, signatures }: Inventory): Promise<Candidate[]> {
  const last = views.at(-1) as RevisionView
  const first = signatures[0]?.revision ?? views.length
  // In turn, so that each is read as what has changed since the one before. The last is the one that must be readable.
  for (const view of views.slice(first)) await view.fields().catch(() => undefined)
  const fields = (await last.fields()).filter((field) => isFilledSignature(field))
  const named = fields.map((field) => candidateOf(field, fields))
  const numbers = new Set(named.map(({ number }) => number))
  const hidden = new Set(signatures.filter(({ number }) => !numbers.has(number)).map(({ number }) => number))
  const candidates = [
    ...named.map((candidate) => withRewrites(candidate, signatures)),
    ...Array.from(hidden, hiddenOne),
  ]
  if (candidates.length > MAX_SIGNATURES) throw tooComplex('it has too many signatures')
  return candidates
}

const isFilledSignature = ({ type, value }: FormField) => type === 'Sig' && value !== undefined && value.kind !== 'null'

function candidateOf({ name, value }: FormField, fields: readonly FormField[]): Candidate {
  if (value?.kind !== 'ref') {
    return { fieldName: name, number: undefined, problems: ['The signature is not an object of its own.'] }
  }
  const { number } = value
  const sharing = fields.filter((other) => other.value?.kind === 'ref' && other.value.number === number)
  const problems = sharing.length > 1 ? ['Several fields show the same signature.'] : []
  return { fieldName: name, number, problems }
}

function withRewrites(candidate: Candidate, found: Inventory['signatures']): Candidate {
  const times = found.filter(({ number }) => number === candidate.number).length
  if (times <= 1) return candidate
  return { ...candidate, problems: [...candidate.problems, 'The signature was written again by a later revision.'] }
}

const hiddenOne = (number: number): Candidate => ({
  fieldName: '',
  number,
  problems: ['The file holds a signature that no field of its form shows.'],
})

/** True for a document timestamp, going by what the dictionary says of itself. */
export const isTimestampDict = (dict: PdfDict) =>
  isName(entry(dict, 'Type'), 'DocTimeStamp') || isName(entry(dict, 'SubFilter'), 'ETSI.RFC3161')
