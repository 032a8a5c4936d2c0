// The dictionary that holds a signature or a timestamp, written before its content is known (ISO 32000-2, 12.8.1).
// /ByteRange covers the whole document but for the hexadecimal string of /Contents, whose length is therefore fixed.
import type { HashName } from '#pki/algorithms.ts'
import type { PrefixHash } from './prefix-hash.ts'
import type { BuiltUpdate } from './update.ts'
import { toBytes } from './write.ts'

/** Ten digits reach beyond the largest file that we take. */
const BYTE_RANGE_ROOM = '[0 0000000000 0000000000 0000000000]'

/** Placeholders are copied from here: making tens of KB anew for each signature keeps the garbage collector busy. */
const ZEROS = Buffer.alloc(64 * 1024, '0')

const zeros = (length: number) => (length <= ZEROS.length ? ZEROS.subarray(0, length) : Buffer.alloc(length, '0'))

export type ByteRange = readonly [start: 0, before: number, after: number, rest: number]

/** The CMS or timestamp token did not fit into the space left for it. */
export class PlaceholderTooSmall extends Error {
  readonly neededBytes: number
  readonly reservedBytes: number

  constructor({ neededBytes, reservedBytes }: { neededBytes: number; reservedBytes: number }) {
    super(`The signature has ${neededBytes} bytes, but only ${reservedBytes} were reserved for it.`)
    this.name = 'PlaceholderTooSmall'
    this.neededBytes = neededBytes
    this.reservedBytes = reservedBytes
  }
}

export interface SignatureBody {
  readonly body: readonly Buffer[]
  /** Where /ByteRange's array and the < of /Contents stand within the body. */
  readonly byteRangeAt: number
  readonly contentsAt: number
  readonly reservedBytes: number
}

/** A signature dictionary with room for byte range and contents. */
export function signatureBody(entries: string, reservedBytes: number): SignatureBody {
  const head = `<< ${entries} /ByteRange `
  const beforeContents = `${head}${BYTE_RANGE_ROOM} /Contents <`
  const body = [toBytes(beforeContents), zeros(reservedBytes * 2), toBytes('> >>')]
  return { body, byteRangeAt: head.length, contentsAt: beforeContents.length - 1, reservedBytes }
}

/** A revision whose signature is still missing. Plain data: it can be stored until the signature arrives. */
export interface OpenRevision {
  /** The length of the document that it continues. */
  readonly documentBytes: number
  /** What will be appended, with zeros where the signature goes. */
  readonly appended: Buffer
  readonly byteRange: ByteRange
  /** Where the < of /Contents stands in `appended`. */
  readonly contentsAt: number
  readonly reservedBytes: number
  readonly hash: HashName
  /** Over the byte range. */
  readonly digest: Buffer
}

interface RevisionParts {
  readonly built: BuiltUpdate
  readonly objectNumber: number
  readonly signature: SignatureBody
  readonly prefix: PrefixHash
  readonly hash: HashName
}

/** Fills in the byte range and takes the digest over it. */
export function openRevision({ built, objectNumber, signature, prefix, hash }: RevisionParts): OpenRevision {
  const { documentBytes, bytes: appended } = built
  if (prefix.length !== documentBytes) throw new Error('The hash is not that of the document.')
  const bodyAt = (built.bodyOffsets.get(objectNumber) as number) - documentBytes
  const contentsAt = bodyAt + signature.contentsAt
  const contentsEnd = contentsAt + signature.reservedBytes * 2 + 2
  const byteRange: ByteRange = [
    0,
    documentBytes + contentsAt,
    documentBytes + contentsEnd,
    appended.length - contentsEnd,
  ]
  const range = `[${byteRange.join(' ')}]`.padEnd(BYTE_RANGE_ROOM.length)
  appended.write(range, bodyAt + signature.byteRangeAt, 'latin1')
  const digest = prefix
    .fork(hash)
    .update(appended.subarray(0, contentsAt))
    .update(appended.subarray(contentsEnd))
    .digest()
  return { documentBytes, appended, byteRange, contentsAt, reservedBytes: signature.reservedBytes, hash, digest }
}

/** The bytes to append once the contents are known. The open revision stays as it is. */
export function closeRevision({ appended, contentsAt, reservedBytes }: OpenRevision, contents: Buffer): Buffer {
  if (contents.length > reservedBytes) throw new PlaceholderTooSmall({ neededBytes: contents.length, reservedBytes })
  const closed = Buffer.from(appended)
  closed.write(contents.toString('hex'), contentsAt + 1, 'latin1')
  return closed
}
