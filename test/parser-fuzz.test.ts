// Spoiled files for everything that reads bytes of strangers; `npm run proof:parsers` reads many more.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFuzzed, fuzzParsers } from './parser-fuzz/run.ts'

/** The same files every time, so that a change is what breaks it. */
const SEED = 20_261_115
const COUNT = 400

describe('spoiled PDF, CMS and ASN.1', () => {
  test('are read or refused: nothing is thrown that was not meant, nothing hangs, nothing takes too much', async () => {
    const fuzzed = await fuzzParsers({ seed: SEED, count: COUNT })
    assert.deepEqual(fuzzed.findings, [], describeFuzzed(fuzzed))
    assert.equal(fuzzed.inputs, COUNT)
    assert.ok(fuzzed.entries.length >= 9, fuzzed.entries.join(', '))
  })

  test('a reader that throws, is slow, never ends or takes all memory is found', async () => {
    const entryPoints = new URL('./parser-fuzz/planted.ts', import.meta.url)
    const { findings } = await fuzzParsers({ seed: 1, count: 5, entryPoints, heapMb: 64 })
    const found = new Map(findings.map(({ entry, problem }) => [entry, problem]))
    assert.match(found.get('careless') ?? '', /threw TypeError/)
    assert.match(found.get('slow') ?? '', /computed for \d+ ms/)
    assert.match(found.get('endless') ?? '', /said nothing/)
    assert.match(found.get('greedy') ?? '', /ended the process|said nothing/)
    assert.ok(!found.has('honest'))
  })
})
