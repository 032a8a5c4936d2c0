import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { makeRoom, type Room } from './room.ts'

/** Documents that stay until they are told to go. */
function visit(room: Room) {
  const inside: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const come = (name: string, sizeBytes: number) =>
    room(sizeBytes, async () => {
      inside.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise.finally(() => inside.splice(inside.indexOf(name), 1))
    })
  const go = async (name: string) => {
    ends.get(name)!.resolve()
    await nextTurn()
  }
  return { inside, come, go, fail: (name: string) => ends.get(name)!.reject(new Error('no')) }
}

describe('room for documents in memory', () => {
  test('lets in as many as there is room for, and the next one when one has gone', async () => {
    const { inside, come, go } = visit(makeRoom({ documents: 2, bytes: 100 }))
    const all = ['a', 'b', 'c', 'd'].map((name) => come(name, 1))
    assert.deepEqual(inside, ['a', 'b'])
    await go('a')
    assert.deepEqual(inside, ['b', 'c'])
    for (const name of ['b', 'c', 'd']) await go(name)
    await Promise.all(all)
    assert.deepEqual(inside, [])
  })

  test('counts their bytes, and lets nobody pass a large one that waits', async () => {
    const { inside, come, go } = visit(makeRoom({ documents: 9, bytes: 100 }))
    const all = [come('half', 50), come('most', 80), come('small', 1)]
    assert.deepEqual(inside, ['half'])
    await go('half')
    assert.deepEqual(inside, ['most', 'small'])
    for (const name of ['most', 'small']) await go(name)
    await Promise.all(all)
  })

  test('works alone on what is larger than all the room', async () => {
    const { inside, come, go } = visit(makeRoom({ documents: 9, bytes: 100 }))
    const all = [come('small', 1), come('huge', 1000), come('other', 1)]
    assert.deepEqual(inside, ['small'])
    await go('small')
    assert.deepEqual(inside, ['huge'])
    await go('huge')
    assert.deepEqual(inside, ['other'])
    await go('other')
    await Promise.all(all)
  })

  test('has its room back when a work fails', async () => {
    const { inside, come, go, fail } = visit(makeRoom({ documents: 1, bytes: 100 }))
    const failing = assert.rejects(come('failing', 1), /no/)
    const next = come('next', 1)
    fail('failing')
    await failing
    await nextTurn()
    assert.deepEqual(inside, ['next'])
    await go('next')
    await next
  })
})
