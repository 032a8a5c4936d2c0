// Universal signature forgery: break the signature's own dictionary so that a careless validator has nothing to check.
import { assembleCms, cmsTemplate } from '#pki/cms.ts'
import { parseSignedData } from '#pki/cms-reader.ts'
import { makePdf } from '../../testing/documents.ts'
import { findSignature, objectText, rewriteSignature, type Attack, type Scene } from './attack.ts'

const CONTENTS = /\/Contents <[0-9a-f]*>/
const RANGE = /\/ByteRange \[[\d ]*\] */

const replace = (pattern: RegExp, replacement: string) => (dictionary: string) =>
  dictionary.replace(pattern, () => replacement)

/** Fills up with spaces, so that the byte range still fits. */
const keepingPlace = (pattern: RegExp, replacement: string) => (dictionary: string) =>
  dictionary.replace(pattern, (found) => replacement.padEnd(found.length))

const EDITS: Record<string, (dictionary: string) => string> = {
  'no contents': replace(CONTENTS, ''),
  'contents are null': replace(CONTENTS, '/Contents null'),
  'contents are empty': replace(CONTENTS, '/Contents <>'),
  'contents are an empty text': replace(CONTENTS, '/Contents ()'),
  'contents are zeros': (dictionary) => dictionary.replace(/[0-9a-f]{100,}/, (hex) => '0'.repeat(hex.length)),
  'contents are a number': replace(CONTENTS, '/Contents 0'),
  'contents are cut short': (dictionary) => dictionary.replace(/<([0-9a-f]{1000})[0-9a-f]*>/, '<$1>'),
  'contents have half a byte': (dictionary) => dictionary.replace(/<([0-9a-f]{100,})>/, '<$10>'),
  'contents are not hexadecimal': (dictionary) => dictionary.replace(/<([0-9a-f]{100,})0>/, '<$1x>'),
  'contents stand elsewhere': replace(CONTENTS, '/Contents 4 0 R'),
  'contents come twice': (dictionary) => dictionary.replace(/ >>$/, ' /Contents <00> >>'),
  'no byte range': replace(RANGE, ''),
  'byte range is null': replace(RANGE, '/ByteRange null '),
  'byte range is empty': replace(RANGE, '/ByteRange [] '),
  'byte range of three numbers': replace(RANGE, '/ByteRange [0 100 200] '),
  'byte range of six numbers': (dictionary) => dictionary.replace(/(\/ByteRange \[[\d ]*)\]/, '$1 0 0]'),
  'byte range is negative': replace(RANGE, '/ByteRange [0 -1 100 200] '),
  'byte range is larger than the file': replace(RANGE, '/ByteRange [0 99999999 99999999 99999999] '),
  'byte range overlaps itself': replace(RANGE, '/ByteRange [0 1000 0 1000] '),
  'byte range begins later': (dictionary) => dictionary.replace('/ByteRange [0 ', '/ByteRange [1 '),
  'byte range of texts': replace(RANGE, '/ByteRange [(0) (1) (2) (3)] '),
  'byte range comes twice': (dictionary) => dictionary.replace(/ >>$/, ' /ByteRange [0 0 0 0] >>'),
  'no sub-filter': keepingPlace(/\/SubFilter \/[\w.]+/, ''),
  'another sub-filter': keepingPlace(/\/SubFilter \/[\w.]+/, '/SubFilter /adbe.x509.rsa'),
  'no filter': keepingPlace(/\/Filter \/[\w.]+/, ''),
  'another type': replace(/\/Type \/Sig/, '/Type /Obj'),
  'an empty dictionary': () => '<< >>',
}

/** Signed files with a broken signature dictionary. */
export async function universalForgeries({ world }: Scene): Promise<Attack[]> {
  const signer = await world.signatory()
  const twin = await world.sign(makePdf(), { signer, level: 'B-T' })
  const edited = Object.entries(EDITS).map(([name, edit]) => ({ name, attack: rewriteSignature(twin, edit), twin }))
  const { start, end, number } = findSignature(twin)
  const cms = parseSignedData(Buffer.from(twin.toString('latin1', start + 1, end - 1), 'hex'))
  const { signedAttributes, signature } = cms.signer
  const bare = assembleCms({ ...cmsTemplate(signer), certificates: Buffer.alloc(0) }, { signedAttributes, signature })
  const field = `/V ${number} 0 R`
  return [
    ...edited,
    { name: 'no certificate', attack: withContents(twin, bare), twin },
    { name: 'the field lets go of its signature', attack: patch(twin, field, ' '.repeat(field.length)), twin },
    { name: 'the field is no signature field', attack: patch(twin, '/FT /Sig', '/FT /Btn'), twin },
    {
      name: 'the field points to nothing',
      attack: patch(twin, field, `/V 1${' '.repeat(field.length - 8)} 0 R`),
      twin,
    },
    { name: 'the dictionary is padded', attack: patch(twin, '/Type /Sig', '/Typo /Sig'), twin },
    { name: 'the page is changed', attack: patch(twin, objectText(twin, 4).slice(-30, -11), 'x'.repeat(19)), twin },
  ]
}

/** Replaces text by as much other text, so that nothing moves. */
function patch(pdf: Buffer, from: string, to: string): Buffer {
  const text = pdf.toString('latin1')
  const at = text.lastIndexOf(from)
  if (at < 0 || from.length !== to.length) throw new Error(`“${from}” cannot be replaced by “${to}”.`)
  return Buffer.from(text.slice(0, at) + to + text.slice(at + from.length), 'latin1')
}

function withContents(pdf: Buffer, cms: Buffer): Buffer {
  const { start, end } = findSignature(pdf)
  const patched = Buffer.from(pdf)
  patched.write(cms.toString('hex').padEnd(end - start - 2, '0'), start + 1, 'latin1')
  return patched
}
