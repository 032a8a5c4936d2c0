import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Installation } from './process.ts'
import { handOver, pauseAfter } from './supervise.ts'

const deathsEvery = (ms: number, count: number) => Array.from({ length: count }, (_, index) => index * ms)

describe('the pause before a process is started again', () => {
  test('is a moment after each of the first deaths, however close together', () => {
    for (const count of [1, 3, 5]) {
      const deaths = deathsEvery(10, count)
      assert.equal(pauseAfter(deaths, deaths.at(-1)!), 100, `${count} deaths`)
    }
  })

  test('doubles with each death of one that keeps dying, and has an end', () => {
    const pauses = [6, 7, 8, 13, 50].map((count) => pauseAfter(deathsEvery(10, count), 500))
    assert.deepEqual(pauses, [200, 400, 800, 10_000, 10_000])
  })

  test('is short again once it has lived for a minute', () => {
    const deaths = deathsEvery(10, 20)
    assert.equal(pauseAfter([...deaths, 70_000], 70_000), 100)
  })
})

describe('handing over', () => {
  test(
    'to a process that is killed in the same moment harms nobody',
    { skip: process.platform !== 'linux' },
    async () => {
      const child = spawn(process.execPath, ['-e', `process.send('up'); setInterval(() => {}, 1000)`], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await once(child, 'message')
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      // It is dead, and nothing has told us yet.
      while (readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') !== '');
      assert.ok(child.connected)
      await handOver(child, Promise.resolve({} as Installation))
      const [, signal] = await ended
      assert.equal(signal, 'SIGKILL')
    },
  )
})
