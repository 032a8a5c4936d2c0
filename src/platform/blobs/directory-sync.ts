import type { FileSystem } from './file-system.ts'

/**
 * Makes folder entries lasting. Calls for one folder share their fsyncs: whoever comes while one is running waits for
 * the next, which all latecomers share, because only an fsync begun after a rename is sure to cover it.
 */
export class DirectorySync {
  readonly #fileSystem: FileSystem
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

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
    const running = syncFolder(this.#fileSystem, folder).finally(() => {
      if (this.#running.get(folder) === running) this.#running.delete(folder)
    })
    this.#running.set(folder, running)
    return running
  }
}

async function syncFolder(fileSystem: FileSystem, folder: string): Promise<void> {
  if (process.platform === 'win32') return // Windows can't flush a folder and journals renames by itself.
  const handle = await fileSystem.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
