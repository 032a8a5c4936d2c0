import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { leastOf } from '../../test/least-of.ts'
import { checkPdf } from './intake.ts'
import { PdfRefused, type RefusalReason } from './refused.ts'
import { signPdf } from './sign.ts'
import { bufferSource } from './source.ts'
import { makeTestAuthority, TEST_TIME } from './testing/authority.ts'
import { emptySignatureField, makePdf, stream, type DocumentShape } from './testing/documents.ts'

const AT_ONCE_MS = 500

const check = (pdf: Buffer, activeContent: 'refuse' | 'allow' = 'refuse') =>
  checkPdf(bufferSource(pdf), { activeContent })

const edited = (shape: DocumentShape, from: string | RegExp, to: string) =>
  Buffer.from(makePdf(shape).toString('latin1').replace(from, to), 'latin1')

describe('looking at an upload', () => {
  for (const shape of [{}, { xref: 'stream', objectStream: true }] satisfies DocumentShape[]) {
    test(`pages, version and empty fields are told (${JSON.stringify(shape)})`, async () => {
      const fields = [emptySignatureField('Buyer'), emptySignatureField('Seller')]
      const facts = await check(makePdf({ ...shape, pages: 4, fields }))
      assert.deepEqual(facts, {
        needsNormalising: false,
        version: '1.7',
        sizeBytes: facts.sizeBytes,
        pageCount: 4,
        signatures: [],
        emptySignatureFields: ['Buyer', 'Seller'],
        certification: undefined,
        activeContent: [],
      })
    })
  }

  test('signatures that are there already are told', async () => {
    const { signer } = await makeTestAuthority()
    const pdf = makePdf()
    const options = { signer, level: 'B-B', time: TEST_TIME, field: { name: 'Old' }, certify: true } as const
    const facts = await check(Buffer.concat([pdf, ...(await signPdf(bufferSource(pdf), options))]))
    assert(!facts.needsNormalising)
    assert.deepEqual(facts.signatures, [{ fieldName: 'Old', subFilter: 'ETSI.CAdES.detached' }])
    assert.equal(facts.certification, 2)
  })

  const active: [string, RegExp, DocumentShape][] = [
    [
      'a script on opening',
      /JavaScript/,
      { catalogEntries: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' },
    ],
    [
      'a script under a disguised name',
      /JavaScript/,
      { catalogEntries: '/AA << /WC << /S /Java#53cript /J#53 (x) >> >>' },
    ],
    [
      'a script in an object stream',
      /JavaScript/,
      { xref: 'stream', objectStream: true, extraObjects: ['<< /S /JavaScript /JS 4 0 R >>'] },
    ],
    ['a form in XFA', /XFA/, { catalogEntries: '/AcroForm << /Fields [] /XFA [] >>' }],
    ['an action that starts a program', /programs/, { extraObjects: ['<< /Type /Action /S /Launch /F (cmd.exe) >>'] }],
    ['an action that sends data', /send/, { extraObjects: ['<< /S /SubmitForm /F (https://example.org) >>'] }],
    ['a stream in another file', /outside/, { extraObjects: [stream('/F (other.bin)', Buffer.alloc(0))] }],
    [
      'a form that draws another document',
      /outside/,
      { extraObjects: [stream('/Subtype /Form /Ref << >>', Buffer.alloc(0))] },
    ],
    ['a film', /media/, { extraObjects: ['<< /Type /Annot /Subtype /RichMedia /Rect [0 0 1 1] >>'] }],
  ]
  for (const [name, wording, shape] of active) {
    test(`${name} is refused by name, or allowed on request`, async () => {
      const pdf = makePdf(shape)
      await assert.rejects(
        check(pdf),
        (error) => error instanceof PdfRefused && error.reason === 'active-content' && wording.test(error.message),
      )
      const facts = await check(pdf, 'allow')
      assert(!facts.needsNormalising)
      assert.match(facts.activeContent.join(), wording)
    })
  }

  test('links, attachments and tags are not active content', async () => {
    const facts = await check(
      makePdf({
        catalogEntries: '/MarkInfo << /Marked true >> /Names << /EmbeddedFiles << /Names [(a) 100 0 R] >> >>',
        extraObjects: [
          '<< /Type /Filespec /F (invoice.xml) /EF << /F 101 0 R >> >>',
          stream('/Type /EmbeddedFile', Buffer.from('<x/>')),
          '<< /Type /Annot /Subtype /Link /Rect [0 0 1 1] /A << /S /URI /URI (https://example.org) >> >>',
          '<< /Type /StructElem /S /P >>',
        ],
      }),
    )
    assert(!facts.needsNormalising)
  })

  const repairable: [string, string, Buffer][] = [
    ['a wrong startxref', 'damaged', edited({}, /startxref\n\d+/, 'startxref\n7')],
    ['table entries of 19 bytes', 'damaged', edited({}, / n \n/g, ' n\n')],
    ['a generation that cannot be', 'damaged', edited({}, '0000000000 65535 f', '0000000000 65536 f')],
    ['bytes before the header', 'damaged', Buffer.concat([Buffer.from('junk\n'), makePdf()])],
    ['a count of objects that is too small', 'damaged', edited({}, /\/Size \d+/, '/Size 5')],
    ['a hybrid file', 'hybrid', makePdf({ trailerEntries: '/XRefStm 15' })],
    ['encryption', 'encrypted', makePdf({ trailerEntries: '/Encrypt << /Filter /Standard >>' })],
    ['a stream of the wrong length', 'damaged', edited({}, '/Length 24', '/Length 14')],
    ['a key named twice anywhere', 'damaged', makePdf({ extraObjects: ['<< /A 1 /A 2 >>'] })],
  ]
  for (const [name, reason, pdf] of repairable) {
    test(`${name}: may be repaired, unless the document carries signatures`, async () => {
      const facts = await check(pdf)
      assert(facts.needsNormalising)
      assert.equal(facts.reason, reason)
      const signed = Buffer.concat([pdf.subarray(0, 20), Buffer.from('\n% /ByteRange [0 1 2 3]\n'), pdf.subarray(20)])
      await assert.rejects(
        check(signed),
        (error) => error instanceof PdfRefused && error.reason === 'signed-and-damaged',
      )
    })
  }

  test('usage rights may be left out, unless somebody has signed as well', async () => {
    const rights = '/Perms << /UR3 << /Type /Sig /ByteRange [0 1 2 3] >> >>'
    const facts = await check(makePdf({ catalogEntries: rights }))
    assert(facts.needsNormalising)
    assert.equal(facts.reason, 'usage-rights')
    const signed = makePdf({ catalogEntries: rights, extraObjects: ['<< /Type /Sig /ByteRange [0 1 2 3] >>'] })
    await assert.rejects(check(signed), (error) => error instanceof PdfRefused && error.reason === 'usage-rights')
  })

  const hostile: [string, RefusalReason, () => Buffer][] = [
    ['an empty file', 'not-a-pdf', () => Buffer.alloc(0)],
    ['a picture', 'not-a-pdf', () => Buffer.from('\x89PNG\r\n\x1a\n')],
    ['half a document', 'truncated', () => makePdf({ padding: 10_000 }).subarray(0, 5000)],
    ['no pages', 'page', () => makePdf({ pages: 0 })],
    [
      'a certified document',
      'certified',
      () =>
        makePdf({
          catalogEntries:
            '/Perms << /DocMDP << /Reference [<< /TransformMethod /DocMDP /TransformParams << /P 1 >> >>] >> >>',
        }),
    ],
    [
      'an object stream that swells a thousandfold',
      'too-complex',
      () => withObjectStream(deflateSync(Buffer.alloc(64 * 1024 * 1024))),
    ],
    ['deep nesting', 'too-complex', () => makePdf({ extraObjects: ['<</A'.repeat(100_000)] })],
    ['deep nesting of arrays in one line', 'too-complex', () => makePdf({ extraObjects: ['['.repeat(3_000_000)] })],
  ]
  for (const [name, reason, make] of hostile) {
    test(`${name}: ${reason}, at once and without eating memory`, async () => {
      const pdf = make()
      const computed = async () => {
        const before = process.memoryUsage()
        const started = process.threadCpuUsage()
        await assert.rejects(check(pdf), (error) => error instanceof PdfRefused && error.reason === reason)
        const { user } = process.threadCpuUsage(started)
        const after = process.memoryUsage()
        assert(after.heapUsed + after.external - before.heapUsed - before.external < 48 * 1024 * 1024)
        return user / 1000
      }
      const leastMs = await leastOf(computed, { below: AT_ONCE_MS })
      assert(leastMs < AT_ONCE_MS, `${leastMs} ms`)
    })
  }

  test('what a validator could not judge once it is signed is refused before', async () => {
    const pdf = makePdf({ extraObjects: Array.from({ length: 120_000 }, () => '[0 0]') })
    await assert.rejects(check(pdf), (error) => error instanceof PdfRefused && error.reason === 'too-complex')
  })

  test('pages in a circle are damage, not a hang', async () => {
    const facts = await check(edited({}, '/Kids [20 0 R]', '/Kids [ 2 0 R]'))
    assert(facts.needsNormalising)
  })

  test('whatever is done to the bytes, the answer is facts or a typed refusal', async () => {
    const bases = [
      makePdf({ pages: 2, fields: [emptySignatureField('A')] }),
      makePdf({ xref: 'stream', objectStream: true }),
    ]
    const mutation = fc.record({
      base: fc.nat(1),
      at: fc.nat(100_000),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        const pdf = Buffer.from(bases[mutations[0]?.base as number] as Buffer)
        for (const { at, bytes } of mutations) {
          const offset = at % pdf.length
          pdf.set(bytes.subarray(0, pdf.length - offset), offset)
        }
        await check(pdf).catch((error: unknown) => {
          if (!(error instanceof PdfRefused)) throw error
        })
      }),
      { numRuns: 500 },
    )
  })
})

function withObjectStream(data: Buffer): Buffer {
  const body = stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data)
  const pdf = makePdf({ xref: 'stream', objectStream: true })
  const real = /95 0 obj\n[^]*?endstream/.exec(pdf.toString('latin1'))?.[0] as string
  const text = pdf.toString('latin1').replace(real, `95 0 obj\n${body.toString('latin1')}`)
  const startxref = text.lastIndexOf(' 0 obj', text.lastIndexOf('/Type /XRef'))
  const lineStart = text.lastIndexOf('\n', startxref) + 1
  return Buffer.from(text.replace(/startxref\n\d+/, `startxref\n${lineStart}`), 'latin1')
}
