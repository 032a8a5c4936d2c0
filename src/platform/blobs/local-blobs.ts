// Blobs as files: `<folder>/<tenant>/ab/<sha256>`.
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { blobKey, isSha256, tenantPrefix } from './blob-key.ts'
import {
  type BlobStore,
  type BlobWriter,
  type ByteRange,
  type OpenBlob,
  type Removal,
  type StagedBlob,
  type StoredBlob,
  type WholeRead,
  STREAM_CHUNK_BYTES,
} from './blob-store.ts'
import { DirectorySync } from './directory-sync.ts'
import { asStorageError, blobMissing, errorCode } from './errors.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { asStagedFile, stageBytes, Staging } from './staging.ts'
import { drain, exactly, isWhole, readVerified, resolveRange, toStream, verified } from './verified-read.ts'
import type { WrittenBlob } from './written-apart.ts'

const STAGING = 'staging'

/** Folders remembered as lasting; forgetting one costs an fsync or two, remembering it 200 bytes. */
const KNOWN_FOLDERS = 50_000

/** Opens the store in a folder, which is made if it is not there. */
export async function openLocalBlobs(folder: string, fileSystem: FileSystem = realFileSystem): Promise<BlobStore> {
  try {
    const store = new LocalBlobs(folder, fileSystem)
    await store.prepare()
    return store
  } catch (error) {
    throw asStorageError(error)
  }
}

class LocalBlobs implements BlobStore {
  readonly #folder: string
  readonly #fileSystem: FileSystem
  readonly #staging: Staging
  readonly #directories: DirectorySync
  readonly #lastingFolders = new Set<string>()

  constructor(folder: string, fileSystem: FileSystem) {
    this.#folder = resolve(folder)
    this.#fileSystem = fileSystem
    this.#staging = new Staging(fileSystem, join(this.#folder, STAGING))
    this.#directories = new DirectorySync(fileSystem)
  }

