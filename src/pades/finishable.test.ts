import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSignatureFields } from './fields.ts'
import { requireFinishable, type DocumentLoad } from './finishable.ts'
import { checkPdf } from './intake.ts'
import { bufferSource } from './source.ts'
import { appendRevision, EXTRA_OBJECT, makePdf } from './testing/documents.ts'
import { packedForm } from './validate/testing/hostile.ts'
import { makeWorld } from './validate/testing/world.ts'

const check = (pdf: Buffer, signatories: number) => checkPdf(bufferSource(pdf), { signatories })

function savedOften(times: number, { objects }: { objects: number }): Buffer {
  const bodies = Array.from({ length: objects }, (_, at): [number, string] => [EXTRA_OBJECT + at, '0'])
  const saves = Array.from({ length: times })
  return saves.reduce<Buffer>((pdf) => appendRevision(pdf, Object.fromEntries(bodies)), makePdf())
}

/** Each save writes the entry of the form's list below which most of its fields stand. */
function savedForm(): Buffer {
  const kids = Array.from({ length: 400 }, (_, at) => `<< /T (${at}) /Parent 50 0 R >>`)
  const list = kids.map((_, at) => `${EXTRA_OBJECT + at} 0 R`).join(' ')
  const parent = `<< /FT /Tx /T (form) /Kids [${list}] >>`
  let pdf = makePdf({ fields: [parent], extraObjects: kids })
  for (let times = 0; times < 470; times++) pdf = appendRevision(pdf, { 50: parent })
  return pdf
}

/** Everybody signs and is stamped, then the seal, then renewals for decades. */
async function finish(document: Buffer, people: number) {
  const world = await makeWorld()
  const fields = Array.from({ length: people }, (_, at) => ({ name: `S${at}` }))
  let pdf: Buffer = Buffer.concat([document, await createSignatureFields(bufferSource(document), fields)])
  for (const { name } of fields) pdf = await world.sign(pdf, { signer: await world.signatory(name), field: name })
  pdf = await world.sign(pdf, { signer: await world.seal(), field: { name: 'Seal' } })
  for (let times = 0; times < 10; times++) pdf = await world.archive(pdf)
  return world.validate(pdf)
}

describe('what is accepted can be finished', () => {
  test('a document whose earlier saves are too much to read is refused before anybody signs', async () => {
    await assert.rejects(check(savedOften(31, { objects: 5_000 }), 1), { reason: 'too-complex' })
  })

  const heavy: [what: string, pdf: Buffer][] = [
    ['a document saved often', savedOften(480, { objects: 1 })],
    ['a form saved often', savedForm()],
    ['a document with a long first page', makePdf({ pageEntries: `/Long (${'x'.repeat(300_000)})` })],
  ]
  for (const [what, pdf] of heavy) {
    test(`${what} says how many can sign it, and so many can`, async (t) => {
      const error = await check(pdf, 100).catch((refusal: Error) => refusal)
      const most = Number(/at most (\d+) can sign it/.exec((error as Error).message)?.[1])
      t.diagnostic(`${most} people`)
      assert(most > 0, (error as Error).message)
      assert(!(await check(pdf, most)).needsNormalising)
      const { verdict, findings } = await finish(pdf, most)
      assert.equal(verdict, 'valid', JSON.stringify(findings))
    })
  }

  test('an ordinary document is accepted for as many as a request may have', async () => {
    assert(!(await check(makePdf({ pages: 50 }), 100)).needsNormalising)
    assert(!(await check(packedForm(130), 100)).needsNormalising)
  })

  const ordinary: DocumentLoad = {
    sizeBytes: 100_000,
    sections: 1,
    signatures: 0,
    fields: 0,
    effort: 1_000,
    parsedBytes: 10_000,
    inflatedBytes: 10_000,
    rewritten: { values: 30, bytes: 500 },
  }
  const MB = 1024 * 1024

  // Each is the only thing about it that is large, and is allowed to the one and not to the other.
  const loads: [what: string, load: Partial<DocumentLoad>, allowed: number, refused: number][] = [
    ['signatures', { signatures: 202 }, 18, 19],
    ['saves', { sections: 300 }, 93, 94],
    ['objects', { effort: 1_500_000 }, 80, 100],
    ['bytes to read', { parsedBytes: 30 * MB }, 50, 80],
    ['bytes', { sizeBytes: 500 * MB }, 15, 20],
    ['fields', { fields: 2_000, rewritten: { values: 4_100, bytes: 40_000 } }, 70, 90],
  ]
  for (const [what, load, allowed, refused] of loads) {
    test(`${what}: ${allowed} people can sign, ${refused} can’t`, () => {
      requireFinishable({ ...ordinary, ...load }, allowed)
      assert.throws(() => requireFinishable({ ...ordinary, ...load }, refused), /no longer be checked; at most \d+ can/)
    })
  }

  test('what unpacks to more than can be unpacked twice is refused for everybody', () => {
    assert.throws(() => requireFinishable({ ...ordinary, inflatedBytes: 33 * MB }, 1), /print it to a new PDF/)
  })
})
