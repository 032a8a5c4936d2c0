// A zip archive with its files as they are (method "store"): documents hardly shrink, and anything can open it.
// APPNOTE.TXT 4.3: a local header and the bytes for each file, then the central directory and its end.
import { crc32 } from 'node:zlib'

export type ZipFile = { name: string; bytes: Buffer }

const UTF8_NAMES = 0x0800
const VERSION = 20
/** Names of archives made on DOS are taken for that system's letters by some, whatever the flag above says. */
const MADE_ON_UNIX = 3 << 8
/** As everybody may read it: -rw-r--r--. */
const PLAIN_FILE = (0o100644 << 16) >>> 0
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Without the 64-bit extension, sizes and offsets have 32 bits and the count 16. */
const MOST_BYTES = 0xffff_fff0
const MOST_FILES = 0xfff0

/** The archive piece by piece, with one file in memory at a time. Names must differ; `at` is the time of every file. */
export async function* zipFiles(files: AsyncIterable<ZipFile>, at: Date): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, bytes } of files) {
    const shared = sharedHeader(name, bytes, at)
    const local = Buffer.concat([uint32(LOCAL), shared, Buffer.from(name)])
    directory.push(centralHeader(shared, name, offset))
    offset += local.length + bytes.length
    if (directory.length > MOST_FILES || offset > MOST_BYTES) throw new RangeError('too much for one archive')
    yield local
    yield bytes
  }
  const central = Buffer.concat(directory)
  yield central
  yield endRecord(directory.length, central.length, offset)
}

/** What local and central headers have in common. */
function sharedHeader(name: string, bytes: Buffer, at: Date): Buffer {
  const header = Buffer.alloc(26)
  header.writeUInt16LE(VERSION, 0)
  header.writeUInt16LE(UTF8_NAMES, 2)
  header.writeUInt32LE(dosTime(at), 6)
  header.writeUInt32LE(crc32(bytes), 10)
  header.writeUInt32LE(bytes.length, 14)
  header.writeUInt32LE(bytes.length, 18)
  header.writeUInt16LE(Buffer.byteLength(name), 22)
  return header
}

function centralHeader(shared: Buffer, name: string, offset: number): Buffer {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(PLAIN_FILE, 6)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([uint32(CENTRAL), uint16(MADE_ON_UNIX | VERSION), shared, rest, Buffer.from(name)])
}

function endRecord(count: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directoryBytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/** Two seconds are the finest that it can tell, and 1980 is its beginning. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
