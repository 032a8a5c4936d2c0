// Bytes on their way into storage: small ones in memory, the rest in a file each, in a folder of their own. Nothing of it
// has been promised to anybody.
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { invariantBroken } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { type BlobWriter, type StagedBlob, type StagedContent, STREAM_CHUNK_BYTES } from './blob-store.ts'
import { asStorageError, errorCode } from './errors.ts'
import type { FileSystem } from './file-system.ts'
import { handleOf, type WrittenBlob } from './written-apart.ts'

const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/** What all small blobs together may take in memory before they go to files like large ones. */
const MOST_HELD_BYTES = 32 * 1024 * 1024
let heldBytes = 0

// Process ids repeat between machines, containers and boots that share a folder, so where they count is part of the owner.
const MACHINE = createHash('sha256').update(whereProcessIdsCount()).digest('hex').slice(0, 12)
const OWNER = `${MACHINE}-${process.pid}-`

export class Staging {
  readonly #fileSystem: FileSystem
  readonly #folder: string

  constructor(fileSystem: FileSystem, folder: string) {
    this.#fileSystem = fileSystem
    this.#folder = folder
  }

  /** Makes the folder, and clears what crashed processes left in it: at once where it is certain that they ended, else after a day. */
  async prepare(): Promise<void> {
    await this.#fileSystem.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of await this.#fileSystem.readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const modifiedAt = await this.#modifiedAt(path)
      const keepSince = keepSinceFor(name)
      if (modifiedAt !== undefined && modifiedAt < keepSince) await removeIfThere(this.#fileSystem, path)
    }
  }

  async begin(): Promise<StagedFileWriter> {
    return new StagedFileWriter(new StagedFile(this.#fileSystem, this.place()))
  }

  /** A path in the folder that nobody else has. */
  place(): string {
    return `${this.#folder}/${OWNER}${newId()}`
  }

  /** Takes over a file that another thread has written as a whole. */
  adopt(written: WrittenBlob): StagedFileBlob {
    const file = new StagedFile(this.#fileSystem, written.path, handleOf(written))
    return new StagedFileBlob(file, { ...written, held: undefined })
  }

  async #modifiedAt(path: string): Promise<number | undefined> {
    try {
      return (await this.#fileSystem.stat(path)).mtimeMs
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined // another process clears the same folder
      throw error
    }
  }
}

/** Files of this owner that are older are nobody's any more. */
function keepSinceFor(name: string): number {
  if (name.startsWith(OWNER)) return performance.timeOrigin // our pid was another process's before
  const pid = name.startsWith(`${MACHINE}-`) ? Number(name.split('-')[1]) : undefined
  return pid !== undefined && hasEnded(pid) ? Infinity : Date.now() - LEFTOVER_AGE_MS
}

/** The boot and the namespace in which a pid means one process; elsewhere than on Linux only the host is known. */
function whereProcessIdsCount(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + readlinkSync('/proc/self/ns/pid')
  } catch {
    return hostname()
  }
}

/** Whether a process of this machine has certainly ended: it is not listed any more, or is dead and waits to be buried. */
function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === ''
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}

/** What another thread has written is whole, so that nothing more can be written to it. */
type StagedHandle = Pick<FileHandle, 'sync' | 'close'> & Partial<Pick<FileHandle, 'writev'>>

/**
 * One file of the staging folder, made by its first write, with the handle that wrote it: an fsync through another
 * handle may miss its errors.
 */
class StagedFile {
  readonly path: string
  readonly #fileSystem: FileSystem
  #handle: StagedHandle | undefined
  #isOpen: boolean
  #isOurs = true

  /** With the handle of whoever has written it already. */
  constructor(fileSystem: FileSystem, path: string, handle?: StagedHandle) {
    this.#fileSystem = fileSystem
    this.path = path
    this.#handle = handle
    this.#isOpen = handle !== undefined
  }

