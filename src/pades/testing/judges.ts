// Programs that we did not write, asked for their opinion in tests. Where one is not installed the test says so.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const available = new Map<string, boolean>()

/** The `skip` option of a test that needs a program: false, or the reason shown in the report. */
export function skipWithout(program: string): string | false {
  if (!available.has(program)) available.set(program, spawnSync(program, ['--version']).error === undefined)
  return available.get(program) === true ? false : `${program} is not installed`
}

/** Runs `use` with the document in a file that is gone afterwards. */
export function withFile<T>(pdf: Buffer, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'pades-judge-'))
  try {
    const path = join(folder, 'document.pdf')
    writeFileSync(path, pdf)
    return use(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What qpdf complains about; nothing for a clean document. */
export function qpdfComplaints(pdf: Buffer): string {
  return withFile(pdf, (path) => {
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' })
    return status === 0 ? '' : `${stdout}${stderr}`
  })
}

/** What poppler says about the signatures. */
export function pdfsigReport(pdf: Buffer): string {
  return withFile(pdf, (path) => execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }))
}

export interface SignedPart {
  /** The bytes that the signature or timestamp covers. */
  readonly content: Buffer
  /** The CMS, without padding or with it. */
  readonly contents: Buffer
}

/** What OpenSSL says about a CAdES signature or a timestamp token; nothing where it is satisfied. */
export function opensslComplaints(
  kind: 'cades' | 'timestamp',
  { content, contents }: SignedPart,
  trust: { root: Buffer; time: Date },
): string {
  return withFile(content, (path) => {
    writeFileSync(`${path}.p7s`, contents)
    writeFileSync(`${path}.pem`, new X509Certificate(trust.root).toString())
    const common = ['-in', `${path}.p7s`, '-CAfile', `${path}.pem`, '-attime', String(trust.time.getTime() / 1000)]
    const args = {
      cades: [
        'cms',
        '-verify',
        '-cades',
        '-binary',
        '-inform',
        'DER',
        '-content',
        path,
        '-purpose',
        'any',
        '-out',
        `${path}.out`,
      ],
      timestamp: ['ts', '-verify', '-token_in', '-data', path],
    }[kind]
    const { status, stderr } = spawnSync('openssl', [...args, ...common], { encoding: 'utf8' })
    if (status !== 0) return stderr
    return kind === 'timestamp' || readFileSync(`${path}.out`).equals(content) ? '' : 'the content differs'
  })
}
