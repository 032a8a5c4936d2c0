// The first half of signing: everything that will be signed is fixed here, before any key is used.
import { hashOf } from '#pki/algorithms.ts'
import { buildSignedAttributes } from '#pki/cms.ts'
import type { SignerIdentity } from '#pki/raw-signer.ts'
import { noteExtension } from './extension.ts'
import { fillField, type FieldToFill } from './fill-field.ts'
import { findCertification, readForm, type Form } from './form.ts'
import { lockEntries, requireUnlocked, type Lock } from './lock.ts'
import { PrefixHash } from './prefix-hash.ts'
import { openPdf, type PdfReader } from './reader.ts'
import { PdfRefused } from './refused.ts'
import { openRevision, signatureBody, type OpenRevision } from './signature-dictionary.ts'
import { signerParts } from './signer-parts.ts'
import type { Source } from './source.ts'
import { Update } from './update.ts'
import { dateString, reference, textString, type ObjectId } from './write.ts'

export interface SignatureOptions extends FieldToFill {
  /** The claimed time of signing (/M). */
  readonly time: Date
  readonly name?: string
  readonly reason?: string
  readonly location?: string
  readonly contact?: string
  /** Certifies the document: later only filling in and signing is allowed (DocMDP, P=2). First signature only. */
  readonly certify?: boolean
  /** Room for a timestamp token besides the signature; 0 for level B-B. Public authorities need up to 12 KB. */
  readonly timestampBytes?: number
  /** Room for the whole CMS, where the caller knows better. */
  readonly reservedBytes?: number
  /** The document's hash, where it has been taken before. */
  readonly prefix?: PrefixHash
}

/** A signature that waits for its value. Plain data: `storePrepared` turns it into JSON. */
export interface PreparedSignature extends OpenRevision {
  readonly identity: SignerIdentity
  /** The bytes to sign: DER of the signed attributes with the tag of SET OF. */
  readonly signedAttributes: Buffer
}

const MIN_RESERVED_BYTES = 4096
const MIN_RESERVED_WITH_TIMESTAMP = 10_240
const DEFAULT_TIMESTAMP_BYTES = 8192
const MAX_TEXT_CHARACTERS = 1000

/** Lays out the revision that will carry the signature, and says what has to be signed. */
export async function prepareSignature(
  source: Source,
  { certificate, chain, algorithm }: SignerIdentity,
  options: SignatureOptions,
): Promise<PreparedSignature> {
  const identity = { certificate, chain, algorithm }
  const update = new Update(await openPdf(source))
  const form = await readForm(update.reader)
  await requireSignable(update.reader, form, options)

  const signatureId = update.allocate()
  const lock = await fillField(update, form, signatureId, options)
  if (options.certify === true) await certify(update, signatureId)
  await noteExtension(update)
  const { template, cmsBytes } = signerParts(identity)
  const signature = signatureBody(signatureEntries(update, options, lock), reservedBytes(cmsBytes, options))
  update.put(signatureId, signature.body)

  const hash = hashOf(algorithm)
  const prefix = options.prefix ?? (await PrefixHash.of(source, [hash]))
  const revision = openRevision({ built: update.build(), objectNumber: signatureId.number, signature, prefix, hash })
  return { ...revision, identity, signedAttributes: buildSignedAttributes(template, revision.digest) }
}

async function requireSignable(reader: PdfReader, form: Form, { certify, field }: SignatureOptions): Promise<void> {
  if ((await findCertification(reader)) === 1) {
    throw new PdfRefused('certified', 'This PDF has been certified against any change, so it cannot be signed.')
  }
  // ISO 32000-2, 12.8.2.2: a document is certified by its first signature or not at all.
  if (certify === true && form.signatureFields.some(({ signature }) => signature !== undefined)) {
    throw new PdfRefused('certified', 'This PDF has been signed before; only the first signature can certify it.')
  }
  await requireUnlocked(reader, form.signatureFields, typeof field === 'string' ? field : field.name)
}

async function certify(update: Update, signature: ObjectId): Promise<void> {
  const catalog = await update.editDict(update.reader.rootRef)
  const permissions = await update.childDict(catalog, 'Perms')
  permissions.set('DocMDP', reference(signature))
}

function signatureEntries(update: Update, options: SignatureOptions, lock: Lock | undefined): string {
  const { time, name, reason, location, contact } = options
  const texts = Object.entries({ Name: name, Reason: reason, Location: location, ContactInfo: contact })
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '')
    .map(([key, text]) => `/${key} ${textString(beginningOf(text))}`)
  const transforms: string[] = []
  if (options.certify === true) transforms.push(transform('DocMDP', '/P 2'))
  if (lock !== undefined)
    transforms.push(transform('FieldMDP', lockEntries(lock), `/Data ${reference(update.reader.rootRef)}`))
  const references = transforms.length === 0 ? [] : [`/Reference [${transforms.join(' ')}]`]
  return [
    '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached',
    `/M ${dateString(time)}`,
    ...texts,
    ...references,
  ].join(' ')
}

/** Counted in whole characters: half of one would be no text. */
const beginningOf = (text: string) => Array.from(text).slice(0, MAX_TEXT_CHARACTERS).join('')

const transform = (method: string, parameters: string, extra = '') =>
  `<< /Type /SigRef /TransformMethod /${method} ${extra} /TransformParams << /Type /TransformParams /V /1.2 ${parameters} >> >>`

/** A quarter more than a signature of this signer takes, so that it fits whatever the value turns out to be. */
function reservedBytes(cmsBytes: number, options: SignatureOptions): number {
  if (options.reservedBytes !== undefined) return options.reservedBytes
  const timestampBytes = options.timestampBytes ?? DEFAULT_TIMESTAMP_BYTES
  const least = timestampBytes === 0 ? MIN_RESERVED_BYTES : MIN_RESERVED_WITH_TIMESTAMP
  return Math.max(least, Math.ceil(cmsBytes * 1.25) + timestampBytes)
}
