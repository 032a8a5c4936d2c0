import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPdf } from '../reader.ts'
import { appendRevision, EXTRA_OBJECT, makePdf } from '../testing/documents.ts'
import { textOf } from '../value.ts'
import { Effort } from './bounds.ts'
import { listFields, type FormField } from './fields.ts'
import { takeInventory } from './inventory.ts'
import { HONEST_TRAILER, startxrefOf, streamBody } from './testing/attack.ts'

const FIRST_FIELD = 50
const OTHER = { 3: '<< /Title (Another) >>' }
const ELSEWHERE = `${EXTRA_OBJECT} 0 R`

const text = (name: string) => `<< /FT /Tx /T (${name}) /V (${name}) >>`

/** The body of the object stream in which the fields stand. */
function containerOf(fields: string[]): string {
  const pdf = packed(fields).toString('latin1')
  return /\n95 0 obj\n(.*?)\nendobj/s.exec(pdf)![1]!
}
const packed = (fields: string[]) => makePdf({ xref: 'stream', objectStream: true, fields })

const documents: Record<string, { pdf: Buffer; changes: Record<number, string> }> = {
  'a field': { pdf: makePdf({ fields: [text('a'), text('b')] }), changes: { [FIRST_FIELD]: text('c') } },
  'the list of fields': {
    pdf: makePdf({ fields: [text('a'), text('b')] }),
    changes: { 7: `<< /Fields [${FIRST_FIELD + 1} 0 R] >>` },
  },
  'a name that stands elsewhere': {
    pdf: makePdf({ fields: [`<< /FT /Tx /T ${ELSEWHERE} >>`], extraObjects: ['(a)'] }),
    changes: { [EXTRA_OBJECT]: '(b)' },
  },
  'a type that stands elsewhere': {
    pdf: makePdf({ fields: [`<< /T (a) /FT ${ELSEWHERE} >>`], extraObjects: ['/Tx'] }),
    changes: { [EXTRA_OBJECT]: '/Sig' },
  },
  'a kid': {
    pdf: makePdf({ fields: [`<< /FT /Tx /T (a) /Kids [${ELSEWHERE}] >>`], extraObjects: ['<< /T (b) >>'] }),
    changes: { [EXTRA_OBJECT]: '<< /T (c) >>' },
  },
  'a kid of a kid': {
    pdf: makePdf({
      fields: [`<< /FT /Tx /T (a) /Kids [${ELSEWHERE}] >>`],
      extraObjects: [`<< /T (b) /Kids [${EXTRA_OBJECT + 1} 0 R] >>`, '<< /T (c) >>'],
    }),
    changes: { [EXTRA_OBJECT + 1]: '<< /T (d) >>' },
  },
  'a list of kids that stands elsewhere': {
    pdf: makePdf({
      fields: [`<< /FT /Tx /T (a) /Kids ${ELSEWHERE} >>`],
      extraObjects: [`[${EXTRA_OBJECT + 1} 0 R]`, '<< /T (b) >>', '<< /T (c) >>'],
    }),
    changes: { [EXTRA_OBJECT]: `[${EXTRA_OBJECT + 2} 0 R]` },
  },
  'a widget': {
    pdf: makePdf({ fields: [`<< /FT /Tx /T (a) /Kids [${ELSEWHERE}] >>`], extraObjects: ['<< /Subtype /Widget >>'] }),
    changes: { [EXTRA_OBJECT]: '<< /Subtype /Widget /T (b) >>' },
  },
  'the object stream in which a field stands': {
    pdf: packed([text('a'), text('b')]),
    changes: { 95: containerOf([text('a'), text('d')]) },
  },
}

const LENGTH = 602

/** A type that stands in an object stream whose length is an object of its own: it reads /Sig, or a word that goes on. */
function lengthElsewhere(): { pdf: Buffer; changes: Record<number, string> } {
  const pdf = makePdf({ xref: 'stream', fields: ['<< /T (a) /FT 60 0 R >>'] })
  const [data, end] = ['60 0 /Sig', 'endstream\nendobj\n']
  const dict = `<< /Type /ObjStm /N 1 /First 5 /Length ${LENGTH} 0 R >>`
  const container = `600 0 obj\n${dict}\nstream\n${data}${end}${end}`
  const length = `${LENGTH} 0 obj\n${data.length}\nendobj\n`
  const startxref = pdf.length + container.length + length.length
  const rows = [row(2, 600), row(1, pdf.length), row(1, startxref), row(1, pdf.length + container.length)]
  const entries = `/Type /XRef /W [1 4 1] /Index [60 1 600 3] /Size 603 /Prev ${startxrefOf(pdf)} ${HONEST_TRAILER}`
  const section = `601 0 obj\n${streamBody(rows.join(''), entries)}\nendobj\n`
  const appended = `${container}${length}${section}startxref\n${startxref}\n%%EOF\n`
  return {
    pdf: Buffer.concat([pdf, Buffer.from(appended, 'latin1')]),
    changes: { [LENGTH]: String(data.length + end.length) },
  }
}

