import { open } from 'node:fs/promises'
import type { StagedBlob, StagedContent } from '#platform/blobs/blob-store.ts'
import { storageUnavailable } from '#platform/blobs/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { awaitContentRemoval } from './storage-statements.ts'

export type Content = { sha256: string; sizeBytes: number; contentType: string }

type NewContent = {
  tenantId: string
  staged: StagedBlob
  /** What the sender calls it. */
  claimedType?: string | undefined
  /** What somebody who has read the bytes found it to be. */
  knownType?: string
}

export const UNKNOWN_TYPE = 'application/octet-stream'
const PDF_HEADER = Buffer.from('%PDF-')
// ISO 32000-1 Annex H, note 13: readers accept the header anywhere within the first 1024 bytes.
const PDF_HEADER_WITHIN = 1024

/**
 * Makes staged bytes lasting and says what they are. PDF is told from the bytes; for the rest the sender is believed.
 * A purge that was about to remove the same content when it came again is waited for, because it may not have seen it.
 */
export async function commitContent(
  { db, blobs }: Pick<Platform, 'db' | 'blobs'>,
  { tenantId, staged, claimedType, knownType }: NewContent,
): Promise<Content> {
  const { sha256, sizeBytes } = staged
  const contentType = knownType ?? ((await isPdf(staged.content)) ? 'application/pdf' : (claimedType ?? UNKNOWN_TYPE))
  const wasThere = (await blobs.stat(tenantId, sha256)) !== undefined
  await blobs.commit(tenantId, staged)
  if (wasThere) {
    await db.transaction(tenantId, (tx) =>
      awaitContentRemoval.run(tx, { tenantId, sha256: Buffer.from(sha256, 'hex') }),
    )
    const isThere = (await blobs.stat(tenantId, sha256)) !== undefined
    if (!isThere) throw storageUnavailable(new Error(`blob ${sha256} was purged while it was stored again`))
  }
  return { sha256, sizeBytes, contentType }
}

async function isPdf(content: StagedContent): Promise<boolean> {
  const head = 'bytes' in content ? content.bytes.subarray(0, PDF_HEADER_WITHIN) : await readHead(content.path)
  return head.includes(PDF_HEADER)
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PDF_HEADER_WITHIN), 0, PDF_HEADER_WITHIN, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
