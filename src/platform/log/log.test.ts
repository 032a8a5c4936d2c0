import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeError, makeLog } from './log.ts'

type Line = {
  error: { message: string; stack: string; cause: { message: string } }
  password: string
  headers: { authorization: string }
}

function written(write: (log: ReturnType<typeof makeLog>) => void): Line {
  const lines: string[] = []
  write(makeLog('info', 'test', { write: (line) => void lines.push(line) }))
  return JSON.parse(lines.join('')) as Line
}

describe('the log', () => {
  const error = new Error('the disk is full', { cause: new Error('no space left') })

  test('tells why something failed, whether the caller has described the error or not', () => {
    for (const given of [error, describeError(error)]) {
      const line = written((log) => log.error({ error: given }, 'it failed'))
      assert.equal(line.error.message, 'the disk is full')
      assert.equal(line.error.cause.message, 'no space left')
      assert.match(line.error.stack, /log\.test\.ts/)
    }
  })

  test('blanks what is secret', () => {
    const line = written((log) => log.info({ headers: { authorization: 'Bearer x' }, password: 'y' }, 'a call'))
    assert.equal(line.password, '[secret]')
    assert.equal(line.headers.authorization, '[secret]')
  })
})
