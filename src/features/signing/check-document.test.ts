import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { requireFinishable } from '#pades/finishable.ts'
import { signPdf } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import { makeTestAuthority, TEST_TIME } from '#pades/testing/authority.ts'
import { appendRevision } from '#pades/testing/documents.ts'
import type { BlobStore, StagedBlob } from '#platform/blobs/blob-store.ts'
import { openLocalBlobs } from '#platform/blobs/local-blobs.ts'
import { readConfig } from '#platform/config/config.ts'
import { makePdf } from '../../../test/small-pdf.ts'
import { checkDocument } from './check-document.ts'

const FIELD = 'documents[0].contentBase64'

describe('checking a document', () => {
  let folder: string
  let blobs: BlobStore

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-check-'))
    blobs = await openLocalBlobs(folder)
  })
  after(async () => {
    await blobs.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function stage(bytes: Buffer): Promise<StagedBlob> {
    const writer = await blobs.begin()
    await writer.write(bytes)
    return writer.finish()
  }

  async function check(bytes: Buffer, activeContent: 'refuse' | 'allow' = 'refuse', signatories = 1) {
    const staged = await stage(bytes)
    try {
      return await checkDocument(staged, FIELD, { activeContent, signatories, now: TEST_TIME })
    } finally {
      await staged.discard()
    }
  }

  const edited = (from: string | RegExp, to: string) =>
    Buffer.from(makePdf().toString('latin1').replace(from, to), 'latin1')

  async function sign(document: Buffer): Promise<Buffer> {
    const { signer } = await makeTestAuthority()
    const options = { signer, level: 'B-B', time: TEST_TIME, field: { name: 'First' } } as const
    return Buffer.concat([document, ...(await signPdf(bufferSource(document), options))])
  }

  const scripted = edited('/Pages 2 0 R', '/Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >>')
  // The keys are nonsense, so no password opens it.
  const locked = edited(
    '/Root 1 0 R',
    `/Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'01'.repeat(32)}> /U <${'02'.repeat(32)}> >>`,
  )

  const refusals: [what: string, document: Buffer, message: RegExp][] = [
    ['nothing', Buffer.alloc(0), /the document is empty/],
    ['a text', Buffer.from('Hello'), /not a PDF; only PDF documents are signed for now/],
    ['an image', Buffer.from('\u0089PNG\r\n', 'latin1'), /a PNG image; only PDF/],
    ['an office document', Buffer.from('PK\u0003\u0004'), /a ZIP archive or an office document; only PDF/],
    ['a name alone', Buffer.from('%PDF-1.7\n'), /incomplete|damaged|not a PDF/i],
    ['half a PDF', makePdf().subarray(0, 500), /its end is missing/],
    ['a PDF with a password', locked, /password/],
    ['a script', scripted, /JavaScript/],
  ]
  for (const [what, document, message] of refusals) {
    test(`refuses ${what}`, async () => {
      await assert.rejects(check(document), (error: Error) => {
        assert.match(error.message, new RegExp(`^${RegExp.escape(FIELD)}: `))
        assert.match(error.message, message)
        return 'classification' in error && error.classification === 'InvalidArgument'
      })
    })
  }

  test('refuses one that so many people could not sign, and says how many can', async () => {
    let saved: Buffer = makePdf()
    for (let times = 0; times < 400; times++) saved = appendRevision(saved, { 6: '(another save)' })
    assert.equal((await check(saved, 'refuse', 43)).repaired, undefined)
    await assert.rejects(check(saved, 'refuse', 60), {
      classification: 'InvalidArgument',
      message:
        `${FIELD}: This PDF is built in a way that takes too much work to read: with the signatures of 60 people it ` +
        'could no longer be checked; at most 43 can sign it.',
    })
  })

  test('the most signatories and the largest document that can be configured can be finished', async () => {
    const { limits } = readConfig({
      COUNTERSIGN_MAX_SIGNATORIES: '100',
      COUNTERSIGN_MAX_DOCUMENT_MB: '450',
      COUNTERSIGN_MAX_BODY_MB: '450',
    })
    const { signatories, documentBytes: sizeBytes } = limits
    const little = { sections: 1, signatures: 0, fields: 0, effort: 10_000, parsedBytes: 100_000, inflatedBytes: 0 }
    requireFinishable({ ...little, sizeBytes, rewritten: { values: 100, bytes: 1_000 } }, signatories)
  })

  test('takes a whole PDF as it is', async () => {
    assert.deepEqual(await check(makePdf()), { contentType: 'application/pdf', activeContent: [], repaired: undefined })
  })

  test('lets a script pass where that is configured, and says so', async () => {
    assert.deepEqual((await check(scripted, 'allow')).activeContent, ['JavaScript'])
  })

  test('repairs what can be repaired', async () => {
    const { repaired } = await check(edited(/startxref\n\d+/, 'startxref\n7'))
    assert.equal((await check(repaired!.bytes)).repaired, undefined)
  })

  test('takes a document that is signed already, and leaves it alone', async () => {
    const signed = await sign(makePdf())
    assert.equal((await check(signed)).repaired, undefined)
  })

  test('refuses one that was changed after it had been signed', async () => {
    const signed = await sign(makePdf())
    const previous = /startxref\n(\d+)\n%%EOF\s*$/.exec(signed.toString('latin1'))![1]
    const offset = signed.length
    const change = `4 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\n`
    const table = `xref\n4 1\n${String(offset).padStart(10, '0')} 00000 n \n`
    const trailer = `trailer\n<< /Size 100 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${offset + change.length}\n%%EOF\n`
    const changed = Buffer.concat([signed, Buffer.from(change + table + trailer)])
    await assert.rejects(check(changed), /changed after it had been signed/)
  })
})
