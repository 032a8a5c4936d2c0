// The one place that decides whether a document can be signed. The bytes decide, never the name.
import { makeIntake } from '#pades/apart/intake.ts'
import { BOUNDS, makeReaders } from '#pades/apart/readers.ts'
import { createNormaliser } from '#pades/normalise.ts'
import type { PdfFacts } from '#pades/intake.ts'
import { PdfRefused } from '#pades/refused.ts'
import { bufferSource, openFileSource, readWhole, type Source } from '#pades/source.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { documentRefused, repairsBusy } from './errors.ts'

export type DocumentRules = {
  activeContent: 'refuse' | 'allow'
  /** How many people are to sign it: each makes the finished file larger, and it has to be checked as a whole. */
  signatories: number
  now: Date
}

export type CheckedDocument = {
  contentType: string
  /** Scripts and the like that were let through. */
  activeContent: readonly string[]
  /** The document written anew, where it was damaged and could be repaired; this is what gets signed. */
  repaired: { bytes: Buffer; writtenBy: string } | undefined
}

const PDF = 'application/pdf'
/** ISO 32000-1 Annex H, note 13: readers accept the header anywhere within the first 1024 bytes. */
const HEADER_WITHIN = 1024

/** Whoever creates a request waits for its documents, behind a few others at most. */
const WAITING = 32

// They count their processes, so there is one of each for the whole process.
const readers = makeReaders({ ...BOUNDS, waiting: WAITING })
const look = makeIntake(readers)
const repair = createNormaliser({ check: look })

/** What a staged document is, once it is certain that it can be signed; throws naming the field where it can't. */
export async function checkDocument(staged: StagedBlob, field: string, rules: DocumentRules): Promise<CheckedDocument> {
  if (staged.sizeBytes === 0) throw documentRefused(field, 'the document is empty.')
  const { content } = staged
  if ('bytes' in content) return checkBytes(bufferSource(content.bytes), field, rules)
  const source = await openFileSource(content.path)
  try {
    return await checkBytes(source, field, rules)
  } finally {
    await source.close()
  }
}

async function checkBytes(source: Source, field: string, rules: DocumentRules): Promise<CheckedDocument> {
  try {
    const head = (await source.read(0, HEADER_WITHIN)).toString('latin1')
    if (!head.includes('%PDF-')) throw documentRefused(field, notPdf(head))
    return await checkSource(source, rules)
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
    throw error.reason === 'busy' ? repairsBusy(field) : documentRefused(field, error.message)
  }
}

async function checkSource(source: Source, rules: DocumentRules): Promise<CheckedDocument> {
  const { activeContent, signatories, now } = rules
  const found = await look(source, { activeContent, signatories })
  if (found.needsNormalising) {
    const { bytes, facts, writtenBy } = await repair(source, { activeContent, signatories })
    return { contentType: PDF, activeContent: facts.activeContent, repaired: { bytes, writtenBy } }
  }
  await requireExplained(source, found, now)
  return { contentType: PDF, activeContent: found.activeContent, repaired: undefined }
}

/** Signatures that a document brings along must be good for what they cover, or ours would seem to vouch for a change. */
async function requireExplained(source: Source, { signatures }: PdfFacts, now: Date): Promise<void> {
  if (signatures.length === 0) return
  // Whom the signers trust is not asked here, only whether anything was changed after they had signed.
  const report = await readers.validate(await readWhole(source), { trustAnchors: [], time: now })
  const reports = [...report.signatures, ...report.timestamps]
  const isExplained = reports.every(({ changedAfterwards }) => ['no', 'explained'].includes(changedAfterwards))
  if (!isExplained || reports.length === 0) {
    throw new PdfRefused('damaged', 'This PDF was changed after it had been signed.')
  }
}

const KNOWN_TYPES: readonly (readonly [start: string, name: string])[] = [
  ['\u0089PNG', 'a PNG image'],
  ['\u00ff\u00d8\u00ff', 'a JPEG image'],
  ['PK\u0003\u0004', 'a ZIP archive or an office document'],
  ['\u00d0\u00cf\u0011\u00e0', 'an office document'],
  ['{\\rtf', 'an RTF document'],
]

function notPdf(head: string): string {
  const known = KNOWN_TYPES.find(([start]) => head.startsWith(start))
  return `the document is ${known ? known[1] : 'not a PDF'}; only PDF documents are signed for now.`
}
