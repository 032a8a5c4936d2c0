import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { afterTries, FRESH_LANE, type Lane, type TryResult } from './lane.ts'

const START = new Date('2026-03-01T12:00:00.000Z')
const after = (seconds: number) => new Date(START.getTime() + seconds * 1000)
const tried = (isSuccess: boolean, seconds: number, changes: Partial<TryResult> = {}): TryResult => ({
  at: after(seconds),
  isSuccess,
  isGone: false,
  pauseS: undefined,
  isMostlyFailing: false,
  isTest: false,
  ...changes,
})
const fail = (seconds: number, changes?: Partial<TryResult>) => tried(false, seconds, changes)
const succeed = (seconds: number) => tried(true, seconds)
const WIDE: Lane = { ...FRESH_LANE, allowed: 10 }

describe('a lane', () => {
  test('begins with one try at once and doubles with each success, up to ten', () => {
    const allowed = [1, 2, 3, 4, 5].map((count) => {
      const successes = Array.from({ length: count }, (_, index) => succeed(index))
      return afterTries(FRESH_LANE, successes).lane.allowed
    })
    assert.deepEqual(allowed, [2, 4, 8, 10, 10])
  })

  test('is closed by five failures in a row, not by fewer with a success between', () => {
    const four = [0, 1, 2, 3].map((second) => fail(second))
    assert.equal(afterTries(WIDE, [...four, succeed(4), ...four]).lane.closedUntil, null)
    const { lane } = afterTries(WIDE, [...four, fail(4)])
    assert.deepEqual([lane.closedUntil, lane.allowed, lane.trips], [after(34), 1, 1])
  })

  test('is closed where most tries fail, even with a success between', () => {
    const { lane } = afterTries(WIDE, [fail(0), succeed(1), fail(2, { isMostlyFailing: true })])
    assert.deepEqual([lane.closedUntil, lane.allowed, lane.trips], [after(32), 1, 1])
  })

  test('stays closed twice as long after each try that fails, half an hour at most', () => {
    let { lane } = afterTries(
      WIDE,
      [0, 0, 0, 0, 0].map((second) => fail(second)),
    )
    const pauses: number[] = []
    for (let count = 0; count < 8; count++) {
      const at = lane.closedUntil!
      lane = afterTries(lane, [{ ...fail(0), at }]).lane
      pauses.push((lane.closedUntil!.getTime() - at.getTime()) / 1000)
    }
    assert.deepEqual(pauses, [60, 120, 240, 480, 960, 1800, 1800, 1800])
  })

  test('is not closed for longer by tries that were under way when it was closed', () => {
    const closed = afterTries(
      WIDE,
      [0, 0, 0, 0, 0].map((second) => fail(second)),
    ).lane
    const late = afterTries(closed, [fail(3), fail(9)]).lane
    assert.deepEqual([late.closedUntil, late.trips], [closed.closedUntil, 1])
  })

  test('opens with the first success and starts slowly', () => {
    const closed = afterTries(
      WIDE,
      [0, 0, 0, 0, 0].map((second) => fail(second)),
    ).lane
    const open = afterTries(closed, [succeed(40)]).lane
    assert.deepEqual(open, { allowed: 2, failures: 0, trips: 1, closedUntil: null, failingSince: null })
    assert.equal(afterTries(open, [succeed(41), succeed(42), succeed(43)]).lane.trips, 0)
  })

  test('pauses for as long as the receiver asks', () => {
    const { lane } = afterTries(WIDE, [fail(0, { pauseS: 90 })])
    assert.deepEqual([lane.closedUntil, lane.allowed, lane.trips], [after(90), 1, 0])
  })

  test('gives up after five days of nothing but failures, and at once where the receiver is gone', () => {
    const day = 24 * 3600
    const { lane, giveUp } = afterTries(WIDE, [fail(0), fail(4.9 * day)])
    assert.equal(giveUp, undefined)
    assert.equal(afterTries(lane, [fail(5 * day)]).giveUp, 'failing')
    assert.equal(afterTries(afterTries(lane, [succeed(4.95 * day)]).lane, [fail(5 * day)]).giveUp, undefined)
    assert.equal(afterTries(WIDE, [fail(0, { isGone: true }), succeed(1)]).giveUp, 'gone')
  })

  test('is not judged by tests that fail, and is opened by one that succeeds', () => {
    const closed = afterTries(
      WIDE,
      [0, 0, 0, 0, 0].map((second) => fail(second)),
    ).lane
    assert.deepEqual(afterTries(closed, [fail(6 * 24 * 3600, { isTest: true })]), { lane: closed, giveUp: undefined })
    assert.equal(afterTries(closed, [tried(true, 1, { isTest: true })]).lane.closedUntil, null)
  })
})
