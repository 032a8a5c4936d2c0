// The kinds of documents that are signed and judged, each with what is special about signing it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignatureOptions } from '#pades/prepare-signature.ts'
import { emptySignatureField, makePdf } from '#pades/testing/documents.ts'

export interface DocumentKind {
  readonly name: string
  /** Undefined where a program that is needed to make it is not installed. */
  readonly make: () => Buffer | undefined
  readonly options?: Partial<SignatureOptions>
  /** Another person has signed it before. */
  readonly isSignedBefore?: boolean
}

const TEXT_FIELD =
  '<< /FT /Tx /T (Amount) /V (1200) /Type /Annot /Subtype /Widget /Rect [60 500 260 520] /F 4 /P 20 0 R /DA (/Helv 10 Tf 0 g) >>'
const PLACEMENT = { x: 60, y: 60, width: 200, height: 60 }
const APPEARANCE = { lines: ['Anna Müller', '15 November 2026', 'I agree'], hasBorder: true }

export const DOCUMENT_KINDS: readonly DocumentKind[] = [
  { name: 'classic', make: () => makePdf() },
  { name: 'pdf-1.4', make: () => makePdf({ version: '1.4', eol: '\r\n' }) },
  { name: 'pdf-2.0', make: () => makePdf({ version: '2.0' }) },
  { name: 'xref-stream', make: () => makePdf({ version: '1.5', xref: 'stream' }) },
  { name: 'object-streams', make: () => makePdf({ xref: 'stream', objectStream: true, acroForm: 'indirect' }) },
  { name: 'linearised', make: () => linearise(makePdf({ pages: 3 }), 'disable') },
  { name: 'linearised-objects', make: () => linearise(makePdf({ pages: 3 }), 'generate') },
  {
    name: 'form',
    make: () => makePdf({ fields: [TEXT_FIELD, emptySignatureField('Signature')], indirectArrays: true }),
    options: { field: 'Signature', appearance: APPEARANCE },
  },
  {
    name: 'visible',
    make: () => makePdf({ pages: 2 }),
    options: { field: { name: 'Signature', page: 2, placement: PLACEMENT }, appearance: APPEARANCE },
  },
  {
    name: 'rotated',
    make: () => makePdf({ pageEntries: '/Rotate 90' }),
    options: { field: { name: 'Signature', placement: PLACEMENT }, appearance: APPEARANCE },
  },
  { name: 'certified', make: () => makePdf(), options: { certify: true } },
  {
    name: 'locking',
    make: () => makePdf({ fields: [TEXT_FIELD] }),
    options: { field: { name: 'Signature', lock: { action: 'Include', fields: ['Amount'] } } },
  },
  { name: 'signed-before', make: () => makePdf({ xref: 'stream' }), isSignedBefore: true },
]

/** Written anew by qpdf, in the order of a web page. */
function linearise(pdf: Buffer, objectStreams: 'disable' | 'generate'): Buffer | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    const args = ['--linearize', '--deterministic-id', `--object-streams=${objectStreams}`, 'in.pdf', 'out.pdf']
    return spawnSync('qpdf', args, { cwd: folder }).status === 0 ? readFileSync(join(folder, 'out.pdf')) : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}
