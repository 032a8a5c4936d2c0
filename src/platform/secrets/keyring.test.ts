import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeKeyring } from './keyring.ts'

const SECRET = 'the present secret key of the tests'
const OLD = 'the previous secret key of the tests'
const plain = Buffer.from('whsec_something')

describe('keyring', () => {
  const keyring = makeKeyring(SECRET)
  const sealed = keyring.seal(plain, 'webhook secret a')

  test('opens what it sealed, and never seals twice alike', () => {
    assert.deepEqual(keyring.open(sealed, 'webhook secret a'), plain)
    assert.notDeepEqual(keyring.seal(plain, 'webhook secret a'), sealed)
    assert.ok(!sealed.includes(plain))
  })

  test('refuses a value that belongs elsewhere', () => {
    assert.throws(() => keyring.open(sealed, 'webhook secret b'))
  })

  test('refuses a value with any bit changed, or cut anywhere', () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      assert.throws(() => keyring.open(changed, 'webhook secret a'), `byte ${at}`)
      assert.throws(() => keyring.open(sealed.subarray(0, at), 'webhook secret a'), `cut at ${at}`)
    }
  })

  test('reads what was made under the previous secret key, and writes under the present one', () => {
    const before = makeKeyring(OLD).seal(plain, 'x')
    const during = makeKeyring(SECRET, OLD)
    assert.deepEqual(during.open(before, 'x'), plain)
    assert.deepEqual(makeKeyring(SECRET).open(during.seal(plain, 'x'), 'x'), plain)
    assert.throws(() => makeKeyring(SECRET).open(before, 'x'), /not configured/)
  })

  test('has another key for every purpose', () => {
    assert.notDeepEqual(keyring.mac('link', 'a'), keyring.mac('code', 'a'))
    assert.deepEqual(keyring.mac('link', 'a'), makeKeyring(SECRET).mac('link', 'a'))
    assert.equal(makeKeyring(SECRET, OLD).keysFor('token', 48).length, 2)
  })
})
