import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createSignatureFields } from '../fields.ts'
import type { Level } from '../sign.ts'
import { bufferSource } from '../source.ts'
import { emptySignatureField, makePdf, type DocumentShape } from '../testing/documents.ts'
import type { ValidationData } from '../validation-data.ts'
import type { ValidationReport } from './report.ts'
import { DAY_MS, makeWorld, YEAR_MS, type World } from './testing/world.ts'

const LEVELS: Level[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']

const SHAPES: Record<string, DocumentShape> = {
  'a table': {},
  'PDF 1.3': { version: '1.3' },
  'PDF 2.0': { version: '2.0' },
  'a cross-reference stream': { xref: 'stream', version: '1.5' },
  'object streams': { xref: 'stream', objectStream: true },
  'a direct form': { acroForm: 'direct' },
  'an indirect form': { acroForm: 'indirect' },
  'arrays of their own': { fields: [emptySignatureField('Other')], indirectArrays: true },
  'a form in an object stream': { fields: [emptySignatureField('Other')], xref: 'stream', objectStream: true },
  'CR LF': { eol: '\r\n' },
}

/** What is wrong with a file, in one line; empty for a valid one. */
function complaints({ verdict, findings, signatures, timestamps }: ValidationReport): string {
  const all = [...findings, ...[...signatures, ...timestamps].flatMap((one) => one.findings)]
  const told = all.filter(({ weight }) => weight !== 'note').map(({ message }) => message)
  return verdict === 'valid' && told.length === 0 ? '' : `${verdict}: ${told.join(' ')}`
}

describe('validation of honest files', () => {
  let world: World
  before(async () => {
    world = await makeWorld()
  })

  for (const level of LEVELS) {
    test(`a file signed at ${level} is valid, and named so`, async () => {
      const signer = await world.signatory()
      const pdf = await world.sign(makePdf(), { signer, level })
      const { ocsps } = await world.validationData(signer)
      const report = await world.validate(pdf, level === 'B-LTA' ? {} : { revocation: { ocsps } })
      assert.equal(complaints(report), '')
      assert.equal(report.signatures[0]?.level, level)
      assert.equal(report.signatures[0]?.subject, 'Anna Müller')
    })
  }

  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${name}: B-LTA is valid`, async () => {
      const report = await world.validate(await world.sign(makePdf(shape), { signer: await world.signatory() }))
      assert.equal(complaints(report), '')
      assert.equal(report.signatures[0]?.level, 'B-LTA')
    })
  }

  test('three signatories a week apart, a seal and an archive timestamp are valid six years on', async () => {
    const scene = await makeWorld()
    let pdf = makePdf({ pages: 2 })
    const names = ['Anna', 'Ben', 'Cem']
    const fields = names.map((name, index) => ({
      name,
      placement: { x: 50, y: 50 + index * 80, width: 200, height: 60 },
    }))
    pdf = Buffer.concat([pdf, await createSignatureFields(bufferSource(pdf), fields)])
    const collected: ValidationData[] = []
    for (const name of names) {
      const signer = await scene.signatory(name)
      pdf = await scene.sign(pdf, { signer, level: 'B-T', field: name })
      collected.push(await scene.validationData(signer))
      scene.now = new Date(scene.now.getTime() + 7 * DAY_MS)
    }
    const seal = await scene.seal()
    pdf = await scene.sign(pdf, { signer: seal, level: 'B-T', field: { name: 'Seal', lock: { action: 'All' } } })
    pdf = await scene.archive(pdf, ...collected, await scene.validationData(seal))
    scene.now = new Date(scene.now.getTime() + 6 * YEAR_MS)
    const report = await scene.validate(pdf)
    assert.equal(complaints(report), '')
    assert.deepEqual(
      report.signatures.map(({ subject, level, changedAfterwards }) => [subject, level, changedAfterwards]),
      [
        ['Anna', 'B-LTA', 'explained'],
        ['Ben', 'B-LTA', 'explained'],
        ['Cem', 'B-LTA', 'explained'],
        ['Contracts', 'B-LTA', 'explained'],
      ],
    )
    const renewed = await scene.archive(pdf)
    scene.now = new Date(scene.now.getTime() + 2 * YEAR_MS)
    assert.equal(complaints(await scene.validate(renewed)), '')
  })
})
