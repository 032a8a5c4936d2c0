// Signing in one call, for keys and authorities that answer at once. Everything is handed in: the engine opens no
// connection and has no clock.
import { hash } from 'node:crypto'
import { hashOf, type HashName } from '#pki/algorithms.ts'
import { signWith, type RawSigner } from '#pki/raw-signer.ts'
import { completeSignature, embedSignature, TIMESTAMP_HASH } from './complete-signature.ts'
import { completeDocumentTimestamp, prepareDocumentTimestamp } from './document-timestamp.ts'
import { prepareSignature, type SignatureOptions } from './prepare-signature.ts'
import { PrefixHash } from './prefix-hash.ts'
import { PlaceholderTooSmall } from './signature-dictionary.ts'
import { appendedSource, type Source } from './source.ts'
import { addValidationData, type ValidationData } from './validation-data.ts'

/** Answers with a checked token (DER) over the digest. */
export type Timestamper = (imprint: { hash: HashName; digest: Buffer }) => Promise<Buffer>

export type Level = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA'

export interface SignPdfOptions extends SignatureOptions {
  readonly signer: RawSigner
  readonly level: Level
  /** From B-T on. */
  readonly tsa?: Timestamper
  /** From B-LT on; asked after the signature has its timestamp, so that what it brings can be younger. */
  readonly validationData?: (signed: { timestampToken: Buffer }) => Promise<ValidationData>
  /** The hash of the document timestamp. */
  readonly archiveHash?: HashName
}

/** Signs and answers with the bytes to append to the document, one buffer for each revision. */
export async function signPdf(source: Source, options: SignPdfOptions): Promise<Buffer[]> {
  const { signer, level, archiveHash = 'sha256' } = options
  const hashes = new Set([hashOf(signer.algorithm), ...(level === 'B-LTA' ? [archiveHash] : [])])
  const known = options.prefix?.covers(source, hashes) ? options.prefix : undefined
  const prefix = known ?? (await PrefixHash.of(source, [...hashes]))
  const { appended, timestampToken } = await signOnce(source, options, prefix)
  if (level === 'B-B' || level === 'B-T') return [appended]

  const data = await required(options.validationData, 'validation data')({ timestampToken: timestampToken as Buffer })
  const signed = appendedSource(source, appended)
  if (level === 'B-LT') return [appended, await addValidationData(signed, data)]
  prefix.append(appended)
  const tsa = required(options.tsa, 'a timestamp authority')
  return [appended, await addArchiveTimestamp(signed, { tsa, validationData: data, hash: archiveHash, prefix })]
}

export interface ArchiveOptions {
  readonly tsa: Timestamper
  readonly validationData: ValidationData
  readonly hash?: HashName
  readonly prefix?: PrefixHash
}

/** The bytes that lift every signature of the document to B-LTA, or renew that in time. */
export async function addArchiveTimestamp(source: Source, { tsa, ...options }: ArchiveOptions): Promise<Buffer> {
  const prefix = options.prefix ?? (await PrefixHash.of(source, [options.hash ?? 'sha256']))
  const attempt = async (reservedBytes?: number) => {
    const prepared = await prepareDocumentTimestamp(source, {
      ...options,
      prefix,
      ...(reservedBytes && { reservedBytes }),
    })
    return completeDocumentTimestamp(prepared, await tsa({ hash: prepared.hash, digest: prepared.digest }))
  }
  return withMoreRoom(attempt)
}

async function signOnce(source: Source, options: SignPdfOptions, prefix: PrefixHash) {
  const { signer, level } = options
  const timestampBytes = level === 'B-B' ? { timestampBytes: 0 } : {}
  return withMoreRoom(async (reservedBytes) => {
    const room = reservedBytes === undefined ? {} : { reservedBytes }
    const prepared = await prepareSignature(source, signer, { ...timestampBytes, ...options, ...room, prefix })
    const signature = await signWith(signer, prepared.signedAttributes)
    const timestampToken =
      level === 'B-B' ? undefined : await stamp(required(options.tsa, 'a timestamp authority'), signature)
    // A key in memory was matched with its certificate when the signer was made; anything farther away is checked.
    const complete = 'signMessage' in signer ? embedSignature : completeSignature
    return { appended: complete(prepared, signature, timestampToken), timestampToken }
  })
}

const stamp = (tsa: Timestamper, signature: Buffer) =>
  tsa({ hash: TIMESTAMP_HASH, digest: hash(TIMESTAMP_HASH, signature, 'buffer') })

/** The length of the contents is part of what is signed, so more room means a new signature. Once is enough. */
export async function withMoreRoom<T>(attempt: (reservedBytes?: number) => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof PlaceholderTooSmall)) throw error
    return attempt(Math.ceil(error.neededBytes * 1.25))
  }
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`This level needs ${what}.`)
  return value
}
