// The document timestamp (EN 319 142-1, 5.4.3). Together with the validation data, in one revision, it lifts every
// signature of the document to B-LTA; the same step, repeated in time, keeps it there.
import type { HashName } from '#pki/algorithms.ts'
import { requireTimestampOver } from './complete-signature.ts'
import { noteExtension } from './extension.ts'
import { addField } from './fields.ts'
import { findCertification, readFieldNames, readForm } from './form.ts'
import type { Lock } from './lock.ts'
import { PrefixHash } from './prefix-hash.ts'
import { openPdf } from './reader.ts'
import { PdfRefused } from './refused.ts'
import { closeRevision, openRevision, signatureBody, type OpenRevision } from './signature-dictionary.ts'
import type { Source } from './source.ts'
import { Update } from './update.ts'
import { storeValidationData, type ValidationData } from './validation-data.ts'
import { entry, isName, type PdfDict, type PdfString } from './value.ts'
import { reference } from './write.ts'

export interface DocumentTimestampOptions {
  /** Stored in the same revision, so that the timestamp protects it. */
  readonly validationData?: ValidationData
  readonly hash?: HashName
  /** Room for the token. */
  readonly reservedBytes?: number
  readonly prefix?: PrefixHash
}

const DEFAULT_RESERVED_BYTES = 8192

/** Lays out the revision that will carry the timestamp; `digest` is what the authority has to stamp. */
export async function prepareDocumentTimestamp(
  source: Source,
  { validationData, hash = 'sha256', reservedBytes = DEFAULT_RESERVED_BYTES, prefix }: DocumentTimestampOptions,
): Promise<OpenRevision> {
  const update = new Update(await openPdf(source))
  const names = await readFieldNames(update.reader)
  if ((await findCertification(update.reader)) === 1) {
    throw new PdfRefused('certified', 'This PDF has been certified against any change.')
  }
  if (validationData !== undefined) await storeValidationData(update, validationData)
  const id = update.allocate()
  const field = await addField(update, { name: freeName(names) })
  field.edit.set('V', reference(id))
  await noteExtension(update)
  const signature = signatureBody('/Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161', reservedBytes)
  update.put(id, signature.body)
  const hashed = prefix ?? (await PrefixHash.of(source, [hash]))
  return openRevision({ built: update.build(), objectNumber: id.number, signature, prefix: hashed, hash })
}

const fieldName = (number: number) => `Timestamp${number}`

function freeName(names: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = fieldName(number)
    if (!names.has(name)) return name
  }
}

/** Timestamps that a sealed document may get; one in several years is usual. */
const FORESEEN_TIMESTAMPS = 20

/**
 * For a final seal: freezes every field but those of the timestamps to come. Validators would warn of a lock on all
 * fields as soon as the first timestamp adds its own.
 */
export const ALL_BUT_TIMESTAMPS = {
  action: 'Exclude' as const,
  fields: Array.from({ length: FORESEEN_TIMESTAMPS }, (_, index) => fieldName(index + 1)),
} satisfies Lock

/** The bytes to append. A token over anything else than this revision is refused. */
export function completeDocumentTimestamp(prepared: OpenRevision, token: Buffer): Buffer {
  requireTimestampOver(token, prepared.digest)
  return closeRevision(prepared, token)
}

/** The tokens of a document's timestamps, oldest first, each with the zeros that fill up its room. */
export async function listDocumentTimestamps(source: Source): Promise<Buffer[]> {
  const { signatureFields } = await readForm(await openPdf(source))
  return signatureFields
    .flatMap(({ signature }) => findToken(signature) ?? [])
    .sort((one, other) => one.start - other.start)
    .map(({ bytes }) => bytes)
}

function findToken(signature: PdfDict | undefined): PdfString | undefined {
  if (signature === undefined || !isName(entry(signature, 'SubFilter'), 'ETSI.RFC3161')) return undefined
  const contents = entry(signature, 'Contents')
  return contents?.kind === 'string' ? contents : undefined
}
