// OpenSSL: the CMS of each signature with the rules of CAdES, each timestamp token, and the chains up to the root.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSignatures, readSigner, type EmbeddedSignature } from '../embedded-signatures.ts'
import type { SignedFile } from '../signed-file.ts'
import { judgeEach, run, versionOf, type Judge } from './judge.ts'

export const openssl: Judge = {
  name: 'openssl',
  findVersion: () => versionOf('openssl', ['version']),
  judge(bundle) {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
    try {
      return judgeEach(bundle, (file) => complaintsAbout(file, { folder, rootPem: bundle.rootPem }))
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

interface Surroundings {
  readonly folder: string
  readonly rootPem: string
}

/** What others have signed before us is not asked about. */
function complaintsAbout({ pdf, original }: SignedFile, surroundings: Surroundings): string[] {
  return findSignatures(pdf, original.length).flatMap((signature) =>
    signature.subFilter === 'ETSI.RFC3161'
      ? verifyToken(signature.cms, signature.signedBytes, surroundings)
      : verifySignature(signature, surroundings),
  )
}

function verifySignature({ cms, signedBytes }: EmbeddedSignature, surroundings: Surroundings): string[] {
  const { folder, rootPem } = surroundings
  writeFileSync(join(folder, 'signature.der'), cms)
  writeFileSync(join(folder, 'signed.bin'), signedBytes)
  const input = ['-inform', 'DER', '-in', 'signature.der', '-content', 'signed.bin', '-binary', '-out', 'out.bin']
  // Certificates of signatories live for a day: what holds at the time of the signature is for others to judge.
  const { ok, text } = run('openssl', ['cms', '-verify', '-cades', ...input, ...trust(rootPem)], folder)
  const { signature, timestamp } = readSigner(cms)
  const complaints = timestamp === undefined ? [] : verifyToken(timestamp, signature, surroundings)
  return ok ? complaints : [`cms -verify: ${text.trim()}`, ...complaints]
}

function verifyToken(token: Buffer, stamped: Buffer, { folder, rootPem }: Surroundings): string[] {
  writeFileSync(join(folder, 'token.der'), token)
  const digest = createHash('sha256').update(stamped).digest('hex')
  const input = ['-token_in', '-in', 'token.der', '-digest', digest]
  const { ok, text } = run('openssl', ['ts', '-verify', ...input, ...trust(rootPem)], folder)
  return ok ? [] : [`ts -verify: ${text.trim()}`]
}

const trust = (rootPem: string) => ['-CAfile', rootPem, '-no_check_time']
