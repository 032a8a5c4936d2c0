import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { unzip } from '../../../test/unzip.ts'
import { zipEvidence } from './evidence-zip.ts'

/** The names of documents and certificates in the archive of documents that are called like this. */
async function namesFor(fileNames: readonly string[], certificate = 'Root'): Promise<string[]> {
  const zip = zipEvidence({
    documents: fileNames.map((fileName) => ({ fileName, read: async () => Buffer.from('%PDF') })),
    evidencePdf: Buffer.from('%PDF'),
    evidenceJson: Buffer.from('{}'),
    history: { log: null },
    certificates: [{ name: certificate, der: Buffer.from('certificate') }],
    at: new Date('2026-11-15T09:00:00Z'),
  })
  const chunks: Buffer[] = []
  for await (const chunk of zip) chunks.push(chunk)
  return [...unzip(Buffer.concat(chunks)).keys()].filter((name) => name.includes('/'))
}

describe('the evidence as an archive', () => {
  test('names stay as they are, and one that is taken gets a number', async () => {
    assert.deepEqual(await namesFor(['Lease.pdf', 'lease.pdf', 'v1.final']), [
      'documents/Lease.pdf',
      'documents/lease (2).pdf',
      'documents/v1.final',
      'certificates/Root.pem',
    ])
  })

  for (const [what, fileName] of [
    ['in an alphabet of four bytes a letter', `${'𝒜'.repeat(251)}.pdf`],
    ['with an odd byte before such letters', `x${'𝒜'.repeat(250)}.pdf`],
    ['of an ending alone', `a.${'é'.repeat(253)}`],
  ] as const) {
    test(`the longest names (${what}) can be unpacked, and are still two`, async () => {
      const names = await namesFor([fileName, fileName], '𝒜'.repeat(64))
      assert.equal(new Set(names).size, 3)
      for (const name of names) {
        assert.ok(Buffer.byteLength(basename(name)) <= 255, name)
        assert.ok(!name.includes('\ufffd'), 'no letter is cut in two')
      }
      if (fileName.endsWith('.pdf')) assert.match(names[1]!, / \(2\)\.pdf$/)
    })
  }
})
