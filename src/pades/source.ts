// Where the bytes of a document come from: memory, a file, or ranged reads of an object store.
// Signing reads a few KB at the tail and streams the rest once through the hash, so no source is ever copied whole.
import { open, type FileHandle } from 'node:fs/promises'

export interface Source {
  readonly size: number
  /** The bytes from `offset`, `length` of them or as many as there are. The answer must not be changed. */
  read(offset: number, length: number): Promise<Buffer>
  /** The bytes from `start` to before `end` in order. A chunk is only good until the next one is asked for. */
  chunks(start: number, end: number): AsyncIterable<Buffer> | Iterable<Buffer>
}

export interface FileSource extends Source {
  close(): Promise<void>
}

const CHUNK_BYTES = 1024 * 1024
const BLOCK_BYTES = 4096
const MAX_CACHED_BLOCKS = 64

/** A document in memory. */
export function bufferSource(bytes: Buffer): Source {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    chunks: (start, end) => slices(bytes.subarray(start, end)),
  }
}

function* slices(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
}

/** A document in a file, which stays open until `close`. */
export async function openFileSource(path: string): Promise<FileSource> {
  const file = await open(path, 'r')
  return { ...(await fileHandleSource(file)), close: () => file.close() }
}

/** A document in a file that the caller has open. Its size is taken once, so a growing file reads as it was. */
export async function fileHandleSource(file: FileHandle): Promise<Source> {
  const { size } = await file.stat()
  const source = rangedSource(size, (offset, length) => readFromFile(file, offset, length))
  return { ...source, chunks: (start, end) => fileChunks(file, start, Math.min(end, size)) }
}

async function readFromFile(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

/** Two buffers take turns: while one is hashed, the other is filled. */
async function* fileChunks(file: FileHandle, start: number, end: number): AsyncIterable<Buffer> {
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const
  const fill = (turn: 0 | 1, at: number) => file.read(buffers[turn], 0, Math.min(CHUNK_BYTES, end - at), at)
  let turn: 0 | 1 = 0
  let filling = start < end ? fill(turn, start) : undefined
  for (let at = start; filling !== undefined;) {
    const { bytesRead } = await filling
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.')
    const chunk: Buffer = buffers[turn].subarray(0, bytesRead)
    at += bytesRead
    turn = turn === 0 ? 1 : 0
    filling = at < end ? fill(turn, at) : undefined
    yield chunk
  }
}

/** A document behind `fetchRange`, with a small cache of aligned blocks so that neighbouring objects cost one read. */
export function rangedSource(size: number, fetchRange: (offset: number, length: number) => Promise<Buffer>): Source {
  const blocks = new Map<number, Buffer>()

  async function loadBlocks(first: number, last: number): Promise<void> {
    const offset = first * BLOCK_BYTES
    const bytes = await fetchRange(offset, Math.min((last + 1) * BLOCK_BYTES, size) - offset)
    for (let block = first; block <= last; block++) {
      const at = (block - first) * BLOCK_BYTES
      // A block that is set again must count as new, or it could be thrown out before it is read.
      blocks.delete(block)
      blocks.set(block, bytes.subarray(at, at + BLOCK_BYTES))
    }
    for (const block of blocks.keys()) {
      if (blocks.size <= MAX_CACHED_BLOCKS) break
      blocks.delete(block)
    }
  }

  async function read(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, size)
    if (end <= offset) return Buffer.alloc(0)
    const first = Math.floor(offset / BLOCK_BYTES)
    const last = Math.floor((end - 1) / BLOCK_BYTES)
    if (last - first >= MAX_CACHED_BLOCKS / 2) return fetchRange(offset, end - offset)
    if (!range(first, last).every((block) => blocks.has(block))) await loadBlocks(first, last)
    const parts = range(first, last).map((block) => blocks.get(block) ?? Buffer.alloc(0))
    const joined = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    return joined.subarray(offset - first * BLOCK_BYTES, end - first * BLOCK_BYTES)
  }

  async function* chunks(start: number, end: number): AsyncIterable<Buffer> {
    for (let at = start; at < Math.min(end, size); at += CHUNK_BYTES) {
      yield await fetchRange(at, Math.min(CHUNK_BYTES, end - at, size - at))
    }
  }

  return { size, read, chunks }
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The document of `base` followed by bytes that have been appended to it, without copying the first. */
export function appendedSource(base: Source, appended: Buffer): Source {
  const size = base.size + appended.length
  const tail = (start: number, end: number) =>
    appended.subarray(Math.max(0, start - base.size), Math.max(0, end - base.size))

  async function read(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, size)
    if (offset >= base.size) return tail(offset, end)
    const head = await base.read(offset, Math.min(end, base.size) - offset)
    return end <= base.size ? head : Buffer.concat([head, tail(offset, end)])
  }

  async function* chunks(start: number, end: number): AsyncIterable<Buffer> {
    if (start < base.size) yield* base.chunks(start, Math.min(end, base.size))
    if (end > base.size) yield tail(start, end)
  }

  return { size, read, chunks }
}

/** All bytes of a source in one buffer; for small documents and tests. */
export async function readWhole(source: Source): Promise<Buffer> {
  return source.read(0, source.size)
}
