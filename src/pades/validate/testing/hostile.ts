// Files made to keep a validator busy: each stays below all but one bound and asks for as much work as that allows.
import { generateKeyPairSync } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { parseCertificate } from '#pki/certificate.ts'
import { issueCertificate, issuerFrom } from '#pki/issue-certificate.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { appendRevision, EXTRA_OBJECT, makePdf, stream } from '../../testing/documents.ts'
import { DAY_MS, type World } from './world.ts'

export interface HostileFile {
  readonly name: string
  readonly pdf: Buffer
}

const repeat = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Makes them one after the other, so that only one is in memory. */
export async function* makeHostileFiles(world: World): AsyncGenerator<HostileFile> {
  yield { name: 'many small objects', pdf: makePdf({ extraObjects: repeat(150_000, () => '0') }) }
  yield { name: 'long lists', pdf: makePdf({ extraObjects: repeat(100, () => `[${'0 '.repeat(49_000)}]`) }) }
  yield { name: 'lists in lists', pdf: makePdf({ extraObjects: repeat(600, () => nested()) }) }
  yield { name: 'references to everything', pdf: makePdf({ extraObjects: repeat(60, () => `[${pointers(40_000)}]`) }) }
  yield { name: 'objects that unpack', pdf: makePdf({ xref: 'stream', extraObjects: repeat(15, unpacking) }) }
  yield { name: 'long words', pdf: makePdf({ extraObjects: repeat(12, longWords) }) }
  yield { name: 'packed objects', pdf: makePdf({ xref: 'stream', objectStream: true, extraObjects: packed(60_000) }) }
  yield { name: 'a large form, saved often', pdf: savedOften(await world.sign(largeForm(), await signatory(world))) }
  yield {
    name: 'a large form of single fields, saved often',
    pdf: savedOften(await world.sign(singleFields(), await signatory(world))),
  }
  yield {
    name: 'a large form of packed fields, saved often',
    pdf: savedOften(await world.sign(packedForm(6_000), await signatory(world))),
  }
  yield {
    name: 'a field of many widgets, saved often',
    pdf: savedOften(await world.sign(manyWidgets(), await signatory(world))),
  }
  yield { name: 'signed by a hundred', pdf: await signedOften(world, await world.signatory(), 99) }
  yield { name: 'issuers that are none', pdf: await signedOften(world, await misled(world, 'P-521'), 60) }
  yield { name: 'quick issuers that are none', pdf: await signedOften(world, await misled(world, 'P-256'), 99) }
  yield { name: 'a store full of issuers', pdf: await withFullStore(world) }
}

const nested = () => `${'['.repeat(90)}${'[ ] '.repeat(9_000)}${']'.repeat(90)}`

const longWords = () => `[ (${'\\101'.repeat(250_000)}) <${'4 1 '.repeat(250_000)}> /${'#41'.repeat(30_000)} ]`

const pointers = (count: number) => repeat(count, (at) => `${EXTRA_OBJECT + (at % 50)} 0 R`).join(' ')

const unpacking = () => stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(4 * 1024 * 1024)))

const packed = (count: number) => repeat(count, (at) => `<< /A [ ${at} ] /B << /C (x) >> >>`)

const signatory = async (world: World) => ({ signer: await world.signatory(), level: 'B-B' as const })

function largeForm(): Buffer {
  const kids = repeat(6_000, (at) => `<< /T (${at}) /Parent 50 0 R >>`)
  const references = kids.map((_, at) => `${EXTRA_OBJECT + at} 0 R`).join(' ')
  return makePdf({ fields: [`<< /FT /Tx /T (form) /Kids [${references}] >>`], extraObjects: kids })
}

const singleFields = () => makePdf({ fields: repeat(6_000, (at) => `<< /FT /Tx /T (${at}) >>`) })

/** In an object stream; one in two stands below a parent. */
export function packedForm(count: number): Buffer {
  const parent = EXTRA_OBJECT + count
  const below = (at: number) => (at % 2 === 0 ? '/FT /Tx' : `/Parent ${parent} 0 R`)
  const fields = repeat(count, (at) => `<< /T (${at}) ${below(at)} /Subtype /Widget /Rect [0 0 9 9] /P 20 0 R >>`)
  const references = fields.map((_, at) => `${EXTRA_OBJECT + at} 0 R`)
  const roots = references.filter((_, at) => at % 2 === 0).join(' ')
  const kids = references.filter((_, at) => at % 2 === 1).join(' ')
  return makePdf({
    xref: 'stream',
    objectStream: true,
    catalogEntries: `/AcroForm << /Fields [${roots} ${parent} 0 R] >>`,
    pageEntries: `/Annots [${references.join(' ')}]`,
    extraObjects: [...fields, `<< /T (form) /FT /Tx /Kids [${kids}] >>`],
  })
}

function manyWidgets(): Buffer {
  const widgets = repeat(15_000, () => '<< /Parent 50 0 R >>')
  const references = widgets.map((_, at) => `${EXTRA_OBJECT + at} 0 R`).join(' ')
  return makePdf({ fields: [`<< /FT /Tx /T (form) /Kids [${references}] >>`], extraObjects: widgets })
}

function savedOften(pdf: Buffer): Buffer {
  return repeat(150, (at) => at).reduce((saved, at) => appendRevision(saved, { 3: `<< /Title (${at}) >>` }), pdf)
}

async function signedOften(world: World, signer: RawSigner, times: number): Promise<Buffer> {
  let pdf = makePdf()
  for (let at = 0; at < times; at++) {
    pdf = await world.sign(pdf, { signer, level: 'B-T', field: { name: `S${at}` }, reservedBytes: 20_000 })
  }
  return pdf
}

/** A signer that brings twenty certificates which bear its issuer's name but not its key. */
async function misled(world: World, namedCurve: 'P-256' | 'P-521'): Promise<RawSigner> {
  const signer = await world.signatory()
  const others = await Promise.all(repeat(20, () => namesake(world, namedCurve)))
  return { ...signer, chain: [...others, ...signer.chain] }
}

function namesake({ root, issuing, now }: World, namedCurve: 'P-256' | 'P-521'): Promise<Buffer> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve })
  const { subject } = parseCertificate(issuing.certificate)
  const notAfter = new Date(now.getTime() + DAY_MS)
  return issueCertificate({ subject, publicKey, notBefore: now, notAfter, extensions: [] }, issuerFrom(root))
}

async function withFullStore(world: World): Promise<Buffer> {
  const signer = await world.signatory()
  const data = await world.validationData(signer)
  const certificates = await Promise.all(repeat(180, () => namesake(world, 'P-521')))
  return world.sign(makePdf(), {
    signer,
    validationData: () => Promise.resolve({ ...data, certificates: [...certificates, ...data.certificates] }),
  })
}
