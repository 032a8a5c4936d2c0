import assert from 'node:assert/strict'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { MAX_LOG_BYTES, keepWithinBound, openServerLog } from './server-log.ts'
import { sharedBuffersMb } from './settings.ts'
import { makeScratch } from './testing/scratch.ts'

describe("the embedded server's log", () => {
  test('moves aside beyond its bound, and its writer goes on at the new end', async (t) => {
    const path = join(makeScratch(t), 'pg.log')
    const log = await openServerLog(path)
    t.after(() => log.close())
    assert.equal(statSync(path).mode & 0o777, 0o600)
    await log.file.write('x'.repeat(MAX_LOG_BYTES + 1))
    await keepWithinBound(path)
    await log.file.write('after\n')
    assert.equal(readFileSync(path, 'utf8'), 'after\n')
    assert.equal(statSync(`${path}.1`).size, MAX_LOG_BYTES + 1)
    assert.equal(await log.tail(), 'after')
  })

  test('within its bound it stays as it is', async (t) => {
    const path = join(makeScratch(t), 'pg.log')
    writeFileSync(path, 'x'.repeat(MAX_LOG_BYTES))
    await keepWithinBound(path)
    assert.equal(statSync(path).size, MAX_LOG_BYTES)
  })

  test('a link in its place is not followed', async (t) => {
    const folder = makeScratch(t)
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'pg.log'))
    await assert.rejects(openServerLog(join(folder, 'pg.log')), /ELOOP/)
  })

  test('shared memory follows the machine, within bounds', () => {
    assert.deepEqual([2 ** 28, 2 ** 31, 2 ** 35].map(sharedBuffersMb), [32, 128, 256])
  })
})
