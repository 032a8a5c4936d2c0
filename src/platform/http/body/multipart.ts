// multipart/form-data with exactly one part, a file, which is what an upload form sends. Everything else is refused
// rather than guessed at: readers that guess differently are how a file passes one check and is stored as another.
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { BlobWriter, StagedBlob } from '#platform/blobs/blob-store.ts'
import { badMultipart } from './errors.ts'
import { type FilePart, parsePartHeaders } from './multipart-headers.ts'
import { piecesOf, writeWithin } from './stage-stream.ts'

export type UploadedFile = FilePart & { staged: StagedBlob }

const MAX_HEADER_BYTES = 8192
const BLANK_LINE = Buffer.from('\r\n\r\n')

// RFC 2046 5.1.1: 1 to 70 of these characters, the last one no space.
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/
const PARAMETER = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/gi

/** The boundary that a Content-Type names; throws where it is not multipart/form-data with one proper boundary. */
export function parseBoundary(contentType: string): string {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw badMultipart('the content type is another')
  const [found, another] = [...contentType.matchAll(PARAMETER)]
  const boundary = found?.[1] ?? found?.[2] ?? ''
  if (another !== undefined || !BOUNDARY.test(boundary)) throw badMultipart('its boundary is missing or not allowed')
  return boundary
}

/** Stages the one file of a multipart body. Whatever goes wrong, nothing stays staged. */
export async function stageMultipartFile(
  source: Readable,
  writer: BlobWriter,
  { contentType, maxBytes }: { contentType: string; maxBytes: number },
): Promise<UploadedFile> {
  try {
    const reader = new FilePartReader(parseBoundary(contentType), writer, maxBytes)
    for await (const piece of piecesOf(source)) await reader.push(piece)
    const part = reader.finish()
    return { ...part, staged: await writer.finish() }
  } catch (error) {
    await writer.abort()
    throw error
  }
}

class FilePartReader {
  readonly #opening: Buffer
  readonly #delimiter: Buffer
  readonly #writer: BlobWriter
  readonly #maxBytes: number
  #rest: Buffer = Buffer.alloc(0)
  #part: FilePart | undefined
  #hasEnded = false

  constructor(boundary: string, writer: BlobWriter, maxBytes: number) {
    this.#opening = Buffer.from(`--${boundary}\r\n`)
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#writer = writer
    this.#maxBytes = maxBytes
  }

  async push(piece: Buffer): Promise<void> {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    this.#part ??= this.#takeHeaders()
    if (this.#part !== undefined && !this.#hasEnded) await this.#takeContent()
    if (this.#hasEnded && this.#rest.length > '--\r\n'.length) throw badMultipart('something follows the file')
  }

  finish(): FilePart {
    if (this.#part === undefined || !this.#hasEnded) throw badMultipart('it ends too early')
    const ending = this.#rest.toString('latin1')
    if (ending !== '--' && ending !== '--\r\n') throw badMultipart('something follows the file')
    return this.#part
  }

  #takeHeaders(): FilePart | undefined {
    const opening = this.#opening
    const begins = this.#rest.subarray(0, opening.length)
    if (!begins.equals(opening.subarray(0, begins.length))) throw badMultipart('it does not begin with its boundary')
    const end = this.#rest.indexOf(BLANK_LINE, opening.length)
    if ((end === -1 ? this.#rest.length : end) > MAX_HEADER_BYTES)
      throw badMultipart('the headers of the part are too long')
    if (end === -1) return undefined
    const headers = this.#rest.subarray(opening.length, end)
    if (!isUtf8(headers)) throw badMultipart('the headers of the part are not UTF-8')
    this.#rest = this.#rest.subarray(end + BLANK_LINE.length)
    return parsePartHeaders(headers.toString('utf8'))
  }

  /** Writes what is certainly content: all but the bytes that may be the beginning of the delimiter. */
  async #takeContent(): Promise<void> {
    const end = this.#rest.indexOf(this.#delimiter)
    const certain = end === -1 ? Math.max(0, this.#rest.length - this.#delimiter.length + 1) : end
    const content = this.#rest.subarray(0, certain)
    this.#hasEnded = end !== -1
    this.#rest = this.#rest.subarray(this.#hasEnded ? end + this.#delimiter.length : certain)
    await writeWithin(this.#writer, content, this.#maxBytes, 'The file')
  }
}
