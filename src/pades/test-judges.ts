// Programs that we did not write, asked for their opinion in tests. Where one is not installed the test says so.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
