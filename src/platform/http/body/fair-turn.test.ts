import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fairTurn } from './fair-turn.ts'

/** Keeps the processor busy. */
function work(forMs: number): void {
  for (const until = performance.now() + forMs; performance.now() < until;);
}

async function upload(): Promise<number> {
  for (let piece = 0; piece < 10; piece += 1) {
    await fairTurn()
    work(1)
  }
  return 1
}

describe('turns of the event loop', () => {
  test('many uploads together leave room for other work, and all come to their end', async () => {
    let longestMs = 0
    let last = performance.now()
    let isOver = false
    const watch = (): void => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
      if (!isOver) setImmediate(watch)
    }
    setImmediate(watch)
    const done = await Promise.all(Array.from({ length: 20 }, upload))
    isOver = true
    assert.equal(done.length, 20)
    assert.ok(longestMs < 150, `200 ms of work, held up for ${longestMs} ms`)
  })
})
