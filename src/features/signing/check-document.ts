// The one place that decides whether a document can be signed. The bytes decide, never the name.
import { open, type FileHandle } from 'node:fs/promises'
import type { StagedBlob } from '#platform/blobs/blob-store.ts'
import { documentRefused } from './errors.ts'

export const PDF = 'application/pdf'

const HEAD_BYTES = 1024
/** Readers look for the end of a PDF in its last kilobytes; what follows %%EOF is at most some padding. */
const TAIL_BYTES = 4096

/** The content type of a staged document that can be signed; throws naming the field where it can't. */
export async function checkDocument(staged: StagedBlob, field: string): Promise<string> {
  if (staged.sizeBytes === 0) throw documentRefused(field, 'the document is empty.')
  const file = await open(staged.path, 'r')
  try {
    const head = await readAt(file, 0, HEAD_BYTES)
    if (!head.startsWith('%PDF-')) throw documentRefused(field, notPdf(head))
    const tail = await readAt(file, Math.max(0, staged.sizeBytes - TAIL_BYTES), TAIL_BYTES)
    requireEnd(tail, field)
  } finally {
    await file.close()
  }
  return PDF
}

function requireEnd(tail: string, field: string): void {
  const end = tail.lastIndexOf('%%EOF')
  const start = tail.lastIndexOf('startxref', end)
  if (end < 0 || start < 0 || !/^startxref\s+\d+\s+$/.test(tail.slice(start, end))) {
    throw documentRefused(field, 'the PDF is cut off or damaged: its end is missing.')
  }
  if (/\/Encrypt\b/.test(tail)) throw documentRefused(field, 'the PDF is encrypted; send it without a password.')
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

async function readAt(file: FileHandle, position: number, sizeBytes: number): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, position)
  return buffer.toString('latin1', 0, bytesRead)
}
