import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeError, makeLog, type Log } from './log.ts'

type Line = {
  password?: string
  body?: unknown
  error: { message: string; code?: string; cause?: { message: string }; values?: unknown }
}

/** What is written to the log when this is done with it. */
function written(use: (log: Log) => void): Line {
  const lines: string[] = []
  use(makeLog('info', 'test', { write: (line: string) => void lines.push(line) }))
  return JSON.parse(lines[0] ?? '{}') as Line
}

describe('the log', () => {
  const failure = Object.assign(new Error('relation is gone', { cause: new Error('disk') }), {
    code: '42P01',
    values: ['x'],
  })

  test('tells what went wrong, whether the error comes as it is or described', () => {
    for (const error of [failure, describeError(failure)]) {
      const line = written((log) => log.error({ error }, 'broken'))
      assert.equal(line.error.message, 'relation is gone')
      assert.equal(line.error.code, '42P01')
      assert.equal(line.error.cause?.message, 'disk')
      assert.equal(line.error.values, undefined, 'the values of a query are nobody’s business')
    }
  })

  test('blanks secrets wherever they stand, and cuts what is long', () => {
    const line = written((log) =>
      log.info(
        { password: 'p', body: { token: 't', email: 'a@example.com' }, error: new Error('x'.repeat(9000)) },
        'm',
      ),
    )
    assert.deepEqual([line.password, line.body], ['[secret]', { token: '[secret]', email: '[secret]' }])
    assert.ok(line.error.message.length < 2100)
  })
})
