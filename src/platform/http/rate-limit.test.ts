import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { makeRateLimit, networkOf } from './rate-limit.ts'

describe('the rate limit', () => {
  test('lets exactly as many calls through as it says, then asks to wait, then refills', () => {
    let nowMs = 0
    const limit = makeRateLimit(60, () => nowMs)
    for (let n = 1; n <= 60; n++) assert.equal(limit.take('a')['ratelimit-remaining'], String(60 - n))
    assert.throws(
      () => limit.take('a'),
      (error) => error instanceof AppError && error.code === 1002 && error.retryAfterS === 1,
    )
    nowMs = 1_000
    assert.equal(limit.take('a')['ratelimit-remaining'], '0')
    assert.throws(() => limit.take('a'))
  })

  test('counts each key for itself', () => {
    const limit = makeRateLimit(1, () => 0)
    limit.take('a')
    limit.take('b')
    assert.throws(() => limit.take('a'))
  })

  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ] as const) {
    test(`counts ${address} as ${network}`, () => assert.equal(networkOf(address), network))
  }
})
