import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FailureRates } from './failure-rate.ts'

const START = Date.parse('2026-03-01T12:00:00.000Z')

/** What is said after each try: S for a success, F for a failure, a second apart. */
function note(rates: FailureRates, tries: string, fromS = 0): boolean[] {
  return [...tries].map((letter, index) =>
    rates.note('lane', { at: new Date(START + (fromS + index) * 1000), isSuccess: letter === 'S' }),
  )
}

describe('the failures of a receiver', () => {
  test('are too many when 7 of 10 within five minutes have failed, even if never five in a row', () => {
    assert.deepEqual(note(new FailureRates(), 'FFFSFFFSFS').indexOf(true), 9)
    assert.ok(!note(new FailureRates(), 'FFFSFFFSSS').includes(true))
  })

  test('are judged from ten tries on', () => {
    assert.ok(!note(new FailureRates(), 'FFFFFFFFF').includes(true))
    assert.equal(note(new FailureRates(), 'FFFFFFFFFF').at(-1), true)
  })

  test('are counted anew once they were too many, and after five minutes', () => {
    const rates = new FailureRates()
    assert.equal(note(rates, 'FFFFFFFFFF').at(-1), true)
    assert.equal(note(rates, 'F', 11).at(-1), false)
    const slow = new FailureRates()
    note(slow, 'FFFFFFFFF')
    assert.equal(note(slow, 'F', 301).at(-1), false)
  })

  test('of one receiver say nothing about another', () => {
    const rates = new FailureRates()
    note(rates, 'FFFFFFFFF')
    assert.equal(rates.note('other', { at: new Date(START), isSuccess: false }), false)
  })
})
