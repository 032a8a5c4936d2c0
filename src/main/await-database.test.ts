import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#platform/errors.ts'
import { untilDatabaseAnswers } from './await-database.ts'

const failure = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })
const busy = (code: string) => new AppError('InternalError', 9001, 'busy', { cause: failure(code) })

/** Fails with each of these in turn, then answers. */
function failing(...errors: Error[]) {
  const waiting = [...errors]
  const step = async () => {
    const error = waiting.shift()
    if (error) throw error
    return 'answered'
  }
  return { step, left: () => waiting.length }
}

const OURS = { hasOneWorker: true } as const
const OUTSIDE = {}

describe('a start that needs the database', () => {
  test('waits for one of our own, whether it is gone, starting, or went away once more', async () => {
    const { step } = failing(busy('ECONNREFUSED'), busy('ENOENT'), failure('57P03'), busy('57P01'))
    assert.equal(await untilDatabaseAnswers(OURS, step), 'answered')
  })

  test('waits for another that says it is starting', async () => {
    const { step } = failing(busy('57P03'), failure('57P03'))
    assert.equal(await untilDatabaseAnswers(OUTSIDE, step), 'answered')
  })

  test('does not wait for another that is not there: it may be the address that is wrong', async () => {
    const { step, left } = failing(busy('ECONNREFUSED'), busy('ECONNREFUSED'))
    await assert.rejects(untilDatabaseAnswers(OUTSIDE, step), { cause: failure('ECONNREFUSED') })
    assert.equal(left(), 1)
  })

  test('does not repeat what fails for another reason', async () => {
    const { step, left } = failing(failure('42P01'), failure('42P01'))
    await assert.rejects(untilDatabaseAnswers(OURS, step), { code: '42P01' })
    assert.equal(left(), 1)
  })

  test('does not wait for ever', async () => {
    const never = () => Promise.reject(failure('57P03'))
    await assert.rejects(untilDatabaseAnswers(OURS, never, 60), { code: '57P03' })
  })
})
