// What the server writes to its stderr goes into a file, so that it can outlive us. The file keeps a bound: beyond it,
// its text moves to a second file, which replaces the one before.
import { constants } from 'node:fs'
import { type FileHandle, copyFile, open, stat, truncate } from 'node:fs/promises'

export const MAX_LOG_BYTES = 5 * 2 ** 20
const CHECK_EVERY_MS = 60_000
const TAIL_BYTES = 2000

export type ServerLog = {
  file: FileHandle
  /** What the server said last. */
  tail(): Promise<string>
  close(): Promise<void>
}

/** Opens the file for a server to append to, and keeps it within its bound until closed. */
export async function openServerLog(path: string): Promise<ServerLog> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  await keepWithinBound(path)
  // A failed check is no reason to end the server; the next one may succeed.
  const timer = setInterval(() => void keepWithinBound(path).catch(() => {}), CHECK_EVERY_MS).unref()
  return {
    file,
    tail: () => readTail(path),
    close: async () => {
      clearInterval(timer)
      await file.close()
    },
  }
}

/** Moves the text of a log beyond its bound aside. Its writers append, so they go on at the new end. */
export async function keepWithinBound(path: string): Promise<void> {
  if ((await stat(path)).size <= MAX_LOG_BYTES) return
  await copyFile(path, `${path}.1`)
  await truncate(path, 0)
}

async function readTail(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - TAIL_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start)
    return buffer.toString('utf8', 0, bytesRead).trim()
  } finally {
    await file.close()
  }
}
