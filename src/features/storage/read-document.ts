// A stored document on its way to the caller: whole, in part, or as Base64.
import { Readable } from 'node:stream'
import { requireReach, type Caller } from '#platform/auth/caller.ts'
import { STREAM_CHUNK_BYTES, type BlobStore, type ByteRange } from '#platform/blobs/blob-store.ts'
import { blobMissing } from '#platform/blobs/errors.ts'
import type { Tx } from '#platform/db/database.ts'
import { fairTurn } from '#platform/http/body/fair-turn.ts'
import { errorBody } from '#platform/http/edge-errors.ts'
import { Answer } from '#platform/http/route.ts'
import { isUuid } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import { base64Length, encodeBase64, surround } from './base64-stream.ts'
import { parseRange } from './byte-range.ts'
import { attachment } from './content-disposition.ts'
import { rangeNotSatisfiable } from './errors.ts'
import type { StoredDocument } from './keep-document.ts'
import { findDocument } from './storage-statements.ts'

export type ReadDocument = {
  caller: Caller
  uri: string
  base64: boolean
  headers: Record<string, string | undefined>
}

/** Answers with the document that a uri names; undefined where there is none. */
export async function readDocument(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { caller, uri, base64, headers }: ReadDocument,
): Promise<Answer | undefined> {
  const { tenantId } = caller
  if (!isUuid(uri)) return undefined
  const document = await db.transaction(tenantId, (tx) => findForReading(tx, caller, uri.toLowerCase()))
  if (document === undefined) return undefined
  const open = await openerOf(blobs, tenantId, document.sha256)
  if (!base64) return answerWithBytes(document, headers, open)
  return acceptsJson(headers['accept'])
    ? answerWithJson(document, headers, open)
    : answerWithText(document, headers, open)
}

export type SendDocument = {
  tenantId: string
  document: Pick<StoredDocument, 'sha256' | 'sizeBytes' | 'contentType' | 'fileName'>
  headers: Record<string, string | undefined>
}

/** Answers with bytes of a document that the caller has found by itself: whole, a range, or not at all if it is known. */
export async function sendDocument(
  { blobs }: Pick<Platform, 'blobs'>,
  { tenantId, document, headers }: SendDocument,
): Promise<Answer> {
  return answerWithBytes(document, headers, await openerOf(blobs, tenantId, document.sha256))
}

/** The stream is opened when the answer goes out, and then it is too late to say that there is nothing to send. */
async function openerOf(blobs: BlobStore, tenantId: string, sha256: string): Promise<Open> {
  if ((await blobs.stat(tenantId, sha256)) === undefined) throw blobMissing(sha256)
  return (range) => openLate(blobs, tenantId, sha256, range)
}

/** Unlike `findReachableDocument` it locks nothing, so reading a document writes nothing. */
async function findForReading(tx: Tx, caller: Caller, documentId: string): Promise<StoredDocument | undefined> {
  const found = await findDocument.maybeOne(tx, { tenantId: caller.tenantId, documentId })
  if (found === undefined) return undefined
  await requireReach(tx, caller, found.departmentId)
  return { ...found, id: documentId, sha256: found.sha256.toString('hex') }
}

type Open = (range?: ByteRange) => AsyncIterable<Buffer>

/** Opens the blob at the first read, so that an answer that is never sent holds no file open. */
async function* openLate(
  blobs: BlobStore,
  tenantId: string,
  sha256: string,
  range: ByteRange | undefined,
): AsyncGenerator<Buffer> {
  const { stream } = await blobs.openRead(tenantId, sha256, range)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await fairTurn()
    yield chunk
  }
}

function answerWithBytes(document: SendDocument['document'], headers: ReadDocument['headers'], open: Open): Answer {
  const { sha256, sizeBytes, contentType } = document
  const etag = `"${sha256}"`
  if (isKnown(headers['if-none-match'], etag)) return new Answer(304, undefined, { etag })
  // RFC 9110 13.1.5: a range of something else than the caller's earlier part would be of no use.
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? parseRange(headers['range'], sizeBytes) : 'whole'
  if (range === 'unsatisfiable') {
    return new Answer(416, errorBody(rangeNotSatisfiable(sizeBytes)), { 'content-range': `bytes */${sizeBytes}` })
  }
  const common = { ...headersOf(document, etag), 'content-type': contentType, 'accept-ranges': 'bytes' }
  if (range === 'whole') return stream(200, open(), sizeBytes, common)
  const { start, end } = range
  const contentRange = `bytes ${start}-${end}/${sizeBytes}`
  return stream(206, open(range), end - start + 1, { ...common, 'content-range': contentRange })
}

function answerWithText(document: StoredDocument, headers: ReadDocument['headers'], open: Open): Answer {
  const etag = `"${document.sha256}-base64"`
  if (isKnown(headers['if-none-match'], etag)) return new Answer(304, undefined, { etag, vary: 'accept' })
  return stream(200, encodeBase64(open()), base64Length(document.sizeBytes), {
    ...headersOf(document, etag),
    'content-type': 'text/plain; charset=us-ascii',
    vary: 'accept',
  })
}

function answerWithJson(document: StoredDocument, headers: ReadDocument['headers'], open: Open): Answer {
  const etag = `"${document.sha256}-json"`
  if (isKnown(headers['if-none-match'], etag)) return new Answer(304, undefined, { etag, vary: 'accept' })
  const { fileName, contentType, sizeBytes } = document
  const before = Buffer.from(`${JSON.stringify({ fileName, contentType }).slice(0, -1)},"contentBase64":"`)
  const after = Buffer.from('"}')
  const length = before.length + base64Length(sizeBytes) + after.length
  return stream(200, surround(before, encodeBase64(open()), after), length, {
    etag,
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept',
  })
}

function headersOf({ fileName }: Pick<StoredDocument, 'fileName'>, etag: string): Record<string, string> {
  return { etag, 'content-disposition': attachment(fileName) }
}

function stream(
  status: number,
  chunks: AsyncIterable<Buffer>,
  length: number,
  headers: Record<string, string>,
): Answer {
  const body = Readable.from(chunks, { objectMode: false, highWaterMark: STREAM_CHUNK_BYTES })
  return new Answer(status, body, { ...headers, 'content-length': String(length) })
}

/** RFC 9110 13.1.2: compared weakly, and * is anything. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}

/** Only where JSON is named: a client that takes anything gets the plain Base64 text. */
function acceptsJson(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((choice) => {
    const [type = '', ...parameters] = choice.split(';').map((part) => part.trim().toLowerCase())
    return type === 'application/json' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
