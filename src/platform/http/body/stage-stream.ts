import type { Readable } from 'node:stream'
import type { BlobWriter, StagedBlob } from '#platform/blobs/blob-store.ts'
import { AppError } from '#platform/errors.ts'
import { bodyCut, documentTooLarge } from './errors.ts'
import { fairTurn } from './fair-turn.ts'

const PIECE_BYTES = 65_536

/**
 * A body in pieces that are quick to work through, however large its chunks. A broken connection is a cut body. The
 * stream outlives a refusal: destroying it would take down the socket that the answer goes out on.
 */
export async function* piecesOf(source: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        await fairTurn()
        yield bytes.subarray(at, at + PIECE_BYTES)
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : bodyCut(error)
  }
}

/** Stages a body that is nothing but a document. Whatever goes wrong, nothing stays staged. */
export async function stageStream(
  source: Readable,
  writer: BlobWriter,
  { maxBytes }: { maxBytes: number },
): Promise<StagedBlob> {
  try {
    for await (const piece of piecesOf(source)) await writeWithin(writer, piece, maxBytes)
    return await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** Writes, unless the document would grow beyond its limit. */
export async function writeWithin(
  writer: BlobWriter,
  bytes: Buffer,
  maxBytes: number,
  path = 'The body',
): Promise<void> {
  if (writer.sizeBytes + bytes.length > maxBytes) throw documentTooLarge(path, maxBytes)
  if (bytes.length > 0) await writer.write(bytes)
}
