import { readFile } from 'node:fs/promises'
import type { StagedBlob } from '../blob-store.ts'

/** The bytes of a staged blob, wherever they are. */
export async function readStaged({ content }: StagedBlob): Promise<Buffer> {
  return 'bytes' in content ? content.bytes : readFile(content.path)
}
