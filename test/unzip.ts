// Opens an archive of stored files by its central directory, and checks each file's checksum: a second opinion.
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'

export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let index = 0; index < count; index++) {
    assert.equal(archive.toString('latin1', at, at + 4), 'PK\u0001\u0002')
    // Else names beyond ASCII are spoiled by unzip, or files that nobody may read come out of it.
    assert.deepEqual([archive[at + 5], archive.readUInt32LE(at + 38) >>> 16], [3, 0o100644], 'made on Unix, readable')
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(start, start + archive.readUInt32LE(at + 24))
    assert.equal(crc32(bytes), archive.readUInt32LE(at + 16), name)
    assert.ok(!files.has(name), `${name} twice`)
    files.set(name, bytes)
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}