function row(kind: number, place: number): string {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt8(kind, 0)
  bytes.writeUInt32BE(place, 1)
  return bytes.toString('latin1')
}

const tell = (fields: readonly FormField[]) =>
  fields.map(({ name, type, value }) => [name, type, value?.kind === 'string' ? textOf(value) : value?.kind])

/** The fields of each revision, read in the course of the revisions, and each time anew. */
async function readBoth(pdf: Buffer) {
  const { views } = await takeInventory(await openPdf(pdf))
  return {
    inTurn: await Promise.all(views.map(async (view) => tell(await view.fields()))),
    anew: await Promise.all(views.map(async ({ reader }) => tell(await listFields(reader, new Effort())))),
  }
}

describe('the fields of a form, revision by revision', () => {
  test('are those that a reader finds, also when an object stream gets another length', async () => {
    const { pdf, changes } = lengthElsewhere()
    const { inTurn, anew } = await readBoth(appendRevision(appendRevision(pdf, OTHER), changes))
    assert.deepEqual(inTurn, anew)
    const types = inTurn.map(([field]) => field?.[1])
    assert.deepEqual(types, [undefined, 'Sig', 'Sig', 'Sigendstream'])
  })

  for (const [what, { pdf, changes }] of Object.entries(documents)) {
    test(`are those that a reader finds, also when ${what} is replaced`, async () => {
      const changed = appendRevision(appendRevision(pdf, OTHER), changes)
      const { inTurn, anew } = await readBoth(appendRevision(changed, OTHER))
      assert.deepEqual(inTurn, anew)
      assert.deepEqual(inTurn[1], inTurn[0])
      assert.notDeepEqual(inTurn[2], inTurn[1])
      assert.deepEqual(inTurn[3], inTurn[2])
    })
  }

  test('are missing where the list points to another generation of them', async () => {
    const pdf = makePdf({ fields: [text('a')] })
    const { views } = await takeInventory(
      await openPdf(appendRevision(pdf, { 7: `<< /Fields [${FIRST_FIELD} 1 R] >>` })),
    )
    await assert.rejects(async () => views[1]!.fields(), /missing/)
  })

  test('are refused where one that is known stands below another as well', async () => {
    const kids = {
      7: `<< /Fields [${FIRST_FIELD} 0 R ${FIRST_FIELD + 1} 0 R] >>`,
      51: `<< /T (c) /Kids [${ELSEWHERE}] >>`,
    }
    const fields = [`<< /FT /Tx /T (a) /Kids [${ELSEWHERE}] >>`, text('b')]
    const pdf = appendRevision(makePdf({ fields, extraObjects: ['<< /T (d) >>'] }), kids)
    const { views } = await takeInventory(await openPdf(pdf))
    assert.equal((await views[0]!.fields()).length, 2)
    await assert.rejects(async () => views[1]!.fields(), /circle/)
  })

  test('cost little where they are as they were, wherever they stand', async () => {
    const kids = Array.from({ length: 40 }, (_, at) => `<< /T (${at}) /Parent ${FIRST_FIELD} 0 R >>`)
    const list = kids.map((_, at) => `${EXTRA_OBJECT + at} 0 R`).join(' ')
    const fields = [`<< /FT /Tx /T (a) /Kids [${list}] >>`]
    const pdf = appendRevision(makePdf({ xref: 'stream', objectStream: true, fields, extraObjects: kids }), OTHER)
    const { views } = await takeInventory(await openPdf(pdf))
    const before = { fields: await views[0]!.fields(), hasChanged: (number: number) => views[1]!.entries.has(number) }
    const effort = new Effort(100 / 2_500_000)
    assert.equal((await listFields(views[1]!.reader, effort, before)).length, 40)
  })

  test('are refused where one is listed twice', async () => {
    const twice = { 7: `<< /Fields [${FIRST_FIELD} 0 R ${FIRST_FIELD} 0 R] >>` }
    const { views } = await takeInventory(await openPdf(appendRevision(makePdf({ fields: [text('a')] }), twice)))
    await assert.rejects(async () => views[1]!.fields(), /circle/)
  })

  test('are read where those of the revision before can’t be', async () => {
    const broken = appendRevision(makePdf({ fields: [text('a')] }), { 7: '<< /Fields (none) >>' })
    const mended = appendRevision(broken, { 7: `<< /Fields [${FIRST_FIELD} 0 R] >>` })
    const { views } = await takeInventory(await openPdf(mended))
    await assert.rejects(async () => views[1]!.fields(), /malformed/)
    assert.deepEqual(tell(await views[2]!.fields()), [['a', 'Tx', 'a']])
  })
})
