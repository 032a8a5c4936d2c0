import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { letGo } from './let-go.ts'

describe('letting go of bytes', () => {
  test('gives their memory back at once', () => {
    const bytes = Buffer.alloc(100_000, 1)
    const part = bytes.subarray(0, 10)
    letGo(bytes)
    assert.deepEqual([bytes.length, part.length], [0, 0])
  })

  test('leaves alone what is a part of a larger buffer', () => {
    const whole = Buffer.alloc(100_000, 1)
    letGo(whole.subarray(0, 50_000))
    letGo(whole.subarray(50_000))
    assert.ok(whole.equals(Buffer.alloc(100_000, 1)))
  })

  test('does no harm the second time', () => {
    const bytes = Buffer.alloc(100_000, 1)
    letGo(bytes)
    letGo(bytes)
    assert.equal(bytes.length, 0)
  })
})
