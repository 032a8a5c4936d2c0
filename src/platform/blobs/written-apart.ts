// A blob that another thread of this process writes as a whole. A file that goes through the pool of threads step by step
// costs more in waking them than in writing it. That thread only writes; making the file lasting stays with the store.
import { hash } from 'node:crypto'
import { closeSync, fsync, openSync, unlinkSync, writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

export type WrittenBlob = { path: string; fd: number; sha256: string; sizeBytes: number }

/**
 * Writes a new file, which stays open for whoever makes it lasting; nothing is left of it where that fails. Whoever knows its
 * SHA-256 already saves hashing it.
 */
export function writeBlob(path: string, bytes: Uint8Array, sha256 = hash('sha256', bytes, 'hex')): WrittenBlob {
  const fd = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
  } catch (error) {
    closeSync(fd)
    unlinkSync(path)
    throw error
  }
  return { path, fd, sha256, sizeBytes: bytes.length }
}

const sync = promisify(fsync)

/** The handle that another thread has opened: file descriptors are those of the whole process. */
export function handleOf({ fd }: WrittenBlob): Pick<FileHandle, 'sync' | 'close'> {
  // What has been synced closes at once.
  return { sync: () => sync(fd), close: async () => closeSync(fd) }
}
