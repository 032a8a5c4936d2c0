import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { invariantBroken } from '#platform/errors.ts'
import { type ByteRange, STREAM_CHUNK_BYTES } from './blob-store.ts'
import { blobCorrupt } from './errors.ts'
import type { OpenFile } from './file-system.ts'

/** The first and last byte that a range means in a blob of this size; throws where it lies outside. */
export function resolveRange({ start = 0, end }: ByteRange, sizeBytes: number): { start: number; end: number } {
  const last = end ?? sizeBytes - 1
  if (start < 0 || last >= sizeBytes || start > last + 1) throw invariantBroken('a range lies inside its blob')
  return { start, end: last }
}

/** Whether a range names every byte, so that the hash can be checked. */
export function isWhole(range: { start: number; end: number }, sizeBytes: number): boolean {
  return range.start === 0 && range.end === sizeBytes - 1
}

/**
 * Passes the chunks on while hashing them. The last chunk waits for the verdict, so that a reader of damaged bytes
 * always comes up short of the promised length.
 */
export async function* verified(
  source: AsyncIterable<Buffer>,
  expected: { key: string; sha256: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  for await (const chunk of source) {
    hash.update(chunk)
    if (held !== undefined) yield held
    held = chunk
  }
  const found = hash.digest('hex')
  if (found !== expected.sha256) throw blobCorrupt(expected.key, `its SHA-256 is ${found}`)
  if (held !== undefined) yield held
}

type Expected = { key: string; sha256: string; sizeBytes: number }

/** A file as a whole, hashed a piece at a time so that a large one never holds up the others. */
export async function readVerified(
  file: Pick<OpenFile, 'read'>,
  { key, sha256, sizeBytes }: Expected,
  hash = createHash('sha256'),
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes)
  for (let position = 0; position < sizeBytes;) {
    const length = Math.min(STREAM_CHUNK_BYTES, sizeBytes - position)
    const { bytesRead } = await file.read(bytes, position, length, position)
    if (bytesRead === 0) throw blobCorrupt(key, `${position} bytes came where ${sizeBytes} were promised`)
    hash.update(bytes.subarray(position, position + bytesRead))
    position += bytesRead
  }
  const found = hash.copy().digest('hex')
  if (found !== sha256) throw blobCorrupt(key, `its SHA-256 is ${found}`)
  return bytes
}

/** Fails where a source ends before, or goes on after, the bytes that were promised. */
export async function* exactly(source: AsyncIterable<Buffer>, key: string, sizeBytes: number): AsyncGenerator<Buffer> {
  let seen = 0
  for await (const chunk of source) {
    seen += chunk.length
    if (seen > sizeBytes) break
    yield chunk
  }
  if (seen !== sizeBytes) throw blobCorrupt(key, `${seen} bytes came where ${sizeBytes} were promised`)
}

/** The chunks as a stream. `release` runs when it closes, also where it was dropped before the first byte was read. */
export function toStream(source: AsyncIterable<Buffer>, release: () => Promise<void>): Readable {
  const stream = Readable.from(source, { objectMode: false, highWaterMark: STREAM_CHUNK_BYTES })
  return stream.once('close', () => {
    release().catch(() => undefined) // closing what was only read loses nothing
  })
}

/** Reads to the end and keeps nothing: throws whatever the source throws. */
export async function drain(source: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of source);
}
