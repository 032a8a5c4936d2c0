import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { timeAfter, type Clock } from './clock.ts'

const behind = (ms: number): Clock => ({ now: () => new Date(Date.now() - ms) })

describe('the time after something that another process did', () => {
  test('is not before it, where our clock is a little behind', async () => {
    const moment = new Date()
    assert.ok((await timeAfter(behind(80), moment)) >= moment)
  })

  test('is our own at once, where that is later', async () => {
    const now = new Date()
    assert.equal(await timeAfter({ now: () => now }, new Date(now.getTime() - 1)), now)
  })

  test('is not waited for where a clock is wrong altogether', async () => {
    const moment = new Date()
    assert.ok((await timeAfter(behind(3_600_000), moment, 30)) < moment)
  })
})
