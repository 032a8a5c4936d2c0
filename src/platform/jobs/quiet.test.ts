import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeQuiet, type QuietOptions } from './quiet.ts'

const A_LONG_TIME_MS = 60_000

/** Some who wait while somebody is being served, and who of them has gone on, and whether without quiet. */
async function letWait(names: string[], options: QuietOptions) {
  let isServing = true
  const quiet = makeQuiet(() => isServing, options)
  const gone: string[] = []
  const all = names.map((name) => quiet.wait().then((without) => gone.push(without ? `${name} without` : name)))
  await nextTurn()
  await nextTurn()
  const endServing = () => (isServing = false)
  return { quiet, gone, endServing, isOver: Promise.all(all) }
}

describe('waiting for quiet', () => {
  test('takes no longer than a turn where it is quiet, and lets what is ready go first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('something that was ready'))
    assert.equal(await makeQuiet(() => false).wait(), false)
    order.push('whoever gives way')
    assert.deepEqual(order, ['something that was ready', 'whoever gives way'])
  })

  test('ends for all of them when it becomes quiet, and not before', async () => {
    const { quiet, gone, endServing, isOver } = await letWait(['one', 'two'], { oneEveryMs: A_LONG_TIME_MS })
    quiet.look()
    await nextTurn()
    assert.deepEqual(gone, [])
    endServing()
    quiet.look()
    await isOver
    assert.deepEqual(gone, ['one', 'two'])
    assert.equal(await quiet.wait(), false)
  })

  test('goes on for a moment after somebody was served', async () => {
    const options = { oneEveryMs: A_LONG_TIME_MS, lingersMs: 30 }
    const { quiet, gone, endServing, isOver } = await letWait(['one'], options)
    endServing()
    const servedAt = performance.now()
    quiet.served()
    quiet.look()
    await isOver
    assert.ok(performance.now() - servedAt >= 29)
    assert.deepEqual(gone, ['one'])
  })

  test('becomes calm a while after the last one was served', async () => {
    let isServing = false
    const quiet = makeQuiet(() => isServing, { lingersMs: 1, calmAfterMs: 30 })
    assert.ok(quiet.isCalm())
    isServing = true
    assert.ok(!quiet.isCalm())
    isServing = false
    const servedAt = performance.now()
    quiet.served()
    while (!quiet.isCalm()) await nextTurn()
    assert.ok(performance.now() - servedAt >= 29)
  })

  test('ends where it is never quiet too: for one at a time, in their order', async () => {
    const { gone, isOver } = await letWait(['one', 'two', 'three'], { oneEveryMs: 1 })
    await isOver
    assert.deepEqual(gone, ['one without', 'two without', 'three without'])
  })
})
