// Where documents lie: bytes found by their SHA-256, each tenant's apart from every other's.
//
// Writing has two steps, so that bytes reach the disk while a request is still being parsed and nothing of a refused
// request is ever kept: a writer stages the bytes beside the store, and commit() makes them lasting. What commit() has
// resolved for survives a power cut. A staged blob that is not committed must be discarded.
import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { WrittenBlob } from './written-apart.ts'

export type BlobWriter = {
  /** Takes the next bytes; await it, that is the back-pressure. The chunk must not be changed afterwards. */
  write(chunk: Uint8Array): Promise<void>
  /** Bytes taken so far. */
  readonly sizeBytes: number
  /** Ends the writing. The blob is staged, not yet stored. */
  finish(): Promise<StagedBlob>
  /** Removes whatever was written; harmless at any time, also after finish(). */
  abort(): Promise<void>
}

export type StagedBlob = {
  readonly sha256: string
  readonly sizeBytes: number
  /** Where the bytes are until the blob is committed or discarded: small ones in memory, the rest in a file. */
  readonly content: StagedContent
  /** Removes the staged bytes; does nothing once they are committed or gone. */
  discard(): Promise<void>
}

export type StagedContent = { bytes: Buffer } | { path: string }

export type StoredBlob = { sha256: string; sizeBytes: number; modifiedAt: Date }

/** Offsets of the first and the last byte, both included, as in HTTP. */
export type ByteRange = { start?: number; end?: number }

export type WholeRead = {
  /** How many bytes there are: whoever knows it saves a question. */
  sizeBytes?: number
  /** A SHA-256 that nothing has gone into yet. All bytes go into it, for whoever needs the hash of what begins with them. */
  hash?: Hash
}

export type OpenBlob = { stream: Readable; /** of the whole blob, also for a range */ sizeBytes: number }

export type Removal = {
  onlyIfOlderThan?: Date
  /**
   * Asked right before the bytes go, and throws where the lock is gone by then: looking how old they are may take long. A
   * bucket takes twenty seconds at most after it, so a lock that is there must last for longer.
   */
  requireLock?: () => Promise<unknown>
}

export type BlobStore = {
  begin(): Promise<BlobWriter>
  /** Makes a staged blob lasting under the tenant. Content that is there already is refreshed, never doubled. */
  commit(tenantId: string, staged: StagedBlob): Promise<void>
  /** A path for a blob that another thread writes as a whole; nobody else has it. */
  place(): string
  /** Takes over what was written there. The blob is staged, not yet stored. */
  adopt(written: WrittenBlob): StagedBlob
  put(tenantId: string, bytes: Uint8Array): Promise<{ sha256: string; sizeBytes: number }>
  /**
   * Opens a blob for reading. A whole read is hashed on its way, and the stream fails before its last bytes if the hash
   * is wrong, so damage is never served as a complete document. A range can't be checked that way: verify() can.
   */
  openRead(tenantId: string, sha256: string, range?: ByteRange): Promise<OpenBlob>
  /** All bytes of a blob in one piece, for those who work with the whole. They are the ones that were stored, or it throws. */
  read(tenantId: string, sha256: string, options?: WholeRead): Promise<Buffer>
  /** What is stored, without reading it; undefined where there is none. */
  stat(tenantId: string, sha256: string): Promise<StoredBlob | undefined>
  /** Reads everything and throws unless the bytes are still the ones that were stored. */
  verify(tenantId: string, sha256: string): Promise<void>
  /**
   * Removes a blob and says whether it did. With `onlyIfOlderThan`, one that was stored again since then stays. A blob's
   * age counts from its last upload, so a collector passes a time that lies longer before its search for references
   * than any upload lasts, and holds off commits of the same content by a lock while it removes.
   */
  remove(tenantId: string, sha256: string, options?: Removal): Promise<boolean>
  /** Every blob of a tenant, in no particular order. */
  list(tenantId: string): AsyncIterable<StoredBlob>
  /** Throws where a document could not be stored right now. */
  checkWritable(): Promise<void>
  close(): Promise<void>
}

/** Bytes that go between two layers at a time: large enough for speed, small enough for a fair event loop. */
export const STREAM_CHUNK_BYTES = 262_144
