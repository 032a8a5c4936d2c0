import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { leastOf } from '../../../test/least-of.ts'
import { hashPassword, isPassword } from './passwords.ts'

const FLOOD = 12
/** OWASP's least for argon2id with one lane: 19 MiB, two passes. */
const LEAST = { m: 19 * 1024, t: 2, p: 1 }

describe('a stored password', () => {
  test('costs a guesser no less than OWASP asks for, and has a salt of its own', async () => {
    const [one, other] = await Promise.all([hashPassword('the same password'), hashPassword('the same password')])
    const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(one)
    assert.ok(found, one)
    const [m, t, p] = found.slice(1, 4).map(Number) as [number, number, number]
    assert.ok(m >= LEAST.m && t >= LEAST.t && p >= LEAST.p, one)
    assert.ok(Buffer.from(found[4]!, 'base64').length >= 16, 'the salt')
    assert.ok(Buffer.from(found[5]!, 'base64').length >= 32, 'the hash')
    assert.notEqual(one, other)
    assert.ok(await isPassword('the same password', one))
  })

  test('a flood of them leaves room: who reads a file meanwhile does not wait for one of them', async () => {
    const stored = await hashPassword('a password of somebody')
    const finishedBefore = async () => {
      let finished = 0
      const flood = Array.from({ length: FLOOD }, () => isPassword('a guess', stored).then(() => finished++))
      await stat('package.json')
      const before = finished
      await Promise.all(flood)
      return before
    }
    // Files are read by the four threads that compute hashes as well; with all of them busy, the file would come after.
    assert.equal(await leastOf(finishedBefore, { below: 1 }), 0)
  })
})
