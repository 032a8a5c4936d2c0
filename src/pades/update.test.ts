import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPdf } from './reader.ts'
import { listRevisions } from './revisions.ts'
import { appendRevision, makePdf, type DocumentShape } from './testing/documents.ts'
import { qpdfComplaints, skipWithout } from './testing/judges.ts'
import { Update } from './update.ts'
import { entry, rawBytes, textOf } from './value.ts'
import { dateString, decimal, name, reference, textString } from './write.ts'

const SHAPES: Record<string, DocumentShape> = {
  'a table': {},
  'a table with CR LF': { eol: '\r\n' },
  'a stream': { xref: 'stream' },
  'object streams': { xref: 'stream', objectStream: true },
}

async function withLanguage(pdf: Buffer): Promise<Buffer> {
  const update = new Update(await openPdf(pdf))
  const catalog = await update.editDict(update.reader.rootRef)
  catalog.set('Lang', textString('de-CH'))
  catalog.set('Extra', reference(update.add('<< /Made (by us) >>')))
  return Buffer.concat([pdf, update.build().bytes])
}

describe('appending a revision', () => {
  for (const [kind, shape] of Object.entries(SHAPES)) {
    test(`${kind}: the document is a prefix, the kind is kept, the change is seen`, async () => {
      const pdf = makePdf(shape)
      const changed = await withLanguage(pdf)
      assert(changed.subarray(0, pdf.length).equals(pdf))
      const reader = await openPdf(changed)
      assert.deepEqual(
        reader.sections.map((section) => section.kind),
        Array(2).fill(shape.xref ?? 'table'),
      )
      const language = entry(await reader.catalog(), 'Lang')
      assert.equal(language?.kind === 'string' && textOf(language), 'de-CH')
      assert.equal((await listRevisions(reader)).length, 2)
    })

    test(`${kind}: qpdf finds nothing wrong`, { skip: skipWithout('qpdf') }, async () => {
      assert.equal(qpdfComplaints(await withLanguage(await withLanguage(makePdf(shape)))), '')
    })
  }

  test('what is not changed is copied to the letter', async () => {
    const odd = '/Odd << /N +007.50 /S (a\\050b) /H <4 1> /Name#20x null >>'
    const reader = await openPdf(await withLanguage(makePdf({ catalogEntries: odd })))
    const value = entry(await reader.catalog(), 'Odd')
    assert.equal(value && `/Odd ${rawBytes(value).toString()}`, odd)
  })

  test('the file identifier keeps its first half and changes its second', async () => {
    const reader = await openPdf(await withLanguage(makePdf()))
    const id = entry(reader.trailer, 'ID')
    assert(id?.kind === 'array' && id.items[0]?.kind === 'string' && id.items[1]?.kind === 'string')
    assert.equal(id.items[0].bytes.toString('hex'), '00112233445566778899aabbccddeeff')
    assert.notEqual(id.items[1].bytes.toString('hex'), '00112233445566778899aabbccddeeff')
  })

  test('an object that was opened but not changed is not written', async () => {
    const update = new Update(await openPdf(makePdf({ acroForm: 'indirect' })))
    const catalog = await update.editDict(update.reader.rootRef)
    const form = await update.childDict(catalog, 'AcroForm')
    await update.childArray(form, 'Fields')
    assert.deepEqual([...update.build().bodyOffsets.keys()], [])
    form.set('SigFlags', '3')
    assert.deepEqual([...update.build().bodyOffsets.keys()], [7])
  })

  test('object numbers begin above what any revision used', async () => {
    const pdf = appendRevision(makePdf(), { 4999: '(an object)' })
    const update = new Update(await openPdf(pdf))
    assert.equal(update.allocate().number, 5000)
  })

  test('a document that ends without a line break can be continued', async () => {
    const pdf = makePdf().subarray(0, -1)
    const changed = await withLanguage(pdf)
    assert(changed.subarray(0, pdf.length).equals(pdf))
    assert.equal((await listRevisions(await openPdf(changed))).length, 2)
  })
})

describe('writing values', () => {
  test('text is escaped once, and UTF-16 where ASCII does not reach', () => {
    assert.equal(textString('Contract (v1) \\'), '(Contract \\(v1\\) \\\\)')
    assert.equal(textString('Zoë'), '<feff005a006f00eb>')
  })

  test('names, dates and numbers take the form that PDF wants', () => {
    assert.equal(name('A B#(c)'), '/A#20B#23#28c#29')
    assert.equal(dateString(new Date('2026-11-15T03:20:59.123Z')), '(D:20261115032059Z)')
    assert.deepEqual([1e-7, -0.0001, 12.5, 100].map(decimal), ['0', '0', '12.5', '100'])
  })
})
