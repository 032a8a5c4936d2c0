import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reply } from '#platform/outbound/sender.ts'
import { judgeReply } from './judge-reply.ts'
import { nextTryAt, readRetryAfter, RETRY_AFTER_S } from './retry-schedule.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const secondsUntil = (at: Date | undefined) => (at === undefined ? undefined : (at.getTime() - NOW.getTime()) / 1000)

describe('the schedule of retries', () => {
  const failure = { at: NOW, isOverloaded: false, retryAfterS: undefined }

  test('is the published one, eleven tries over more than three days', () => {
    const waits = RETRY_AFTER_S.map((_, index) => secondsUntil(nextTryAt({ ...failure, failedTries: index + 1 }, 0)))
    assert.deepEqual(waits, [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    const totalS = RETRY_AFTER_S.reduce((sum, seconds) => sum + seconds, 0)
    assert.ok(totalS >= 72 * 3600 && totalS <= 80 * 3600)
    assert.equal(nextTryAt({ ...failure, failedTries: 11 }, 0), undefined)
  })

  test('spreads what failed together, never to earlier and by a fifth at most', () => {
    assert.equal(secondsUntil(nextTryAt({ ...failure, failedTries: 3 }, 0.5)), 330)
    assert.equal(secondsUntil(nextTryAt({ ...failure, failedTries: 3 }, 1)), 360)
  })

  test('gives an overloaded receiver a minute, and what it asks for', () => {
    assert.equal(secondsUntil(nextTryAt({ ...failure, failedTries: 1, isOverloaded: true }, 0)), 60)
    assert.equal(secondsUntil(nextTryAt({ ...failure, failedTries: 1, retryAfterS: 90 }, 0)), 90)
    assert.equal(secondsUntil(nextTryAt({ ...failure, failedTries: 4, retryAfterS: 90 }, 0)), 1800)
  })

  test('reads Retry-After as seconds or as a date, up to an hour', () => {
    const cases: [header: string | undefined, seconds: number | undefined][] = [
      ['120', 120],
      [' 7 ', 7],
      ['0', undefined],
      ['-5', undefined],
      ['86400', 3600],
      ['99999999999999999999', undefined],
      ['Sun, 01 Mar 2026 12:02:00 GMT', 120],
      ['Sun, 01 Mar 2026 11:00:00 GMT', undefined],
      ['Sun, 01 Mar 2036 12:00:00 GMT', 3600],
      ['soon', undefined],
      ['', undefined],
      [undefined, undefined],
    ]
    for (const [header, seconds] of cases) assert.equal(readRetryAfter(header, NOW), seconds, String(header))
  })
})

describe('an answer', () => {
  const reply = (changes: Partial<Reply>): Reply => ({
    durationMs: 3,
    status: undefined,
    error: undefined,
    isTimeout: false,
    retryAfter: undefined,
    answer: undefined,
    ...changes,
  })
  const delivery = { isTest: false, tries: 0, triesBefore: 0 }

  test('of 2xx delivers; everything else is tried again', () => {
    for (const status of [200, 201, 202, 204, 299]) {
      assert.equal(judgeReply(delivery, reply({ status }), NOW, 0).state, 'delivered', String(status))
    }
    for (const status of [199, 301, 302, 303, 307, 308, 304, 400, 401, 404, 429, 500, 503]) {
      assert.equal(judgeReply(delivery, reply({ status }), NOW, 0).state, 'waiting', String(status))
    }
    assert.equal(judgeReply(delivery, reply({ error: 'no connection' }), NOW, 0).state, 'waiting')
    assert.match(judgeReply(delivery, reply({ status: 302 }), NOW, 0).error!, /redirects are not followed/)
  })

  test('of 410 parks the delivery and ends the subscription', () => {
    const { state, result } = judgeReply(delivery, reply({ status: 410 }), NOW, 0)
    assert.deepEqual([state, result.isGone], ['parked', true])
  })

  test('that is the eleventh failure parks the delivery, counted from the last replay', () => {
    const failed = reply({ status: 500 })
    assert.equal(judgeReply({ ...delivery, tries: 9 }, failed, NOW, 0).state, 'waiting')
    assert.equal(judgeReply({ ...delivery, tries: 10 }, failed, NOW, 0).state, 'parked')
    const replayed = judgeReply({ ...delivery, tries: 11, triesBefore: 11 }, failed, NOW, 0)
    assert.equal(secondsUntil(replayed.dueAt), 5)
  })

  test('to a test counts once', () => {
    assert.equal(judgeReply({ ...delivery, isTest: true }, reply({ status: 500 }), NOW, 0).state, 'parked')
  })

  test('of 429 or 503 pauses the whole lane for as long as it asks', () => {
    for (const status of [429, 503]) {
      const { dueAt, result } = judgeReply(delivery, reply({ status, retryAfter: '90' }), NOW, 0)
      assert.deepEqual([secondsUntil(dueAt), result.pauseS], [90, 90])
    }
    assert.equal(judgeReply(delivery, reply({ status: 500, retryAfter: '90' }), NOW, 0).result.pauseS, undefined)
    assert.equal(secondsUntil(judgeReply(delivery, reply({ isTimeout: true }), NOW, 0).dueAt), 60)
  })
})
