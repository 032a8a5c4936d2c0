// Incremental saving: leave the signed bytes alone and append a revision that shows something else.
import { makePdf } from '../../testing/documents.ts'
import {
  appendUpdate,
  findSignature,
  HONEST_TRAILER,
  objectText,
  startxrefOf,
  streamBody,
  type Attack,
  type Scene,
} from './attack.ts'

const PAY = streamBody('BT /F1 12 Tf 40 700 Td (Pay one million) Tj ET')

const append = (pdf: Buffer, text: string) => Buffer.concat([pdf, Buffer.from(text, 'latin1')])
const tail = (startxref: number) => `startxref\n${startxref}\n%%EOF\n`

/** A signed file with an unsigned revision behind it, each made in another way. */
export async function incrementalSaves({ world }: Scene): Promise<Attack[]> {
  const signed = await world.sign(makePdf({ pages: 2 }), { signer: await world.signatory(), level: 'B-T' })
  const twin = appendUpdate(await world.archive(signed), { objects: { 3: objectText(signed, 3) } })
  const page = objectText(signed, 20)
  const update = (objects: Record<number, string>, trailer = HONEST_TRAILER) =>
    appendUpdate(signed, { objects, trailer })
  const { number } = findSignature(signed)
  const copied = `<< /FT /Sig /T (Copy) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] /F 132 /V ${number} 0 R >>`
  const object = `4 0 obj\n${PAY}\nendobj\n`
  const oldXref = startxrefOf(signed)
  const files: Record<string, Buffer> = {
    'new page content': update({ 4: PAY }),
    'a page with other content': update({ 500: PAY, 20: page.replace('/Contents 4 0 R', '/Contents 500 0 R') }),
    'a page of another size': update({ 20: page.replace('>>', '/MediaBox [0 0 10 10] >>') }),
    'a page turned round': update({ 20: `${page.slice(0, -2)} /Rotate 180 >>` }),
    'another page tree': update({ 2: '<< /Type /Pages /Kids [21 0 R] /Count 1 /MediaBox [0 0 595 842] >>' }),
    'another catalog': update(
      { 501: '<< /Type /Catalog /Pages 2 0 R >>' },
      HONEST_TRAILER.replace('/Root 1 0 R', '/Root 501 0 R'),
    ),
    'objects without cross-reference': append(signed, object),
    'objects and a trailer without cross-reference': append(signed, `${object}trailer\n<< ${HONEST_TRAILER} >>\n`),
    'objects and an old end': append(signed, object + tail(oldXref)),
    'objects, cross-reference, no trailer': append(
      signed,
      `${object}xref\n4 1\n${String(signed.length).padStart(10, '0')} 00000 n \n${tail(signed.length + object.length)}`,
    ),
    'a revision that forgets the ones before': Buffer.from(
      update({ 4: PAY }).toString('latin1').replace(`/Size 600 /Prev ${oldXref}`, '/Size 600'),
      'latin1',
    ),
    'a copied signature field': update({
      500: copied,
      1: objectText(signed, 1).replace(/\/Fields \[/, '/Fields [500 0 R '),
    }),
    'page content set free': appendUpdate(signed, { entries: { 4: 'free' } }),
    'bytes behind the end': append(signed, '% a remark\n'),
    'white space behind the end': append(signed, '   \n\n'),
    'a remark inside a revision': appendUpdate(append(signed, `% ${object.replaceAll('\n', ' ')}\n`), {
      objects: { 3: objectText(signed, 3) },
      prev: oldXref,
    }),
    'an object that nothing names': appendUpdate(append(signed, object), {
      objects: { 3: objectText(signed, 3) },
      prev: oldXref,
    }),
    'an action when it opens': update({
      1: withEntry(signed, '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    }),
    'scripts by name': update({ 1: withEntry(signed, '/Names << /JavaScript << /Names [] >> >>') }),
    'a remark laid over the page': update({
      500: '<< /Type /Annot /Subtype /FreeText /Rect [40 690 300 760] /Contents (Pay one million) /F 4 >>',
      20: page.replace(/\/Annots \[/, '/Annots [500 0 R '),
    }),
  }
  return Object.entries(files).map(([name, attack]) => ({ name, attack, twin }))
}

const withEntry = (pdf: Buffer, entry: string) => `${objectText(pdf, 1).slice(0, -2)} ${entry} >>`
