import type { BlobStore } from './blob-store.ts'
import { openLocalBlobs } from './local-blobs.ts'
import { parseStorageAddress } from './storage-address.ts'

/** Opens the store that an address names. `scratchFolder` is where documents for a bucket wait for their upload. */
export async function openBlobStore(address: string, options: { scratchFolder: string }): Promise<BlobStore> {
  const storage = parseStorageAddress(address)
  if (storage.kind === 'folder') return openLocalBlobs(storage.folder)
  const { openS3Blobs } = await import('./s3-blobs.ts') // the client is large, and most installations have no bucket
  return openS3Blobs({ ...storage, scratchFolder: options.scratchFolder })
}
