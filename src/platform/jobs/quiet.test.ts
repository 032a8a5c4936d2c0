import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeQuiet } from './quiet.ts'

const A_LONG_TIME_MS = 60_000

/** Some who wait for quiet one after the other, and who of them has gone on, and whether without quiet. */
async function letWait(names: string[], oneEveryMs: number) {
  let isQuiet = false
  const quiet = makeQuiet(() => isQuiet, oneEveryMs)
  const gone: string[] = []
  const all = names.map((name) => quiet.wait().then((without) => gone.push(without ? `${name} without` : name)))
  await nextTurn()
  await nextTurn()
  const becomeQuiet = () => {
    isQuiet = true
    quiet.look()
  }
  return { quiet, gone, becomeQuiet, isOver: Promise.all(all) }
}

describe('waiting for quiet', () => {
  test('takes no longer than a turn where it is quiet, and lets what is ready go first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('something that was ready'))
    assert.equal(await makeQuiet(() => true).wait(), false)
    order.push('whoever gives way')
    assert.deepEqual(order, ['something that was ready', 'whoever gives way'])
  })

  test('ends for all of them when it becomes quiet, and not before', async () => {
    const { quiet, gone, becomeQuiet, isOver } = await letWait(['one', 'two'], A_LONG_TIME_MS)
    quiet.look()
    await nextTurn()
    assert.deepEqual(gone, [])
    becomeQuiet()
    await isOver
    assert.deepEqual(gone, ['one', 'two'])
    assert.equal(await quiet.wait(), false)
  })

  test('ends where it is never quiet too: for one at a time, in their order', async () => {
    const { gone, isOver } = await letWait(['one', 'two', 'three'], 1)
    await isOver
    assert.deepEqual(gone, ['one without', 'two without', 'three without'])
  })
})
