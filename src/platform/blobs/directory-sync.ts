import type { FileHandle } from 'node:fs/promises'
import type { FileSystem } from './file-system.ts'

/** Folders that stay open: opening and closing one costs more of the processor than its fsync. */
const MOST_OPEN = 256

/**
 * Makes folder entries lasting. Calls for one folder share their fsyncs: whoever comes while one is running waits for
 * the next, which all latecomers share, because only an fsync begun after a rename is sure to cover it. Nobody removes a
 * folder while the service runs, so the one that is open is the one that has the name.
 */
export class DirectorySync {
  readonly #fileSystem: FileSystem
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()
  /** The one that was needed last comes last. */
  readonly #open = new Map<string, Promise<FileHandle>>()

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem
  }

  /** Resolves once an fsync of the folder that began after this call has succeeded. */
  sync(folder: string): Promise<void> {
    const running = this.#running.get(folder)
    if (running === undefined) return this.#start(folder)
    const waiting = this.#next.get(folder)
    if (waiting !== undefined) return waiting
    const afterRunning = (): Promise<void> => {
      this.#next.delete(folder)
      return this.#start(folder)
    }
    // The failure of the one before belongs to those who asked for it.
    const next = running.then(afterRunning, afterRunning)
    this.#next.set(folder, next)
    return next
  }

  #start(folder: string): Promise<void> {
    const running = this.#syncFolder(folder).finally(() => {
      if (this.#running.get(folder) === running) this.#running.delete(folder)
    })
    this.#running.set(folder, running)
    return running
  }

  /** After a failed fsync the kernel may report success the next time, so the handle that has heard of it goes. */
  async #syncFolder(folder: string): Promise<void> {
    if (process.platform === 'win32') return // Windows can't flush a folder and journals renames by itself.
    try {
      const handle = await this.#keepOpen(folder)
      await handle.sync()
    } catch (error) {
      await this.#close(folder)
      throw error
    }
  }

  #keepOpen(folder: string): Promise<FileHandle> {
    const handle = this.#open.get(folder) ?? this.#fileSystem.open(folder, 'r')
    this.#open.delete(folder)
    if (this.#open.size >= MOST_OPEN) {
      const idle = [...this.#open.keys()].find((other) => !this.#running.has(other))
      if (idle !== undefined) void this.#close(idle)
    }
    this.#open.set(folder, handle)
    return handle
  }

  async #close(folder: string): Promise<void> {
    const handle = this.#open.get(folder)
    this.#open.delete(folder)
    await handle?.then((opened) => opened.close()).catch(() => undefined) // Nothing was written through it.
  }

  /** Closes the folders that nobody waits for any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((folder) => this.#close(folder)))
  }
}
