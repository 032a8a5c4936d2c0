import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeWorld } from '#pades/validate/testing/world.ts'
import { openShell } from '../../../test/command-line.ts'
import { makePdf } from '../../../test/small-pdf.ts'

describe('countersign verify', () => {
  const shell = openShell()
  let folder: string
  let trust: string
  const path = (name: string) => join(folder, name)

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-verify-'))
    const world = await makeWorld()
    const signed = await world.sign(makePdf(), { signer: await world.seal() })
    const changed = Buffer.from(signed)
    changed[changed.indexOf('contract')] = 0x43
    writeFileSync(path('signed.pdf'), signed)
    writeFileSync(path('changed.pdf'), changed)
    writeFileSync(path('unsigned.pdf'), makePdf())
    writeFileSync(path('letter.txt'), 'hello')
    const der = world.root.certificate.toString('base64')
    trust = path('root.pem')
    writeFileSync(trust, `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`)
  })
  after(() => rmSync(folder, { recursive: true }))

  test('tells the verdict by its exit code and in words', async () => {
    for (const [file, exitCode, words] of [
      ['signed.pdf', 0, /^Valid/],
      ['changed.pdf', 1, /^Invalid/],
      ['unsigned.pdf', 4, /^Unsigned/],
    ] as const) {
      const outcome = await shell('verify', path(file), '--trust', trust)
      assert.equal(outcome.exitCode, exitCode, outcome.err)
      assert.match(outcome.out, words)
    }
  })

  test('names who, when, the level, the chain and what came afterwards', async () => {
    const { out } = await shell('verify', path('signed.pdf'), '--trust', trust)
    assert.match(out, /Signature: Contracts/)
    assert.match(out, /proven time {2}2026-/)
    assert.match(out, /level {8}PAdES B-LTA/)
    assert.match(out, /chain .* < CN=Test root/)
    assert.match(out, /afterwards {3}added, without changing what was signed/)
  })

  test('without anybody to trust it is in doubt; the variable names whom to trust', async () => {
    assert.equal((await shell('verify', path('signed.pdf'))).exitCode, 3)
    const trusting = openShell({ COUNTERSIGN_TRUST_FILE: trust })
    assert.equal((await trusting('verify', path('signed.pdf'))).exitCode, 0)
  })

  test('as of another moment: before the certificates began nothing holds', async () => {
    const outcome = await shell('verify', path('signed.pdf'), '--trust', trust, '--at', '2020-01-01T00:00:00Z')
    assert.notEqual(outcome.exitCode, 0)
  })

  test('gives programs the whole report', async () => {
    const { json } = await shell('verify', path('signed.pdf'), '--trust', trust, '--json')
    assert.equal(json.verdict, 'valid')
    assert.match(json.sha256, /^[0-9a-f]{64}$/)
    assert.equal(json.signatures.length, 1)
  })

  for (const [what, args, exitCode, words] of [
    ['no file', () => [], 2, /FILE is missing/],
    ['a file that is not there', () => [path('none.pdf')], 1, /ENOENT/],
    ['what is no PDF', () => [path('letter.txt')], 1, /is not a PDF/],
    ['trust in no certificate', () => [path('signed.pdf'), '--trust', path('letter.txt')], 2, /holds no certificate/],
    ['a moment that is none', () => [path('signed.pdf'), '--at', 'soon'], 2, /--at must be/],
    ['two files', () => ['a.pdf', 'b.pdf'], 2, /"b.pdf" is too much/],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const outcome = await shell('verify', ...args())
      assert.equal(outcome.exitCode, exitCode)
      assert.match(outcome.err, words)
    })
  }
})
