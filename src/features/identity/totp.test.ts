import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeOfStep, findStep, newTotpSecret, toBase32, totpAddress } from './totp.ts'

// RFC 6238, appendix B, whose codes have eight digits: ours are their last six.
const SECRET = Buffer.from('12345678901234567890')
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

describe('codes of authenticator apps', () => {
  for (const [seconds, code] of VECTORS) {
    test(`${seconds} seconds after the epoch the code is ${code}`, () => {
      assert.equal(codeOfStep(SECRET, Math.floor(seconds / 30)), code)
    })
  }

  test('a code is good in its own step and the ones beside it', () => {
    const now = new Date(1_700_000_010_000)
    const step = Math.floor(now.getTime() / 30_000)
    for (const [apart, isGood] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const found = findStep(SECRET, codeOfStep(SECRET, step + apart), { now, after: 0 })
      assert.equal(found, isGood ? step + apart : undefined, `${apart} steps`)
    }
  })

  test('a code is good once, and none before it afterwards', () => {
    const now = new Date(1_700_000_010_000)
    const step = Math.floor(now.getTime() / 30_000)
    assert.equal(findStep(SECRET, codeOfStep(SECRET, step), { now, after: step }), undefined)
    assert.equal(findStep(SECRET, codeOfStep(SECRET, step - 1), { now, after: step }), undefined)
    assert.equal(findStep(SECRET, codeOfStep(SECRET, step + 1), { now, after: step }), step + 1)
  })

  test('secrets have 160 bits, and are written as in RFC 4648', () => {
    assert.equal(newTotpSecret().length, 20)
    assert.notDeepEqual(newTotpSecret(), newTotpSecret())
    assert.equal(toBase32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    assert.equal(toBase32(Buffer.from('foob')), 'MZXW6YQ')
  })

  test('the address for the QR code names account and issuer', () => {
    const address = totpAddress(SECRET, { account: 'ada@example.com', issuer: 'Müller & Söhne' })
    assert.ok(address.startsWith('otpauth://totp/M%C3%BCller%20%26%20S%C3%B6hne:ada%40example.com?'))
    const query = new URL(address).searchParams
    assert.deepEqual(
      ['secret', 'issuer', 'algorithm', 'digits', 'period'].map((name) => query.get(name)),
      [toBase32(SECRET), 'Müller & Söhne', 'SHA1', '6', '30'],
    )
  })
})
