// What an attack consists of, and the tools to build one: everything that somebody without the key can do to a file.
import { createHash } from 'node:crypto'
import { buildSignedAttributes, cmsTemplate } from '#pki/cms.ts'
import { signWith, type RawSigner } from '#pki/raw-signer.ts'
import { completeSignature } from '../../complete-signature.ts'
import { prepareSignature, type SignatureOptions } from '../../prepare-signature.ts'
import { bufferSource } from '../../source.ts'
import type { ValidationReport } from '../report.ts'
import type { World } from './world.ts'

/** A file that must never be valid, beside an honest one of the same make that must always be. */
export interface Attack {
  readonly name: string
  readonly attack: Buffer
  readonly twin: Buffer
}

export interface AttackClass {
  readonly name: string
  readonly attacks: readonly Attack[]
}

/** What attackers work with: the world, and how its files are judged. */
export interface Scene {
  readonly world: World
  validate(pdf: Buffer): Promise<ValidationReport>
}

const FILE_ID = '00112233445566778899aabbccddeeff'

/** The trailer that test documents have, so that an appended revision differs in nothing but its purpose. */
export const HONEST_TRAILER = `/Root 1 0 R /Info 3 0 R /ID [<${FILE_ID}> <ffeeddccbbaa99887766554433221100>]`

export interface UpdateParts {
  readonly objects?: Record<number, string>
  /** Entries without objects: an offset into what is already there, or 'free'. */
  readonly entries?: Record<number, number | 'free'>
  readonly trailer?: string
  /** Where the section before stands, if not at the end of the file. */
  readonly prev?: number
}

/** Appends a revision with a classic table, as a careful attacker would. */
export function appendUpdate(pdf: Buffer, parts: UpdateParts): Buffer {
  const { objects = {}, entries = {}, trailer = HONEST_TRAILER, prev = startxrefOf(pdf) } = parts
  const lines = new Map<number, string>()
  let body = ''
  for (const [number, text] of Object.entries(objects)) {
    lines.set(Number(number), tableLine(pdf.length + body.length))
    body += `${number} 0 obj\n${text}\nendobj\n`
  }
  for (const [number, place] of Object.entries(entries)) lines.set(Number(number), tableLine(place))
  const table = [...lines].map(([number, line]) => `${number} 1\n${line}`).join('')
  const startxref = pdf.length + body.length
  const tail = `xref\n${table}trailer\n<< /Size 600 /Prev ${prev} ${trailer} >>\nstartxref\n${startxref}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(body + tail, 'latin1')])
}

const tableLine = (place: number | 'free') =>
  place === 'free' ? '0000000000 00001 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`

export const startxrefOf = (pdf: Buffer) =>
  Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.subarray(-64).toString('latin1'))?.[1])

/** The body of a stream object. */
export const streamBody = (data: string, entries = '') =>
  `<< /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`

/** The newest text of an object, without `obj` and `endobj`. */
export function objectText(pdf: Buffer, number: number): string {
  const text = pdf.toString('latin1')
  const head = `\n${number} 0 obj\n`
  const start = text.lastIndexOf(head) + head.length
  return text.slice(start, text.indexOf('\nendobj', start))
}

/** Where the newest version of an object begins. */
export const objectOffset = (pdf: Buffer, number: number) =>
  pdf.toString('latin1').lastIndexOf(`\n${number} 0 obj\n`) + 1

/** The last signature of the file: where its hexadecimal string begins and ends, and its object number. */
export function findSignature(pdf: Buffer) {
  const text = pdf.toString('latin1')
  const at = text.lastIndexOf('/ByteRange [')
  const start = text.indexOf('/Contents <', at) + '/Contents '.length
  const end = text.indexOf('>', start) + 1
  const head = text.lastIndexOf(' 0 obj', at)
  return { start, end, number: Number(/(\d+)$/.exec(text.slice(0, head))?.[1]) }
}

/** Rewrites the last revision's signature dictionary and mends every offset, so that the file stays well formed. */
export function rewriteSignature(pdf: Buffer, edit: (dictionary: string) => string): Buffer {
  const text = pdf.toString('latin1')
  const { number } = findSignature(pdf)
  const start = objectOffset(pdf, number)
  const old = objectText(pdf, number)
  const edited = edit(old)
  const delta = edited.length - old.length
  const bodyAt = text.indexOf(old, start)
  const rest = text
    .slice(bodyAt + old.length)
    .replaceAll(/(\d{10})( 00000 n )/g, (line, offset: string, end: string) =>
      Number(offset) > start ? `${String(Number(offset) + delta).padStart(10, '0')}${end}` : line,
    )
    .replace(/startxref\n(\d+)/, (_, offset: string) => `startxref\n${Number(offset) + delta}`)
  return Buffer.from(text.slice(0, bodyAt) + edited + rest, 'latin1')
}

type Edited = Omit<SignatureOptions, 'time'> & {
  readonly signer: RawSigner
  readonly edit: (appended: string) => string
}

/** Signs what our own signer would not write, by an edit of the revision that keeps its length. */
export async function signEdited(
  { tsa, now }: World,
  pdf: Buffer,
  { signer, edit, ...options }: Edited,
): Promise<Buffer> {
  const prepared = await prepareSignature(bufferSource(pdf), signer, { ...options, time: now })
  const appended = Buffer.from(edit(prepared.appended.toString('latin1')), 'latin1')
  if (appended.length !== prepared.appended.length) throw new Error('The edit moved something.')
  const end = prepared.contentsAt + prepared.reservedBytes * 2 + 2
  const digest = createHash(prepared.hash)
    .update(pdf)
    .update(appended.subarray(0, prepared.contentsAt))
    .update(appended.subarray(end))
    .digest()
  const signedAttributes = buildSignedAttributes(cmsTemplate(signer), digest)
  const signature = await signWith(signer, signedAttributes)
  const token = await tsa({ hash: 'sha256', digest: createHash('sha256').update(signature).digest() })
  const complete = completeSignature({ ...prepared, appended, digest, signedAttributes }, signature, token)
  return Buffer.concat([pdf, complete])
}
