import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file that only its owner can read, whole or not at all: neither a kill nor a power cut leaves half of it. */
export function writeLasting(file: string, text: string): void {
  const unfinished = `${file}.new`
  const fd = openSync(unfinished, 'w', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(unfinished, file)
  syncFolder(dirname(file))
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return // Windows can't flush a folder and journals renames by itself.
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
