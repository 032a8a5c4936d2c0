import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { emptySignatureField, makePdf } from '../testing/documents.ts'
import type { Addition, ValidationReport } from './report.ts'
import { appendUpdate, HONEST_TRAILER, objectText, streamBody, type UpdateParts } from './testing/attack.ts'
import { appendPacked } from './testing/append-packed.ts'
import { makeWorld, type World } from './testing/world.ts'

const kindsOf = ({ signatures }: ValidationReport): Addition['kind'][] =>
  (signatures[0]?.additions ?? []).map(({ kind }) => kind)

const reasons = ({ findings, signatures, timestamps }: ValidationReport) =>
  [...findings, ...[...signatures, ...timestamps].flatMap((one) => one.findings)]
    .map(({ message }) => message)
    .join(' ')

/** A signed and archived document whose objects have known numbers. */
interface Archived {
  readonly pdf: Buffer
  readonly catalog: string
  readonly store: { readonly number: number; readonly text: string }
  readonly certificate: string
}

type Change = (archived: Archived) => UpdateParts

const inCatalog =
  (entry: string, objects: Record<number, string> = {}): Change =>
  ({ catalog }) => ({ objects: { ...objects, 1: `${catalog.slice(0, -2)} ${entry} >>` } })

const catalogWith =
  (from: string | RegExp, to: string): Change =>
  ({ catalog }) => ({ objects: { 1: catalog.replace(from, to) } })

const storeWith =
  (edit: (text: string) => string): Change =>
  ({ store, certificate }) => ({ objects: { [store.number]: edit(store.text), 500: streamBody(certificate) } })

const HONEST: Record<string, [Addition['kind'], Change]> = {
  'a certificate joins the store': [
    'validation-data',
    storeWith((text) => text.replace(/(\/Certs \[[^\]]*)/, '$1 500 0 R')),
  ],
  'the store gets an index': [
    'validation-data',
    storeWith((text) => `${text.slice(0, -2)} /VRI << /${'AB'.repeat(20)} << /Cert [500 0 R] >> >> >>`),
  ],
  'a further extension is named': [
    'extensions',
    catalogWith('/ESIC', '/ADBE << /BaseVersion /1.7 /ExtensionLevel 8 >> /ESIC'),
  ],
  'metadata arrives': [
    'metadata',
    inCatalog('/Metadata 501 0 R', { 501: streamBody('<x/>', '/Type /Metadata /Subtype /XML') }),
  ],
  'the date of change is told': [
    'metadata',
    () => ({ objects: { 3: '<< /Title (A test) /Producer (x) /ModDate (D:2026) >>' } }),
  ],
}

const DISHONEST: Record<string, Change> = {
  'a certificate leaves the store': storeWith((text) => text.replace(/(\/Certs \[\s*)\d+ 0 R/, '$1')),
  'the store is turned round': storeWith((text) =>
    text.replace(/(\/Certs \[)([^\]]*)/, (_, key: string, list: string) => {
      const refs = list.match(/\d+ 0 R/g) ?? []
      return key + refs.reverse().join(' ')
    }),
  ),
  'the store loses its answers': storeWith((text) => text.replace(/\/OCSPs \[[^\]]*\]/, '')),
  'the store is gone': catalogWith(/\/DSS \d+ 0 R/, ''),
  'the store holds a picture': ({ store }) => ({
    objects: {
      [store.number]: store.text.replace(/(\/Certs \[[^\]]*)/, '$1 500 0 R'),
      500: streamBody('0 g', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'),
    },
  }),
  'the index of the store holds something else': storeWith(
    (text) => `${text.slice(0, -2)} /VRI << /F1 << /Subtype /Type3 >> >> >>`,
  ),
  'an extension is dropped': catalogWith(/\/Extensions <<[\s\S]*?>>\s*>>/, '/Extensions << >>'),
  'an extension that does something': catalogWith('/ESIC', '/ADBE << /S /JavaScript >> /ESIC'),
  'another title': () => ({ objects: { 3: '<< /Title (Another) /Producer (countersign tests) >>' } }),
  'an earlier version': inCatalog('/Version /0.9'),
  'fields are to be drawn anew': catalogWith('/SigFlags 3', '/SigFlags 3 /NeedAppearances true'),
  'signatures are no longer announced': catalogWith('/SigFlags 3', '/SigFlags 0'),
  'a field leaves the form': catalogWith(/(\/Fields \[\s*)\d+ 0 R/, '$1'),
  'a new field with an action': ({ catalog }) => ({
    objects: {
      1: catalog.replace(/(\/Fields \[)([^\]]*)/, '$1$2 500 0 R'),
      500: '<< /FT /Sig /T (New) /A << /S /URI /URI (x) >> /Rect [0 0 0 0] >>',
    },
  }),
  'a new text field': ({ catalog }) => ({
    objects: {
      1: catalog.replace(/(\/Fields \[)([^\]]*)/, '$1$2 500 0 R'),
      500: '<< /FT /Tx /T (New) /V (x) /Rect [0 0 0 0] >>',
    },
  }),
  'permissions are added': inCatalog('/Perms << /DocMDP 10 0 R >>'),
  'another document by its name': () => ({ objects: {}, trailer: HONEST_TRAILER.replace('00112233', '99999999') }),
}

describe('later revisions', () => {
  let world: World
  let archived: Archived
  before(async () => {
    world = await makeWorld()
    const shape = { fields: [emptySignatureField('Other')], acroForm: 'direct' as const }
    const pdf = await world.sign(makePdf(shape), { signer: await world.signatory() })
    const catalog = objectText(pdf, 1)
    const number = Number(/\/DSS (\d+) 0 R/.exec(catalog)?.[1])
    const certificate = world.issuing.certificate.toString('latin1')
    archived = { pdf, catalog, store: { number, text: objectText(pdf, number) }, certificate }
  })

  for (const [name, [kind, change]] of Object.entries(HONEST)) {
    test(`explained: ${name}`, async () => {
      const report = await world.validate(appendUpdate(archived.pdf, change(archived)))
      assert.equal(report.verdict, 'valid', reasons(report))
      assert(kindsOf(report).includes(kind))
    })
  }

  for (const [name, change] of Object.entries(DISHONEST)) {
    test(`unexplained: ${name}`, async () => {
      const parts = change(archived)
      const changed = Object.entries(parts.objects ?? {})
      for (const [number, text] of changed)
        assert.notEqual(text, objectText(archived.pdf, Number(number)), 'it changes')
      const report = await world.validate(appendUpdate(archived.pdf, parts))
      assert.equal(report.verdict, 'invalid')
      assert.equal(report.signatures[0]?.changedAfterwards, 'unexplained')
    })
  }

  describe('in object streams', () => {
    const dated = '<< /Title (A test) /Producer (x) /ModDate (D:2026) >>'
    let pdf: Buffer
    before(async () => {
      pdf = await world.sign(makePdf({ xref: 'stream' }), { signer: await world.signatory() })
    })

    test('the same rules hold', async () => {
      const honest = await world.validate(appendPacked(pdf, { 3: dated }))
      assert.equal(honest.verdict, 'valid', reasons(honest))
      const turned = `${objectText(pdf, 20).slice(0, -2)} /Rotate 180 >>`
      assert.equal((await world.validate(appendPacked(pdf, { 3: dated, 20: turned }))).verdict, 'invalid')
    })

    test('an object that the cross-reference does not name may not hide there', async () => {
      const hiding = appendPacked(pdf, { 3: dated, 20: '<< /Type /Page >>' }, [3])
      assert.equal((await world.validate(hiding)).verdict, 'invalid')
    })
  })
})
