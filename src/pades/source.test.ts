import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { PrefixHash } from './prefix-hash.ts'
import { appendedSource, bufferSource, openFileSource, rangedSource, readWhole, type Source } from './source.ts'

const BYTES = randomBytes(3_000_000)

describe('sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pades-source-'))
  const path = join(folder, 'bytes')
  writeFileSync(path, BYTES)
  after(() => rmSync(folder, { recursive: true }))

  const ranged = () => rangedSource(BYTES.length, async (offset, length) => BYTES.subarray(offset, offset + length))
  const split = () => appendedSource(bufferSource(BYTES.subarray(0, 2_000_001)), BYTES.subarray(2_000_001))

  async function requireSameBytes(source: Source): Promise<void> {
    const span = fc.record({ offset: fc.nat(BYTES.length + 10), length: fc.oneof(fc.nat(5000), fc.nat(400_000)) })
    await fc.assert(
      fc.asyncProperty(span, async ({ offset, length }) => {
        assert((await source.read(offset, length)).equals(BYTES.subarray(offset, offset + length)))
      }),
      { numRuns: 100 },
    )
    const hash = createHash('sha256')
    for await (const chunk of source.chunks(5, source.size)) hash.update(chunk)
    assert.equal(hash.digest('hex'), createHash('sha256').update(BYTES.subarray(5)).digest('hex'))
  }

  test('memory gives the bytes asked for', () => requireSameBytes(bufferSource(BYTES)))
  test('ranged reads give the bytes asked for', () => requireSameBytes(ranged()))
  test('a document and what was appended to it read as one', () => requireSameBytes(split()))

  test('a file gives the bytes asked for, even while it grows', async () => {
    const source = await openFileSource(path)
    try {
      appendFileSync(path, 'more')
      await requireSameBytes(source)
      assert.equal((await readWhole(source)).length, BYTES.length)
    } finally {
      await source.close()
    }
  })

  test('neighbouring reads cost one fetch', async () => {
    let fetches = 0
    const source = rangedSource(BYTES.length, async (offset, length) => {
      fetches++
      return BYTES.subarray(offset, offset + length)
    })
    for (let offset = 0; offset < 4000; offset += 20) await source.read(offset, 20)
    assert.equal(fetches, 1)
  })
})

describe('the hash of a document so far', () => {
  test('forks continue on their own, and additions are remembered', async () => {
    const prefix = await PrefixHash.of(bufferSource(BYTES), ['sha256', 'sha384'])
    const whole = (algorithm: string, ...parts: string[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash(algorithm).update(BYTES)).digest('hex')
    assert.equal(prefix.fork('sha256').update('a').digest('hex'), whole('sha256', 'a'))
    assert.equal(prefix.fork('sha384').digest('hex'), whole('sha384'))
    prefix.append(Buffer.from('b'))
    assert.equal(prefix.length, BYTES.length + 1)
    assert.equal(prefix.fork('sha256').update('c').digest('hex'), whole('sha256', 'b', 'c'))
    assert.throws(() => prefix.fork('sha512'))
  })
})
