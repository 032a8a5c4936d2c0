// Attacks on certified documents: use what a certification allows to cover what was certified.
import type { RawSigner } from '#pki/raw-signer.ts'
import { emptySignatureField, makePdf } from '../../testing/documents.ts'
import { appendUpdate, objectText, signEdited, streamBody, type Attack, type Scene } from './attack.ts'
import { makeWorld, type World } from './world.ts'

const COVER = { x: 40, y: 80, width: 260, height: 70 }
const remark = '<< /Type /Annot /Subtype /FreeText /Rect [40 690 300 760] /Contents (Pay one million) /F 4 >>'
const amount = '<< /FT /Tx /T (Amount) /V (100) /Type /Annot /Subtype /Widget /Rect [40 690 300 760] /F 4 >>'

const annotated = (pdf: Buffer, annotation: string) =>
  appendUpdate(pdf, {
    objects: { 500: annotation, 20: objectText(pdf, 20).replace('/Annots [', '/Annots [500 0 R ') },
  })

const filled = (pdf: Buffer) => appendUpdate(pdf, { objects: { 51: objectText(pdf, 51).replace('(100)', '(120)') } })

/** Certified files with something laid over them, beside honest uses of the same permissions. */
export async function certificationAttacks({ world }: Scene): Promise<Attack[]> {
  const shape = { fields: [emptySignatureField('Second'), amount] }
  const certified = await certify(world, makePdf(shape), 2)
  const [nothing, annotations] = [await certify(world, makePdf(shape), 1), await certify(world, makePdf(shape), 3)]
  const second = await world.signatory('Ben')
  const sign = (pdf: Buffer, signer: RawSigner, field: Parameters<World['sign']>[1]['field']) =>
    world.sign(pdf, { signer, level: 'B-T', ...(field && { field }) })
  const entangled = await certify(world, drawingFromField(makePdf(shape)), 2)
  const stranger = await (await makeWorld()).signatory('Mallory')
  const inField = await sign(certified, second, 'Second')
  const invisible = await sign(certified, second, { name: 'Third' })
  const covering = { name: 'Cover', placement: COVER }
  return [
    { name: 'evil annotation at P=2', attack: annotated(certified, remark), twin: filled(certified) },
    { name: 'evil annotation at P=3', attack: annotated(annotations, remark), twin: filled(annotations) },
    { name: 'evil annotation at P=1', attack: annotated(nothing, remark), twin: nothing },
    {
      name: 'an annotation that calls itself a widget',
      attack: annotated(certified, '<< /Type /Annot /Subtype /Widget /Rect [40 690 300 760] /AP << /N 4 0 R >> >>'),
      twin: inField,
    },
    { name: 'sneaky signature at P=2', attack: await sign(certified, second, covering), twin: inField },
    { name: 'sneaky signature at P=3', attack: await sign(annotations, second, covering), twin: invisible },
    { name: 'sneaky signature by a stranger', attack: await sign(certified, stranger, covering), twin: invisible },
    {
      name: 'invisible signature by a stranger',
      attack: await sign(certified, stranger, { name: 'X' }),
      twin: invisible,
    },
    { name: 'filling in at P=1', attack: filled(nothing), twin: await world.archive(certified) },
    { name: 'a field moved while signing', attack: moved(inField), twin: inField },
    {
      name: 'filling in what nobody certified',
      attack: filled(await sign(makePdf(shape), second, 'Second')),
      twin: filled(certified),
    },
    {
      name: 'filling in what a signature locked',
      attack: filled(await sign(certified, second, { name: 'Lock', lock: { action: 'All' } })),
      twin: filled(await sign(certified, second, { name: 'Lock', lock: { action: 'Include', fields: ['Other'] } })),
    },
    { name: 'filling in a field that the page draws from', attack: drawnByPage(entangled), twin: filled(certified) },
    { name: 'filling in with a drawing of its own', attack: drawn(certified), twin: filled(certified) },
  ]
}

/** A page whose resources are the text field itself, so that its content could draw what the field names. */
const drawingFromField = (pdf: Buffer) =>
  appendUpdate(pdf, {
    objects: {
      4: streamBody('/AP Do'),
      20: objectText(pdf, 20).replace('/Resources << >>', '/Resources << /XObject 51 0 R >>'),
    },
  })

const drawnByPage = (pdf: Buffer) =>
  appendUpdate(pdf, {
    objects: {
      500: streamBody('0 g 0 0 600 900 re f', '/Type /XObject /Subtype /Form /BBox [0 0 600 900]'),
      51: objectText(pdf, 51).replace('>>', '/AP 500 0 R >>'),
    },
  })

/** A widget drawn from the page's own content stream, which is written anew. */
const drawn = (pdf: Buffer) =>
  appendUpdate(pdf, {
    objects: { 4: streamBody('0 g 0 0 600 900 re f'), 51: objectText(pdf, 51).replace('>>', '/AP << /N 4 0 R >> >>') },
  })

const moved = (pdf: Buffer) =>
  appendUpdate(pdf, { objects: { 50: objectText(pdf, 50).replace('[100 100 300 160]', '[0 0 600 900]') } })

/** Certifies at a level that our own signer does not offer. */
async function certify(world: World, pdf: Buffer, level: 1 | 2 | 3): Promise<Buffer> {
  const edit = (appended: string) => appended.replace('/P 2', `/P ${level}`)
  const signer = await world.signatory('Anna')
  return signEdited(world, pdf, { signer, edit, field: { name: 'Certified' }, certify: true })
}
