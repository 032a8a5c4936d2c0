// The calls that storage makes, as a value: tests watch their order and make them fail.
import { closeSync, open, read } from 'node:fs'
import * as nodeFileSystem from 'node:fs/promises'
import { promisify } from 'node:util'

/** A file that is only read, and so is closed at once: there is nothing to be written first. */
export type OpenFile = {
  read(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): void
}

export type FileSystem = Pick<typeof nodeFileSystem, 'open' | 'rename' | 'unlink' | 'mkdir' | 'readdir' | 'stat'> & {
  /** For a file that is read as a whole: a FileHandle would cost a third more than reading a small one does. */
  openToRead(path: string): Promise<OpenFile>
}

const openDescriptor = promisify(open)
const readDescriptor = promisify(read)

async function openToRead(path: string): Promise<OpenFile> {
  const fd = await openDescriptor(path, 'r')
  return {
    read: (bytes, offset, length, position) => readDescriptor(fd, bytes, offset, length, position),
    close: () => closeSync(fd),
  }
}

export const realFileSystem: FileSystem = { ...nodeFileSystem, openToRead }
