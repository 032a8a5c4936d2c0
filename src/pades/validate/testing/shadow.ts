// Shadow attacks: prepare a document before it is signed, so that a small change afterwards shows another one.
import { emptySignatureField, EXTRA_OBJECT, makePdf, type DocumentShape } from '../../testing/documents.ts'
import {
  appendUpdate,
  HONEST_TRAILER,
  objectText,
  signEdited,
  streamBody,
  type Attack,
  type Scene,
  type UpdateParts,
} from './attack.ts'
import type { World } from './world.ts'

const at = (index: number) => EXTRA_OBJECT + index
const overlay = '<< /Type /Annot /Subtype /Stamp /Rect [40 690 300 760] /F 4 /AP << /N 101 0 R >> >>'
const picture = streamBody('1 g 0 0 260 70 re f', '/Type /XObject /Subtype /Form /BBox [0 0 260 70]')
const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const certificate = streamBody('x')

interface Shadow {
  readonly shape: DocumentShape
  readonly update: (signed: Buffer) => UpdateParts
}

const changeText = (signed: Buffer, number: number, from: string | RegExp, to: string) => ({
  [number]: objectText(signed, number).replace(from, to),
})

const textField =
  '<< /FT /Tx /T (Amount) /V (100) /Type /Annot /Subtype /Widget /Rect [40 690 300 760] /F 4 /AP << /N 100 0 R >> >>'

const SHADOWS: Record<string, Shadow> = {
  'hide: the cover is taken away': {
    shape: { pageEntries: '/Annots [100 0 R]', extraObjects: [overlay, picture] },
    update: () => ({ entries: { [at(0)]: 'free' } }),
  },
  'hide: the cover becomes empty': {
    shape: { pageEntries: '/Annots [100 0 R]', extraObjects: [overlay, picture] },
    update: () => ({ objects: { [at(1)]: streamBody('', '/Type /XObject /Subtype /Form /BBox [0 0 1 1]') } }),
  },
  'hide: the cover is flagged away': {
    shape: { pageEntries: '/Annots [100 0 R]', extraObjects: [overlay, picture] },
    update: (signed) => ({ objects: changeText(signed, at(0), '/F 4', '/F 2') }),
  },
  'replace: another font': {
    shape: { pageEntries: '/UserUnit 1', extraObjects: [font], content: 'BT /F1 12 Tf (100) Tj ET' },
    update: () => ({ objects: { [at(0)]: font.replace('Helvetica', 'Other') } }),
  },
  'replace: a field shows another value': {
    shape: { fields: [textField], extraObjects: [picture] },
    update: (signed) => ({
      objects: { 500: picture, ...changeText(signed, 50, '(100)', '(100000)') },
    }),
  },
  'replace: a field draws itself anew': {
    shape: { fields: [textField], extraObjects: [picture] },
    update: () => ({
      objects: { [at(0)]: streamBody('0 g 0 0 9 9 re f', '/Type /XObject /Subtype /Form /BBox [0 0 9 9]') },
    }),
  },
  'replace: another layer is switched on': {
    shape: {
      catalogEntries: '/OCProperties << /OCGs [100 0 R 101 0 R] /D 102 0 R >>',
      extraObjects: ['<< /Type /OCG /Name (A) >>', '<< /Type /OCG /Name (B) >>', '<< /ON [100 0 R] /OFF [101 0 R] >>'],
    },
    update: () => ({ objects: { [at(2)]: '<< /ON [101 0 R] /OFF [100 0 R] >>' } }),
  },
  'hide and replace: the cross-reference points to a hidden object': {
    shape: { extraObjects: [streamBody(`4 0 obj\n${streamBody('0 g 0 0 600 900 re f')}\nendobj`)] },
    update: (signed) => ({ entries: { 4: signed.toString('latin1').lastIndexOf('4 0 obj\n<< /Length 20') } }),
  },
  'hide and replace: other pages come up': {
    shape: {
      pages: 2,
      extraObjects: ['<< /Type /Pages /Kids [21 0 R] /Count 1 /MediaBox [0 0 595 842] >>'],
    },
    update: (signed) => ({ objects: changeText(signed, 1, '/Pages 2 0 R', '/Pages 100 0 R') }),
  },
  'hide and replace: layers pose as metadata': {
    shape: {
      catalogEntries: '/OCProperties 100 0 R',
      extraObjects: ['<< /OCGs [101 0 R] /D << /ON [101 0 R] >> >>', '<< /Type /OCG /Name (A) >>'],
    },
    update: (signed) => ({
      objects: {
        ...changeText(signed, 1, '/OCProperties', '/Metadata 100 0 R /OCProperties'),
        [at(0)]: streamBody('', '/OCGs [101 0 R] /D << /OFF [101 0 R] >>'),
      },
    }),
  },
  'hide and replace: content that was missing arrives as validation data': {
    shape: {
      pageEntries: '',
      extraObjects: ['<< /Type /DSS /Certs [] >>'],
      catalogEntries: '/DSS 100 0 R',
      content: '',
    },
    update: () => ({ objects: { [at(0)]: '<< /Type /DSS /Certs [450 0 R] >>', 450: certificate } }),
  },
  'hide and replace: page content and validation data share a list': {
    shape: { extraObjects: ['<< /Type /DSS /Certs 101 0 R >>', '[]'], catalogEntries: '/DSS 100 0 R' },
    update: () => ({ objects: { [at(1)]: '[500 0 R]', 500: certificate } }),
  },
}