  async write(chunks: Uint8Array[]): Promise<void> {
    if (!this.#isOurs) throw invariantBroken('nothing is written to a staged blob that is gone')
    if (this.#handle === undefined) {
      this.#handle = await this.#fileSystem.open(this.path, 'wx', 0o600)
      this.#isOpen = true
    }
    await writeAll(this.#handle, chunks)
  }

  /** After a failed fsync the kernel may have dropped the pages and report success the next time: never try again. */
  async syncAndClose(): Promise<void> {
    if (!this.#isOpen) throw invariantBroken('a staged blob is committed once')
    await this.#handle!.sync()
    await this.#close()
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await this.#handle!.close()
  }

  async moveTo(target: string): Promise<void> {
    if (!this.#isOurs) throw invariantBroken('a staged blob is committed once')
    await this.#fileSystem.rename(this.path, target)
    this.#isOurs = false
  }

  async remove(): Promise<void> {
    if (!this.#isOurs) return
    this.#isOurs = false
    if (this.#handle === undefined) return
    await this.#close().catch(() => undefined) // the bytes are unwanted, so a late write error is no news
    // What can't be removed, on a disk that takes no more writes for one, is swept by a later start. The caller is told why
    // it could not be written, not that it could not be tidied up.
    await this.#fileSystem.unlink(this.path).catch(() => undefined)
  }
}

export class StagedFileWriter implements BlobWriter {
  readonly #file: StagedFile
  readonly #hash = createHash('sha256')
  #sizeBytes = 0
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #flush: Promise<void> | undefined
  #isEnded = false

  constructor(file: StagedFile) {
    this.#file = file
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Hashes and gathers; one write to the disk runs while the next chunks are gathered. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#isEnded) throw invariantBroken('nothing is written to a blob that has ended')
    this.#hash.update(chunk)
    this.#sizeBytes += chunk.length
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    if (this.#pendingBytes >= STREAM_CHUNK_BYTES) await this.#flushPending()
  }

  async finish(): Promise<StagedFileBlob> {
    if (this.#isEnded) throw invariantBroken('a blob is finished once')
    this.#isEnded = true
    const held = this.#holdAll()
    if (held === undefined) {
      await this.#flushPending()
      await this.#settle()
    }
    return new StagedFileBlob(this.#file, { sha256: this.#hash.digest('hex'), sizeBytes: this.#sizeBytes, held })
  }

  async abort(): Promise<void> {
    this.#isEnded = true
    await this.#flush?.catch(() => undefined)
    await this.#file.remove()
  }

  /** Everything in one piece, where nothing has gone to the file yet and there is room in memory. */
  #holdAll(): Buffer | undefined {
    if (this.#flush !== undefined || heldBytes + this.#sizeBytes > MOST_HELD_BYTES) return undefined
    heldBytes += this.#sizeBytes
    const [only, ...more] = this.#pending
    const isOnePiece = only instanceof Buffer && more.length === 0
    return isOnePiece ? only : Buffer.concat(this.#pending)
  }

  async #flushPending(): Promise<void> {
    const chunks = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    await this.#settle()
    this.#flush = this.#file.write(chunks)
    this.#flush.catch(() => undefined) // told to the next write, finish or abort
  }

  async #settle(): Promise<void> {
    try {
      await this.#flush
    } catch (error) {
      await this.abort()
      throw asStorageError(error)
    }
  }
}

export class StagedFileBlob implements StagedBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly #file: StagedFile
  #held: Buffer | undefined

  constructor(
    file: StagedFile,
    { sha256, sizeBytes, held }: { sha256: string; sizeBytes: number; held: Buffer | undefined },
  ) {
    this.#file = file
    this.sha256 = sha256
    this.sizeBytes = sizeBytes
    this.#held = held
  }

  get content(): StagedContent {
    return this.#held === undefined ? { path: this.#file.path } : { bytes: this.#held }
  }

  async syncAndClose(): Promise<void> {
    if (this.#held !== undefined) await this.#file.write([this.#held])
    this.#letGo()
    await this.#file.syncAndClose()
  }

  moveTo(target: string): Promise<void> {
    return this.#file.moveTo(target)
  }

  discard(): Promise<void> {
    this.#letGo()
    return this.#file.remove()
  }

  #letGo(): void {
    heldBytes -= this.#held?.length ?? 0
    this.#held = undefined
  }
}

/** The staged blob as this module made it; nothing else can be committed. */
export function asStagedFile(staged: StagedBlob): StagedFileBlob {
  if (!(staged instanceof StagedFileBlob)) throw invariantBroken('a blob is committed as its writer staged it')
  return staged
}

async function removeIfThere(fileSystem: FileSystem, path: string): Promise<void> {
  try {
    await fileSystem.unlink(path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** Writes bytes that are in memory already, a piece at a time so that hashing never holds up other requests. */
export async function stageBytes(writer: BlobWriter, bytes: Uint8Array): Promise<StagedBlob> {
  for (let start = 0; start < bytes.length; start += STREAM_CHUNK_BYTES) {
    await writer.write(bytes.subarray(start, start + STREAM_CHUNK_BYTES))
  }
  return writer.finish()
}

/** writev may write less than it was given, on a disk that is nearly full for one; this goes on until all is written. */
async function writeAll(handle: StagedHandle, chunks: Uint8Array[]): Promise<void> {
  if (handle.writev === undefined) throw invariantBroken('nothing is written to a staged blob that is whole')
  for (let rest = withoutFirst(chunks, 0); rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest)
    if (bytesWritten === 0) throw invariantBroken('a write either makes progress or fails')
    rest = withoutFirst(rest, bytesWritten)
  }
}

function withoutFirst(chunks: Uint8Array[], sizeBytes: number): Uint8Array[] {
  let skip = sizeBytes
  return chunks.flatMap((chunk) => {
    const from = Math.min(skip, chunk.length)
    skip -= from
    return from === chunk.length ? [] : [chunk.subarray(from)]
  })
}