  async prepare(): Promise<void> {
    const firstMade = await this.#fileSystem.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#staging.prepare()
    // Every folder that was just made needs its entry in the one above to be lasting.
    const made = firstMade === undefined ? [] : foldersBelow(dirname(firstMade), this.#folder)
    const changed = [this.#folder, ...made.map((folder) => dirname(folder))]
    await Promise.all(changed.map((folder) => this.#directories.sync(folder)))
  }

  begin(): Promise<BlobWriter> {
    return this.#staging.begin()
  }

  place(): string {
    return this.#staging.place()
  }

  adopt(written: WrittenBlob): StagedBlob {
    return this.#staging.adopt(written)
  }

  /**
   * The order is the promise: bytes on disk, then the name, then the folder that holds the name. Content that is there
   * already is replaced: that is atomic, heals damage, and needs no knowledge of whether the old file was ever synced.
   */
  async commit(tenantId: string, staged: StagedBlob): Promise<void> {
    const file = asStagedFile(staged)
    const target = this.#path(tenantId, file.sha256)
    try {
      const newFolders = await this.#makeFolder(dirname(target))
      await file.syncAndClose()
      await file.moveTo(target)
      const changed = [dirname(target), ...newFolders.map((folder) => dirname(folder))]
      await Promise.all(changed.map((folder) => this.#directories.sync(folder)))
      this.#remember(newFolders)
    } catch (error) {
      await file.discard()
      throw asStorageError(error)
    }
  }

  async put(tenantId: string, bytes: Uint8Array): Promise<{ sha256: string; sizeBytes: number }> {
    const staged = await stageBytes(await this.begin(), bytes)
    await this.commit(tenantId, staged)
    return { sha256: staged.sha256, sizeBytes: staged.sizeBytes }
  }

  async openRead(tenantId: string, sha256: string, range: ByteRange = {}): Promise<OpenBlob> {
    const key = blobKey(tenantId, sha256)
    const handle = await this.#open(key)
    try {
      const sizeBytes = (await handle.stat()).size
      const span = resolveRange(range, sizeBytes)
      const chunks = exactly(readChunks(handle, span), key, span.end - span.start + 1)
      const checked = isWhole(span, sizeBytes) ? verified(chunks, { key, sha256 }) : chunks
      return { stream: toStream(checked, () => handle.close()), sizeBytes }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async read(tenantId: string, sha256: string, { sizeBytes, hash }: WholeRead = {}): Promise<Buffer> {
    const key = blobKey(tenantId, sha256)
    const path = this.#path(tenantId, sha256)
    const file = await orStorageError(key, this.#fileSystem.openToRead(path))
    try {
      const size = sizeBytes ?? (await orStorageError(key, this.#fileSystem.stat(path))).size
      return await readVerified(file, { key, sha256, sizeBytes: size }, hash)
    } finally {
      file.close()
    }
  }

  async stat(tenantId: string, sha256: string): Promise<StoredBlob | undefined> {
    try {
      const { size, mtime } = await this.#fileSystem.stat(this.#path(tenantId, sha256))
      return { sha256, sizeBytes: size, modifiedAt: mtime }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw asStorageError(error)
    }
  }

  async verify(tenantId: string, sha256: string): Promise<void> {
    const { stream } = await this.openRead(tenantId, sha256)
    await drain(stream)
  }

  async remove(tenantId: string, sha256: string, options: Removal = {}): Promise<boolean> {
    const found = await this.stat(tenantId, sha256)
    if (found === undefined) return false
    if (options.onlyIfOlderThan !== undefined && found.modifiedAt >= options.onlyIfOlderThan) return false
    await options.requireLock?.()
    try {
      await this.#fileSystem.unlink(this.#path(tenantId, sha256))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw asStorageError(error)
    }
  }

  async *list(tenantId: string): AsyncIterable<StoredBlob> {
    const root = join(this.#folder, tenantPrefix(tenantId))
    for (const folder of await this.#names(root)) {
      for (const name of await this.#names(join(root, folder))) {
        const blob = isSha256(name) ? await this.stat(tenantId, name) : undefined
        if (blob !== undefined) yield blob
      }
    }
  }

  async checkWritable(): Promise<void> {
    const writer = await this.#staging.begin()
    try {
      await writer.write(Buffer.from('writable'))
      const staged = await writer.finish()
      await staged.syncAndClose()
    } catch (error) {
      throw asStorageError(error)
    } finally {
      await writer.abort()
    }
  }

  close(): Promise<void> {
    return this.#directories.close()
  }

  #path(tenantId: string, sha256: string): string {
    return `${this.#folder}/${blobKey(tenantId, sha256)}`
  }

  /**
   * Makes a blob's folder, and returns those on the way to it whose own entry is not known to last. One that is there
   * may have been made a moment ago by a process that has not synced it yet: only what we synced ourselves is trusted.
   */
  async #makeFolder(folder: string): Promise<string[]> {
    if (this.#lastingFolders.has(folder)) return []
    await this.#fileSystem.mkdir(folder, { recursive: true, mode: 0o700 })
    return foldersBelow(this.#folder, folder).filter((each) => !this.#lastingFolders.has(each))
  }

  #remember(folders: string[]): void {
    if (this.#lastingFolders.size >= KNOWN_FOLDERS) this.#lastingFolders.clear()
    for (const folder of folders) this.#lastingFolders.add(folder)
  }

  #open(key: string): Promise<FileHandle> {
    return orStorageError(key, this.#fileSystem.open(join(this.#folder, key), 'r'))
  }

  async #names(folder: string): Promise<string[]> {
    try {
      return await this.#fileSystem.readdir(folder)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw asStorageError(error)
    }
  }
}

/** What is found out about a blob that should be there. */
async function orStorageError<T>(key: string, found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? blobMissing(key) : asStorageError(error)
  }
}

/** The folders on the way from one down to another, without the first and with the last. */
function foldersBelow(top: string, folder: string): string[] {
  return folder === top || folder === dirname(folder) ? [] : [...foldersBelow(top, dirname(folder)), folder]
}

async function* readChunks(handle: FileHandle, span: { start: number; end: number }): AsyncGenerator<Buffer> {
  for (let position = span.start; position <= span.end;) {
    const length = Math.min(STREAM_CHUNK_BYTES, span.end - position + 1)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
