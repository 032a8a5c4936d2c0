import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DatabaseDeaths } from './database-deaths.ts'

describe('deaths of the database', () => {
  test('are its own where nobody has ended it', () => {
    assert.equal(new DatabaseDeaths().isOurs(), false)
  })

  test('are ours as often as a postmaster was ended, however often each was told to', () => {
    const deaths = new DatabaseDeaths()
    for (const pid of [7, 7, 8]) deaths.willEnd(pid)
    assert.deepEqual([deaths.isOurs(), deaths.isOurs(), deaths.isOurs()], [true, true, false])
  })

  test('are ours shortly after one of its processes was killed', (t) => {
    t.mock.method(performance, 'now', () => now)
    let now = 0
    const deaths = new DatabaseDeaths()
    deaths.willShake()
    assert.equal(deaths.isOurs(), true)
    now = 60_000
    assert.equal(deaths.isOurs(), false)
  })

  test('are ours as long as there is no room for it, shortly after that, and then not', (t) => {
    t.mock.method(performance, 'now', () => now)
    let now = 0
    const deaths = new DatabaseDeaths()
    deaths.expectAny()
    now = 600_000
    assert.equal(deaths.isOurs(), true)
    deaths.expectNoMore()
    assert.equal(deaths.isOurs(), true)
    now = 660_000
    assert.equal(deaths.isOurs(), false)
  })

  test('are ours while everything is being ended, and not after the next start', () => {
    const deaths = new DatabaseDeaths()
    deaths.willEnd(7)
    deaths.expectAny()
    deaths.startAfresh()
    assert.equal(deaths.isOurs(), false)
  })
})
