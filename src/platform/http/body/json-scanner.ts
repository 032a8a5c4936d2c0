// JSON bodies that carry documents. Each string under a key `contentBase64` is decoded on its way and goes straight into
// storage; what is left of the JSON is small, and is read like any other body, with a placeholder where the string was.
// So a document of 25 MiB never exists in memory as a whole, and no other request waits while it is parsed.
import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlobWriter, StagedBlob } from '#platform/blobs/blob-store.ts'
import { Base64Decoder } from './base64-decoder.ts'
import { badBase64, bodyTooLarge, documentTooLarge, notJson, notUtf8, tooManyDocuments } from './errors.ts'
import { followTrail } from './json-trail.ts'
import { parseStrictJson } from './read-json.ts'
import { piecesOf } from './stage-stream.ts'

export type BodyLimits = {
  bodyBytes: number
  /** What is left of the body when the documents are taken out. */
  jsonBytes: number
  documentBytes: number
  documents: number
}

export const DEFAULT_BODY_LIMITS: BodyLimits = {
  bodyBytes: 100 * 1024 * 1024,
  jsonBytes: 1024 * 1024,
  documentBytes: 25 * 1024 * 1024,
  documents: 50,
}

export type ScannedBody = {
  /** The JSON, each document's string replaced by a placeholder that nobody outside of this request can guess. */
  value: unknown
  /** The staged documents by their placeholders. Commit those that are wanted. */
  documents: ReadonlyMap<string, StagedBlob>
  /** Removes every document that was not committed. */
  discard(): Promise<void>
}

/** Reads a JSON body and stages its documents. Whatever goes wrong, nothing stays staged. */
export async function scanJsonBody(
  source: Readable,
  storage: { begin(): Promise<BlobWriter> },
  limits: BodyLimits = DEFAULT_BODY_LIMITS,
): Promise<ScannedBody> {
  const scanner = new JsonScanner(storage, limits)
  try {
    for await (const chunk of piecesOf(source)) await scanner.push(chunk)
    const value = scanner.finish()
    return { value, documents: scanner.documents, discard: () => scanner.discard() }
  } catch (error) {
    await scanner.discard()
    throw error
  }
}

const KEY = 'contentBase64'
const LONGEST_KEY = KEY.length * '\\u0000'.length
const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c]
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

type State =
  | 'between' // outside of any string
  | 'string'
  | 'escape' // after a backslash in a string
  | 'after key' // after the string "contentBase64", which is a key if a colon follows
  | 'before value'
  | 'document'

class JsonScanner {
  readonly documents = new Map<string, StagedBlob>()
  readonly #storage: { begin(): Promise<BlobWriter> }
  readonly #limits: BodyLimits
  readonly #nonce = randomBytes(16).toString('hex')
  #state: State = 'between'
  #bodyBytes = 0
  #json = Buffer.allocUnsafe(4096)
  #jsonBytes = 0
  #stringStart = 0
  #hasEscape = false
  #writer: BlobWriter | undefined
  #decoder = new Base64Decoder((why) => badBase64(this.#path(), why))

  constructor(storage: { begin(): Promise<BlobWriter> }, limits: BodyLimits) {
    this.#storage = storage
    this.#limits = limits
  }

  async push(piece: Buffer): Promise<void> {
    this.#bodyBytes += piece.length
    if (this.#bodyBytes > this.#limits.bodyBytes) throw bodyTooLarge('The body', this.#limits.bodyBytes)
    for (let at = 0; at < piece.length;) {
      at = this.#state === 'document' ? await this.#takeDocument(piece, at) : this.#takeJson(piece, at)
    }
  }

  finish(): unknown {
    if (this.#state === 'document') throw notJson(`it ends inside ${this.#path()}`)
    const json = this.#json.subarray(0, this.#jsonBytes)
    if (!isUtf8(json)) throw notUtf8()
    return parseStrictJson(json.toString('utf8'))
  }

  async discard(): Promise<void> {
    await this.#writer?.abort()
    for (const staged of this.documents.values()) await staged.discard()
  }

  /** Copies JSON until the piece ends or a document begins, and returns how far it came. */
  #takeJson(piece: Buffer, start: number): number {
    this.#reserve(piece.length - start)
    let at = start
    while (at < piece.length && this.#state !== 'document') {
      const byte = piece[at] as number
      this.#json[this.#jsonBytes] = byte
      this.#jsonBytes += 1
      this.#state = this.#stateAfter(byte)
      at += 1
    }
    if (this.#jsonBytes > this.#limits.jsonBytes)
      throw bodyTooLarge('The body without its documents', this.#limits.jsonBytes)
    return at
  }

  #stateAfter(byte: number): State {
    switch (this.#state) {
      case 'string':
        if (byte === QUOTE) return this.#isDocumentKey() ? 'after key' : 'between'
        if (byte !== BACKSLASH) return 'string'
        this.#hasEscape = true
        return 'escape'
      case 'escape':
        return 'string'
      case 'after key':
        if (byte === COLON) return 'before value'
        break
      case 'before value':
        if (byte === QUOTE) return 'document'
        break
    }
    if (byte !== QUOTE) return WHITE_SPACE.has(byte) ? this.#state : 'between'
    this.#stringStart = this.#jsonBytes
    this.#hasEscape = false
    return 'string'
  }

  #isDocumentKey(): boolean {
    const length = this.#jsonBytes - 1 - this.#stringStart
    if (length !== KEY.length && !(this.#hasEscape && length <= LONGEST_KEY)) return false
    const text = this.#json.toString('latin1', this.#stringStart, this.#jsonBytes - 1)
    return this.#hasEscape ? unescaped(text) === KEY : text === KEY
  }

  async #takeDocument(piece: Buffer, start: number): Promise<number> {
    this.#writer ??= await this.#beginDocument()
    const quote = piece.indexOf(QUOTE, start)
    const end = quote === -1 ? piece.length : quote
    await this.#write(this.#writer, this.#decoder.decode(piece.subarray(start, end)))
    if (quote === -1) return end
    await this.#write(this.#writer, this.#decoder.finish())
    await this.#endDocument(this.#writer)
    return quote + 1
  }

  #beginDocument(): Promise<BlobWriter> {
    if (this.documents.size >= this.#limits.documents) throw tooManyDocuments(this.#limits.documents)
    return this.#storage.begin()
  }

  async #write(writer: BlobWriter, bytes: Buffer): Promise<void> {
    const limit = this.#limits.documentBytes
    if (writer.sizeBytes + bytes.length > limit) throw documentTooLarge(this.#path(), limit)
    if (bytes.length > 0) await writer.write(bytes)
  }

  async #endDocument(writer: BlobWriter): Promise<void> {
    const placeholder = `blob:${this.#nonce}:${this.documents.size}`
    this.documents.set(placeholder, await writer.finish())
    this.#writer = undefined
    this.#decoder = new Base64Decoder((why) => badBase64(this.#path(), why))
    this.#reserve(placeholder.length + 1)
    this.#jsonBytes += this.#json.write(`${placeholder}"`, this.#jsonBytes, 'latin1')
    this.#state = 'between'
  }

  #reserve(bytes: number): void {
    if (this.#jsonBytes + bytes <= this.#json.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#jsonBytes + bytes))
    this.#json.copy(larger, 0, 0, this.#jsonBytes)
    this.#json = larger
  }

  #path(): string {
    return followTrail(this.#json.toString('utf8', 0, this.#jsonBytes)).path
  }
}

function unescaped(text: string): string | undefined {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return undefined
  }
}
