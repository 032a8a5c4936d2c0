import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findAheadMs } from './timestamp-time.ts'

const at = (time: string) => new Date(`2026-03-01T12:00:${time}Z`)

describe('the clock of a timestamp authority', () => {
  const cases: [name: string, stampedAt: string, asking: [string, string], aheadMs: number][] = [
    ['agrees with ours between question and answer', '10.100', ['10.000', '10.200'], 0],
    ['agrees though the answer took long', '10.100', ['10.000', '29.000'], 0],
    ['is ahead of the answer', '13.200', ['10.000', '10.200'], 3000],
    ['is behind the question', '07.001', ['10.000', '10.200'], -2999],
    ['agrees where it tells whole seconds', '10.000', ['10.990', '10.995'], 0],
    ['is behind where even the end of the second that it tells is', '04.000', ['10.999', '11.000'], -6000],
    ['is ahead where even the beginning is', '12.000', ['10.000', '10.500'], 1500],
  ]
  for (const [name, stampedAt, [askedAt, answeredAt], aheadMs] of cases) {
    test(name, () => {
      assert.equal(findAheadMs(at(stampedAt), { askedAt: at(askedAt), answeredAt: at(answeredAt) }), aheadMs)
    })
  }
})
