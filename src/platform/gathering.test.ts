import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeGathering, type Place } from './gathering.ts'

const A_LONG_TIME_MS = 60_000

/** Who has gone on so far, in their order. */
function follow(places: Record<string, Place>) {
  const gone: string[] = []
  const arrive = (name: string, enough?: number) => void places[name]!.arrive(enough).then(() => gone.push(name))
  return { gone, arrive }
}

describe('gathering', () => {
  test('one who is alone goes on at once', async () => {
    const gathering = makeGathering({ enough: 10, longestWaitMs: A_LONG_TIME_MS })
    await gathering.expect('a').arrive()
    await gathering.expect('a').arrive()
  })

  test('those who come wait for those on the way, and all go on together', async () => {
    const gathering = makeGathering({ enough: 10, longestWaitMs: A_LONG_TIME_MS })
    const { gone, arrive } = follow({ one: gathering.expect('a'), two: gathering.expect('a') })
    arrive('one')
    await setImmediate()
    assert.deepEqual(gone, [])
    arrive('two')
    await setImmediate()
    assert.deepEqual(gone, ['one', 'two'])
  })

  test('one who leaves is not waited for, and may say so twice', async () => {
    const gathering = makeGathering({ enough: 10, longestWaitMs: A_LONG_TIME_MS })
    const failed = gathering.expect('a')
    const third = gathering.expect('a')
    const { gone, arrive } = follow({ one: gathering.expect('a'), third })
    arrive('one')
    failed.leave()
    failed.leave()
    await setImmediate()
    assert.deepEqual(gone, [])
    arrive('third')
    await setImmediate()
    assert.deepEqual(gone, ['one', 'third'])
    third.leave()
  })

  test('when enough have come they do not wait for the rest', async () => {
    const gathering = makeGathering({ enough: 2, longestWaitMs: A_LONG_TIME_MS })
    const slow = gathering.expect('a')
    const { gone, arrive } = follow({ one: gathering.expect('a'), two: gathering.expect('a'), slow })
    arrive('one')
    arrive('two')
    await setImmediate()
    assert.deepEqual(gone, ['one', 'two'])
    arrive('slow')
    await setImmediate()
    assert.deepEqual(gone, ['one', 'two', 'slow'])
  })

  test('whoever comes may want more of them, or be content with those who are there', async () => {
    const gathering = makeGathering({ enough: 2, longestWaitMs: A_LONG_TIME_MS })
    const places = { one: gathering.expect('a'), two: gathering.expect('a'), three: gathering.expect('a') }
    const late = gathering.expect('a')
    const { gone, arrive } = follow(places)
    arrive('one', 10)
    arrive('two', 10)
    await setImmediate()
    assert.deepEqual(gone, [])
    arrive('three')
    await setImmediate()
    assert.deepEqual(gone, ['one', 'two', 'three'])
    late.leave()
  })

  test('nobody waits for ever', async () => {
    const gathering = makeGathering({ enough: 10, longestWaitMs: 1 })
    const slow = gathering.expect('a')
    await gathering.expect('a').arrive()
    slow.leave()
  })

  test('groups do not wait for each other', async () => {
    const gathering = makeGathering({ enough: 10, longestWaitMs: A_LONG_TIME_MS })
    const other = gathering.expect('b')
    await gathering.expect('a').arrive()
    other.leave()
  })
})
