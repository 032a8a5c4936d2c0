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

  test('one line an event, whatever a caller’s words hold: line breaks, escapes, separators, a hundred thousand letters', () => {
    const lines: string[] = []
    const log = makeLog('info', 'test', { write: (line) => void lines.push(line) })
    const words = `a\n{"level":60}\r\u001b[2K\u2028\u0000${'x'.repeat(100_000)}`
    log.error({ error: new Error(words) }, 'it failed')
    assert.equal(lines.length, 1)
    assert.doesNotMatch(lines[0]!.slice(0, -1), /[\u0000-\u001f\u2028\u2029]/)
    assert.ok(lines[0]!.length < 10_000)
    assert.equal((JSON.parse(lines[0]!) as { level: number }).level, 50)
  })
})
