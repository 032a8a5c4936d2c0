import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { AppError } from '#platform/errors.ts'
import { leastOf } from '../../../../test/least-of.ts'
import { readJson } from './read-json.ts'

const refuses = (body: string | Buffer, code: number, message = ''): void => {
  assert.throws(
    () => readJson(Buffer.from(body)),
    (error) => error instanceof AppError && error.code === code && error.message.startsWith(message),
    String(body).slice(0, 80),
  )
}

const isPlain = (text: string): boolean => !text.includes('\\u0000') && !text.includes('__proto__')
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('JSON bodies', () => {
  test('whatever JSON.stringify writes is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6, stringUnit: 'binary' }).filter((text) => isPlain(text) && text.isWellFormed()),
        (text) => assert.deepEqual(readJson(Buffer.from(text)), JSON.parse(text)),
      ),
      { numRuns: 1000 },
    )
  })

  test('whatever JSON.parse refuses is refused, and nothing but an AppError is thrown', () => {
    const noise = fc.array(fc.constantFrom(...'{ } [ ] " , : \\ u 0 1 e + - . n t f a l s é \\" "a":'.split(' ')), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(noise, (parts) => {
        const text = parts.join('')
        let isRead = true
        try {
          readJson(Buffer.from(text))
        } catch (error) {
          assert.ok(error instanceof AppError)
          isRead = false
        }
        if (isRead) assert.doesNotThrow(() => JSON.parse(text) as unknown)
      }),
      { numRuns: 3000 },
    )
  })

  for (const [what, body, code, message] of [
    ['an empty body', '', 1011, ''],
    ['a cut object', '{"a":1', 1011, ''],
    ['a raw line break in a text', '{"a":"\n"}', 1011, ''],
    ['NaN', '{"a":NaN}', 1011, ''],
    ['a byte order mark', '\ufeff{}', 1011, ''],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 1011, ''],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff{"a":1}', 'utf16le'), 1010, ''],
    ['an over-long encoding', Buffer.from([0x22, 0xc0, 0xae, 0x22]), 1010, ''],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 1010, ''],
    ['a lone byte', Buffer.from([0x22, 0xff, 0x22]), 1010, ''],
    ['an escaped NUL', '{"a":[{"b":"x\\u0000"}]}', 1012, 'a[0].b:'],
    ['an escaped NUL in a key', '{"a":{"\\u0000":1}}', 1012, 'a:'],
    ['a lone high surrogate', '{"a":"\\ud83d"}', 1013, 'a:'],
    ['a lone low surrogate', '["\\ude00"]', 1013, '[0]:'],
    ['a key twice', '{"a":{"b":1,"c":{},"b":2}}', 1015, 'a.b:'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 1015, 'a:'],
    ['a key twice in a list', '[{"x":1},{"x":1,"x y":1,"x y":2}]', 1015, '[1]["x y"]:'],
    ['__proto__', '{"a":{"__proto__":{"x":1}}}', 1016, 'a.__proto__:'],
    ['__proto__, escaped', '{"__pr\\u006fto__":1}', 1016, '__proto__:'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}', 1016, 'constructor:'],
    ['a number beyond a double', '{"a":[1e400]}', 1017, 'a[0]:'],
    ['a number below a double', '-1e400', 1017, 'The body:'],
  ] as const) {
    test(`${what} is refused`, () => refuses(body, code, message))
  }

  test('32 levels are read, 33 and half a million are refused', () => {
    assert.doesNotThrow(() => readJson(Buffer.from(nested(32))))
    for (const levels of [33, 100, 500_000]) refuses(nested(levels), 1014)
    refuses('{"a":'.repeat(500_000), 1014)
  })

  test('quotation marks, colons and brackets inside of texts count for nothing', () => {
    const value = { 'a:"b\\': '[[[["{":,\\', c: '\\"', '': [':', '"'], constructor: 1 }
    assert.deepEqual(readJson(Buffer.from(JSON.stringify(value))), value)
  })

  test('a refused megabyte is explained quickly', async () => {
    const body = Buffer.from(`{"a":"${'\\n'.repeat(250_000)}","b":"${'x'.repeat(500_000)}","b":1}`)
    const computed = () => {
      const before = process.threadCpuUsage()
      refuses(body, 1015, 'b:')
      return process.threadCpuUsage(before).user
    }
    assert.ok((await leastOf(computed, { below: 500_000 })) < 500_000)
  })

  test('no prototype is ever changed', () => {
    for (const body of ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']) {
      assert.throws(() => readJson(Buffer.from(body)))
      assert.equal(Reflect.get({}, 'polluted'), undefined)
    }
  })
})
