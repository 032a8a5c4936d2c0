// Signs real documents, of which nobody knows how they were made: how many can be signed, and is any of them harmed?
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPdf } from '#pades/intake.ts'
import { createNormaliser } from '#pades/normalise.ts'
import { PdfRefused } from '#pades/refused.ts'
import { bufferSource } from '#pades/source.ts'
import { Authority, Clock, DAY_MS, SECOND_MS } from './authority.ts'
import { askEverybody, countAgreed, listComplaints, titleOf, writeBundle, type Session } from './bundle.ts'
import { PRESENT } from './files.ts'
import { UNREADABLE } from './judges/answers.ts'
import { checkHealth, qpdf } from './judges/qpdf.ts'
import type { Health, SignedFile } from './signed-file.ts'
import { Paper } from './paper.ts'
import { formatTable } from './table.ts'

const FIELD = 'ConformanceSignature'
const LEAST_SHARE_OF_CLEAN = 0.99
// Scripts and the like are the intake's business; here it is about structure.
const INTAKE = { activeContent: 'allow' } as const
const normalise = createNormaliser()

interface Outcome {
  readonly name: string
  readonly health: Health | undefined
  readonly result: 'signed' | 'repaired and signed' | 'refused' | 'error'
  /** Why it was refused, or what went wrong. */
  readonly reason?: string
  readonly signed?: SignedFile
}

/** True if nothing was harmed, every refusal was typed, and of the documents that qpdf finds clean 99 % were signed. */
export async function judgeRealDocuments(folder: string, keep: string | undefined): Promise<boolean> {
  const authority = await Authority.begin(new Date(PRESENT.getTime() - DAY_MS), ['ES256'])
  const hasQpdf = qpdf.findVersion() !== undefined
  const outcomes: Outcome[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!name.toLowerCase().endsWith('.pdf')) continue
    const path = join(folder, name)
    outcomes.push(
      await signReal({ name, authority, health: hasQpdf ? checkHealth(path) : undefined }, readFileSync(path)),
    )
  }
  const areGoalsMet = reportOutcomes(outcomes)
  const files = outcomes.flatMap(({ signed }) => (signed === undefined ? [] : [signed]))
  const isAgreed = reportSessions(files, await askAbout(files, authority, keep))
  return areGoalsMet && isAgreed
}

interface RealDocument {
  readonly name: string
  readonly authority: Authority
  readonly health: Health | undefined
}

async function signReal({ name, authority, health }: RealDocument, bytes: Buffer): Promise<Outcome> {
  try {
    const facts = await checkPdf(bufferSource(bytes), INTAKE)
    const original = facts.needsNormalising
      ? (await normalise(bufferSource(bytes), { ...INTAKE, reason: facts.reason })).bytes
      : bytes
    const clock = new Clock(new Date(PRESENT.getTime() - 60 * SECOND_MS))
    const paper = await Paper.of(original, authority, clock)
    const signer = await authority.signatory('Anna', 'ES256', clock.now)
    await paper.sign(signer, 'B-LTA', { field: { name: FIELD } })
    const signed: SignedFile = {
      name,
      kind: 'real',
      pdf: paper.pdf,
      original,
      levels: { [FIELD]: 'B-LTA' },
      documentTimestamps: 1,
      proofs: await paper.prove(signer),
      // Usage rights stand outside of the form, so the intake does not list them.
      hasForeignSignatures: original.includes('/ByteRange'),
      ...(health !== undefined && { originalHealth: health }),
      isCoveredWhole: true,
    }
    return { name, health, result: facts.needsNormalising ? 'repaired and signed' : 'signed', signed }
  } catch (error) {
    if (error instanceof PdfRefused) return { name, health, result: 'refused', reason: error.reason }
    return {
      name,
      health,
      result: 'error',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

function reportOutcomes(outcomes: readonly Outcome[]): boolean {
  const count = (holds: (outcome: Outcome) => boolean) => outcomes.filter(holds).length
  const clean = outcomes.filter(({ health }) => health === 'clean')
  const cleanSigned = clean.filter(({ signed }) => signed !== undefined).length
  const rows: [string, number][] = [
    ['documents', outcomes.length],
    ['signed as they are', count(({ result }) => result === 'signed')],
    ['repaired and signed', count(({ result }) => result === 'repaired and signed')],
    ...reasons(outcomes).map((reason): [string, number] => [
      `refused: ${reason}`,
      count((one) => one.reason === reason),
    ]),
    ['failed without a typed refusal', count(({ result }) => result === 'error')],
    ['signed with the document as a prefix', count(({ signed }) => signed !== undefined && isPrefixKept(signed))],
    ['clean according to qpdf', clean.length],
    ['signed of those', cleanSigned],
  ]
  console.log(`${formatTable(rows.map(([label, number]) => [label, `${number}`]))}\n`)
  for (const { name, reason } of outcomes.filter(({ result }) => result === 'error')) console.log(`${name}: ${reason}`)
  for (const { name, reason } of clean.filter(({ signed }) => signed === undefined))
    console.log(`${name}: clean, but ${reason}`)
  const isHarmless = outcomes.every(
    ({ result, signed }) => result !== 'error' && (signed === undefined || isPrefixKept(signed)),
  )
  return isHarmless && cleanSigned >= clean.length * LEAST_SHARE_OF_CLEAN
}

const reasons = (outcomes: readonly Outcome[]) =>
  [...new Set(outcomes.flatMap(({ result, reason }) => (result === 'refused' ? [String(reason)] : [])))].sort()

const isPrefixKept = ({ pdf, original }: SignedFile) => pdf.subarray(0, original.length).equals(original)

async function askAbout(
  files: readonly SignedFile[],
  authority: Authority,
  keep: string | undefined,
): Promise<Session[]> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    return await askEverybody(writeBundle(folder, { files, root: authority.root.certificate }))
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true })
  }
}

/**
 * Complaints about the document as it came: it cannot be read, DSS draws it differently each time, or pyHanko finds its
 * metadata or its list of annotations ill-formed, which nobody has changed.
 */
const ABOUT_THE_DOCUMENT = [
  UNREADABLE,
  'Elements overlap',
  'Visual difference',
  'Metadata XML syntax',
  'Metadata does not look like XMP',
  'Array contains direct objects',
]

/** What is said about the document says nothing about the signature, so it is counted and does not fail the run. */
function reportSessions(files: readonly SignedFile[], sessions: readonly Session[]): boolean {
  const lines = sessions.flatMap(listComplaints)
  const disagreements = lines.filter((line) => !ABOUT_THE_DOCUMENT.some((words) => line.includes(words)))
  const rows = sessions.map((session) => {
    const unreadable = listComplaints(session).filter((line) => line.includes(UNREADABLE)).length
    return [titleOf(session), `${countAgreed(files, session)} of ${files.length}`, `${unreadable} unreadable`]
  })
  console.log(`\n${formatTable([['judges who agree', '', ''], ...rows])}\n`)
  for (const line of lines) console.log(line)
  console.log(`${files.length} files, ${disagreements.length} disagreements`)
  return disagreements.length === 0
}
