// The `openssl` program as a judge that we did not write.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { status } = spawnSync('openssl', ['version'])

/** For the `skip` option of a test: false, or the reason. */
export const withoutOpenssl = status === 0 ? false : 'openssl is not installed'

export interface OpensslRun {
  ok: boolean
  /** Standard output and error together. */
  text: string
  /** Standard output, or the file `out` where openssl was told to write one. */
  bytes: Buffer
}

/** Runs openssl with these files in a folder of their own; arguments name the files relative to it. */
export function openssl(args: string[], files: Record<string, Buffer | string> = {}): OpensslRun {
  const folder = mkdtempSync(join(tmpdir(), 'openssl-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, timeout: 180_000 })
    const out = join(folder, 'out')
    const bytes = existsSync(out) ? readFileSync(out) : stdout
    return { ok: status === 0, text: `${stdout.toString()}${stderr.toString()}`, bytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** DER as PEM, which most of openssl's options want. */
export const pem = (label: string, ...ders: Buffer[]) =>
  ders.map((der) => [`-----BEGIN ${label}-----`, ...base64Lines(der), `-----END ${label}-----`, ''].join('\n')).join('')

const base64Lines = (der: Buffer) => der.toString('base64').match(/.{1,64}/g) ?? []

export const certificatePem = (...ders: Buffer[]) => pem('CERTIFICATE', ...ders)
