// The one place that decides whether a document can be signed. The bytes decide, never the name: what is accepted here
// can be finished.
import { open } from 'node:fs/promises'
import { checkPdf, type PdfFacts } from '#pades/intake.ts'
import { createNormaliser } from '#pades/normalise.ts'
import { PdfRefused } from '#pades/refused.ts'
import { openFileSource, readWhole, type Source } from '#pades/source.ts'
import { validatePdf } from '#pades/validate/validate-pdf.ts'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import type { Config } from '#platform/config/config.ts'
import { documentRefused, repairsBusy } from './errors.ts'

export const PDF = 'application/pdf'

const HEAD_BYTES = 1024

export type CheckedDocument = {
  contentType: string
  /** The document written anew, where it was damaged and could be repaired. */
  repaired: Buffer | undefined
  /** Scripts and the like, where the operator lets them pass. */
  activeContent: readonly string[]
}

export type DocumentCheck = { staged: StagedBlob; field: string; activeContent: Config['activeContent']; now: Date }

const normalise = createNormaliser()

/** What a staged document is, once it is certain that it can be signed; throws naming the field where it can't. */
export async function checkDocument({ staged, field, activeContent, now }: DocumentCheck): Promise<CheckedDocument> {
  if (staged.sizeBytes === 0) throw documentRefused(field, 'the document is empty.')
  await requirePdf(staged, field)
  const source = await openFileSource(staged.path)
  try {
    const { facts, repaired } = await examine(source, activeContent)
    if (facts.signatures.length > 0) await requireExplained(source, field, now)
    return { contentType: PDF, repaired, activeContent: facts.activeContent }
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
    throw error.reason === 'busy' ? repairsBusy() : documentRefused(field, error.message)
  } finally {
    await source.close()
  }
}

async function examine(
  source: Source,
  activeContent: Config['activeContent'],
): Promise<{ facts: PdfFacts; repaired: Buffer | undefined }> {
  const checked = await checkPdf(source, { activeContent })
  if (!checked.needsNormalising) return { facts: checked, repaired: undefined }
  const { bytes, facts } = await normalise(source, { activeContent })
  return { facts, repaired: bytes }
}

/** Signatures that are there already stay as they are; a file that was changed after one of them is not signed on. */
async function requireExplained(source: Source, field: string, time: Date): Promise<void> {
  const { signatures, timestamps } = await validatePdf(await readWhole(source), { trustAnchors: [], time })
  const isHarmed = [...signatures, ...timestamps].some(
    ({ changedAfterwards }) => changedAfterwards === 'unexplained' || changedAfterwards === 'unknown',
  )
  if (isHarmed)
    throw documentRefused(field, 'the PDF was changed after it had been signed, in a way that breaks that signature.')
}

const KNOWN_TYPES: readonly (readonly [start: string, name: string])[] = [
  ['\u0089PNG', 'a PNG image'],
  ['\u00ff\u00d8\u00ff', 'a JPEG image'],
  ['PK\u0003\u0004', 'a ZIP archive or an office document'],
  ['\u00d0\u00cf\u0011\u00e0', 'an office document'],
  ['{\\rtf', 'an RTF document'],
]

async function requirePdf(staged: StagedBlob, field: string): Promise<void> {
  const head = await readHead(staged.path)
  if (head.includes('%PDF-')) return
  const known = KNOWN_TYPES.find(([start]) => head.startsWith(start))
  throw documentRefused(
    field,
    `the document is ${known ? known[1] : 'not a PDF'}; only PDF documents are signed for now.`,
  )
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