/** The two that work by what a page draws need a page that draws it. */
const CONTENTS: Record<string, string> = {
  'hide and replace: content that was missing arrives as validation data': '/Contents [4 0 R 450 0 R]',
  'hide and replace: page content and validation data share a list': '/Contents 101 0 R',
}

const makeShadow = (name: string, shape: DocumentShape): Buffer => {
  const pdf = makePdf(shape)
  const contents = CONTENTS[name]
  return contents === undefined ? pdf : widened(pdf, contents)
}

/** Gives the page other content by a revision of its own, before anybody signs. */
const widened = (pdf: Buffer, contents: string) =>
  appendUpdate(pdf, {
    objects: { 20: objectText(pdf, 20).replace('/Contents 4 0 R', contents) },
    trailer: HONEST_TRAILER,
  })

/** Prepared documents, signed, then switched. */
export async function shadows({ world }: Scene): Promise<Attack[]> {
  const attacks: Attack[] = []
  for (const [name, { shape, update }] of Object.entries(SHADOWS)) {
    const signer = await world.signatory()
    const signed = await world.sign(makeShadow(name, shape), { signer, level: 'B-T' })
    attacks.push({ name, attack: appendUpdate(signed, update(signed)), twin: signed })
  }
  return [...attacks, ...(await bySecondSigner(world))]
}

const second = emptySignatureField('Second')

/** The second of two signatories covers what the first has signed, with a signature that is in order itself. */
async function bySecondSigner(world: World): Promise<Attack[]> {
  const [first, other] = [await world.signatory('Anna'), await world.signatory('Ben')]
  const start = (pdf: Buffer) => world.sign(pdf, { signer: first, level: 'B-T' })
  const finish = (pdf: Buffer, more: object) =>
    world.sign(pdf, { signer: other, level: 'B-T', field: 'Second', ...more })
  const fontPage = makePdf({ fields: [second], content: 'BT /V 12 Tf (100) Tj ET' })
  const asFont = appendUpdate(fontPage, {
    objects: { 20: objectText(fontPage, 20).replace('/Resources << >>', '/Resources << /Font 50 0 R >>') },
  })
  const prepared = await start(asFont)
  const glyphs = '/Subtype /Type3 /CharProcs << /one 4 0 R >>'
  const reason = 'x'.repeat(glyphs.length - '/Reason ()'.length)
  const edit = (appended: string) => appended.replace(`/Reason (${reason})`, glyphs)
  const plain = await start(makePdf({ fields: [second] }))
  // Our own signer shows nothing in a field that large; the room is for an appearance that is written by hand.
  const cover = '/AP << /N 4 0 R >>'
  const page = `[0 0 595 842] ${' '.repeat(cover.length)}`
  const large = await start(makePdf({ fields: [emptySignatureField('Second', page)] }))
  const show = (appended: string) => appended.replace(page, `[0 0 595 842] ${cover}`)
  const appearance = { lines: ['Ben'] }
  const honest = await finish(plain, { appearance })
  return [
    {
      name: 'replace: the signature serves as a font',
      attack: await signEdited(world, prepared, { signer: other, field: 'Second', reason, edit }),
      twin: await finish(plain, { reason }),
    },
    { name: 'replace: the page takes a field for its fonts', attack: await finish(prepared, { reason }), twin: honest },
    {
      name: 'replace: a signature field as large as the page',
      attack: await signEdited(world, large, { signer: other, field: 'Second', edit: show }),
      twin: honest,
    },
    {
      name: 'replace: a new signature field over the page',
      attack: await finish(plain, {
        field: { name: 'New', placement: { x: 40, y: 80, width: 260, height: 70 } },
        appearance,
      }),
      twin: await finish(plain, { field: { name: 'New' } }),
    },
  ]
}
