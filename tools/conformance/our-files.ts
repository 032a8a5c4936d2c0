// Signs everything, asks everybody, prints who agrees with what we promise.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Authority } from './authority.ts'
import {
  askEverybody,
  countAgreed,
  countSkipped,
  listComplaints,
  titleOf,
  writeBundle,
  type Session,
} from './bundle.ts'
import { DOCUMENT_KINDS } from './documents.ts'
import { ALGORITHMS, BEGIN, signEverything } from './files.ts'
import type { SignedFile } from './signed-file.ts'
import { formatTable } from './table.ts'

/** True if nobody who was asked disagrees. The files stay in the folder `keep`, where one is given. */
export async function judgeOurFiles(keep: string | undefined): Promise<boolean> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const authority = await Authority.begin(BEGIN, ALGORITHMS)
    const files = await makeFiles(authority)
    const bundle = writeBundle(folder, { files, root: authority.root.certificate })
    return report(files, await askEverybody(bundle))
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true })
  }
}

async function makeFiles(authority: Authority): Promise<SignedFile[]> {
  const files: SignedFile[] = []
  const missing = new Set<string>()
  for await (const made of signEverything(authority, DOCUMENT_KINDS)) {
    if ('missing' in made) missing.add(made.missing)
    else files.push(made)
  }
  for (const kind of missing) console.log(`${kind}: SKIPPED, a program to make it is not installed`)
  return files
}

function report(files: readonly SignedFile[], sessions: readonly Session[]): boolean {
  const kinds = [...new Set(files.map(({ kind }) => kind))]
  const rows = kinds.map((kind) => [kind, ...sessions.map((session) => tally(files, kind, session))])
  console.log(`\n${formatTable([['', ...sessions.map(titleOf)], ...rows])}\n`)
  const broken = files.filter(({ pdf, original }) => !pdf.subarray(0, original.length).equals(original))
  const complaints = [
    ...broken.map(({ name }) => `${name}: the document is not a prefix of the signed file`),
    ...sessions.flatMap(listComplaints),
  ]
  for (const complaint of complaints) console.log(complaint)
  const skipped = countSkipped(sessions)
  console.log(`${files.length} files, ${sessions.length} judges, ${skipped} SKIPPED, ${complaints.length} complaints`)
  return complaints.length === 0
}

function tally(files: readonly SignedFile[], kind: string, session: Session): string {
  const ofKind = files.filter((file) => file.kind === kind)
  const agreed = countAgreed(ofKind, session)
  return agreed === ofKind.length ? `${agreed}` : `${agreed} of ${ofKind.length}`
}
