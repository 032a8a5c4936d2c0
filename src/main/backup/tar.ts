// The plain part of the tar format (POSIX 1003.1, ustar): enough for a backup that any other program can open as well.
import { open, type FileHandle } from 'node:fs/promises'

const BLOCK_BYTES = 512
const NAME_BYTES = 100
/** The folder may stand in a field of its own. */
const PREFIX = { at: 345, bytes: 155 }
/** Eleven octal digits. */
const MOST_BYTES = 8 ** 11 - 1
const READ_BYTES = 1024 * 1024

export type TarWriter = {
  add(name: string, content: Buffer): Promise<void>
  /** Ends the archive; it is on disk when this resolves. */
  finish(): Promise<void>
  abort(): Promise<void>
}

/** Writes an archive into a new file that only its owner can read. */
export async function createTar(path: string, now: Date): Promise<TarWriter> {
  const file = await open(path, 'wx', 0o600)
  const write = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
  }
  return {
    async add(name, content) {
      await write(headerOf(name, content.length, now))
      await write(content)
      await write(Buffer.alloc(paddingOf(content.length)))
    },
    async finish() {
      await write(Buffer.alloc(2 * BLOCK_BYTES))
      await file.sync()
      await file.close()
    },
    abort: () => file.close(),
  }
}

function headerOf(name: string, sizeBytes: number, now: Date): Buffer {
  const slash = name.lastIndexOf('/')
  const [folder, own] = slash < 0 ? ['', name] : [name.slice(0, slash), name.slice(slash + 1)]
  if (Buffer.byteLength(own) > NAME_BYTES || Buffer.byteLength(folder) > PREFIX.bytes) {
    throw new Error(`${name} is too long for an archive`)
  }
  if (sizeBytes > MOST_BYTES) throw new Error(`${name} is too large for an archive`)
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(own, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(sizeBytes, 11), 124)
  header.write(octal(Math.floor(now.getTime() / 1000), 11), 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(folder, PREFIX.at)
  // The checksum is counted as if it were spaces.
  header.fill(' ', 148, 156)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const sumOf = (header: Buffer) => header.reduce((sum, byte) => sum + byte, 0)
const paddingOf = (sizeBytes: number) => (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES

export type TarEntry = { name: string; sizeBytes: number; content(): Promise<Buffer> }

/** The files of an archive, in order. What is cut off or no archive throws. */
export async function* readTar(path: string): AsyncGenerator<TarEntry> {
  const file = await open(path, 'r')
  try {
    for (let at = 0; ;) {
      const header = await readAt(file, at, BLOCK_BYTES)
      if (header.every((byte) => byte === 0)) return
      const { name, sizeBytes } = parseHeader(header)
      const start = at + BLOCK_BYTES
      yield { name, sizeBytes, content: () => readAt(file, start, sizeBytes) }
      at = start + sizeBytes + paddingOf(sizeBytes)
    }
  } finally {
    await file.close()
  }
}

function parseHeader(header: Buffer): { name: string; sizeBytes: number } {
  const textAt = (from: number, to: number) => header.toString('utf8', from, to).replace(/\0.*$/s, '')
  const sum = Number.parseInt(textAt(148, 156), 8)
  const blank = Buffer.from(header).fill(' ', 148, 156)
  const sizeBytes = Number.parseInt(textAt(124, 136), 8)
  if (sum !== sumOf(blank) || !Number.isSafeInteger(sizeBytes))
    throw new Error('this is not an archive, or it is damaged')
  const folder = textAt(PREFIX.at, PREFIX.at + PREFIX.bytes)
  return { name: folder === '' ? textAt(0, NAME_BYTES) : `${folder}/${textAt(0, NAME_BYTES)}`, sizeBytes }
}

async function readAt(file: FileHandle, at: number, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(sizeBytes)
  for (let done = 0; done < sizeBytes;) {
    const { bytesRead } = await file.read(bytes, done, Math.min(READ_BYTES, sizeBytes - done), at + done)
    if (bytesRead === 0) throw new Error('the archive is cut off')
    done += bytesRead
  }
  return bytes
}
