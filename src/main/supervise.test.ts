import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ownChildren } from '../../test/processes.ts'
import { until } from '../../test/until.ts'
import type { Installation } from './process.ts'
import { handOver, pauseAfter, supervise } from './supervise.ts'

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

describe('a process that has died', { skip: process.platform !== 'linux' }, () => {
  test('is started again once the system has room for it, however often it had none', async (t) => {
    const { execPath } = process
    const said: string[] = []
    const hears = (words: RegExp) => until(`${words}`, async () => said.some((line) => words.test(line)))
    const worker = supervise('work', new Promise(() => {}), (line) => said.push(line))
    t.after(async () => {
      process.execPath = execPath
      await worker.stop()
    })
    const [pid] = ownChildren('main/work.ts')
    // The first is told as an error, as where there are too many processes; the second is thrown, as without memory.
    process.execPath = '/no/such/program'
    process.kill(pid!, 'SIGKILL')
    await hears(/could not be started \(ENOENT\)/)
    process.execPath = '/dev/null/program'
    await hears(/could not be started \(ENOTDIR\)/)
    process.execPath = execPath
    await until('another process', async () => ownChildren('main/work.ts').length === 1)
    await worker.stop()
    assert.deepEqual(ownChildren('main/work.ts'), [])
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
