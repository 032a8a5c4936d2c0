// Files in a folder where judges can read them, and the round of judges.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRESENT } from './files.ts'
import type { SignedFile } from './signed-file.ts'
import { dss } from './judges/dss.ts'
import type { Bundle, Complaints, Judge } from './judges/judge.ts'
import { openssl } from './judges/openssl.ts'
import { ownValidator } from './judges/own-validator.ts'
import { pdfsig } from './judges/pdfsig.ts'
import { pyhanko } from './judges/pyhanko.ts'
import { qpdf } from './judges/qpdf.ts'

const JUDGES: readonly Judge[] = [ownValidator, qpdf, pdfsig, openssl, pyhanko, dss]
const FUTURE = new Date('2032-01-01T00:00:00Z')

/** Puts the files where judges can read them. */
export function writeBundle(folder: string, { files, root }: Pick<Bundle, 'files' | 'root'>): Bundle {
  const paths = { folder: join(folder, 'files'), rootDer: join(folder, 'root.cer'), rootPem: join(folder, 'root.pem') }
  mkdirSync(paths.folder, { recursive: true })
  for (const { name, pdf } of files) writeFileSync(join(paths.folder, name), pdf)
  writeFileSync(paths.rootDer, root)
  writeFileSync(paths.rootPem, toPem(root))
  return { ...paths, files, root, time: PRESENT, future: FUTURE }
}

const toPem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** What one judge said about all files. */
export interface Session {
  readonly judge: Judge
  readonly version: string
  readonly complaints: Complaints
}

/** Asks every judge that is installed, and says which one is not. */
export async function askEverybody(bundle: Bundle): Promise<Session[]> {
  const sessions: Session[] = []
  for (const judge of JUDGES) {
    const version = judge.findVersion()
    if (version === undefined) console.log(`${judge.name}: SKIPPED, not installed`)
    else sessions.push({ judge, version, complaints: await judge.judge(bundle) })
  }
  return sessions
}

export const countSkipped = (sessions: readonly Session[]) => JUDGES.length - sessions.length

export const titleOf = ({ judge, version }: Session) => `${judge.name} ${version}`

export function countAgreed(files: readonly SignedFile[], { complaints }: Session): number {
  return files.filter(({ name }) => (complaints.get(name) ?? []).length === 0).length
}

/** A line for each complaint. */
export const listComplaints = ({ judge, complaints }: Session): string[] =>
  [...complaints].flatMap(([name, list]) => list.map((complaint) => `${judge.name}: ${name}: ${complaint}`))
