import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readForm } from './form.ts'
import { openPdf } from './reader.ts'
import { PdfRefused } from './refused.ts'
import { signPdf } from './sign.ts'
import { bufferSource } from './source.ts'
import { makeTestAuthority, TEST_TIME } from './testing/authority.ts'
import { emptySignatureField, makePdf } from './testing/documents.ts'
import { checkSignatures } from './testing/signature-check.ts'

const WIDGET = '<< /Type /Annot /Subtype /Widget /Rect [10 10 110 60] /Parent 50 0 R /P 20 0 R /F 4 >>'

describe('the form of a document', () => {
  test('names are joined along the tree, and the type may be inherited', async () => {
    const fields = ['<< /T (Contract) /FT /Sig /Kids [100 0 R 101 0 R] >>', '<< /T (Notes) /FT /Tx >>']
    const extraObjects = [
      '<< /T (Buyer) /Parent 50 0 R >>',
      '<< /T (Seller) /Parent 50 0 R /V 102 0 R >>',
      '<< /Type /Sig >>',
    ]
    const form = await readForm(await openPdf(makePdf({ fields, extraObjects })))
    assert.deepEqual([...form.names], ['Contract.Buyer', 'Contract.Seller', 'Notes'])
    assert.deepEqual(
      form.signatureFields.map(({ name, signature }) => [name, signature !== undefined]),
      [
        ['Contract.Buyer', false],
        ['Contract.Seller', true],
      ],
    )
  })

  test('a field whose widget is an object of its own is signed and shown', async () => {
    const pdf = makePdf({ fields: ['<< /T (Apart) /FT /Sig /Kids [100 0 R] >>'], extraObjects: [WIDGET] })
    const { signer } = await makeTestAuthority()
    const options = { signer, level: 'B-B', time: TEST_TIME, field: 'Apart', appearance: { lines: ['Anna'] } } as const
    const result = Buffer.concat([pdf, ...(await signPdf(bufferSource(pdf), options))])
    assert.equal(checkSignatures(result)[0]?.coversWholeFile, true)
    const [field] = (await readForm(await openPdf(result))).signatureFields
    assert(field?.signature)
    assert.equal(field.dict.entries.has('AP'), false)
    assert.equal(field.widgets[0]?.dict.entries.has('AP'), true)
  })

  const broken: [string, string[], string[]][] = [
    ['two signature fields of one name', [emptySignatureField('A'), emptySignatureField('A')], []],
    ['fields in a circle', ['<< /T (A) /Kids [100 0 R] >>'], ['<< /T (B) /Kids [50 0 R] >>']],
  ]
  for (const [name, fields, extraObjects] of broken) {
    test(`${name} are refused`, async () => {
      const reader = await openPdf(makePdf({ fields, extraObjects }))
      await assert.rejects(readForm(reader), (error) => error instanceof PdfRefused && error.reason === 'damaged')
    })
  }
})
