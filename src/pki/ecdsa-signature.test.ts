import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { ecdsaFromDer, ecdsaToDer } from './ecdsa-signature.ts'
import { PkiError } from './errors.ts'

describe('the two forms of ECDSA signatures', () => {
  for (const [namedCurve, bytes] of [
    ['P-256', 32],
    ['P-384', 48],
  ] as const) {
    test(`${namedCurve}: node:crypto accepts each after conversion`, () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
      // Enough signatures that numbers with leading zeros and with the top bit set occur.
      for (let round = 0; round < 60; round++) {
        const message = Buffer.from(`message ${round}`)
        const raw = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' })
        assert.ok(verify('sha256', message, publicKey, ecdsaToDer(raw)))
        const der = sign('sha256', message, privateKey)
        assert.ok(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, ecdsaFromDer(der, bytes)))
      }
    })
  }

  test('leading zeros go and come back', () => {
    const raw = Buffer.from('0000000180000001', 'hex')
    const der = ecdsaToDer(raw)
    assert.equal(der.toString('hex'), '300a02010102050080000001')
    assert.deepEqual(ecdsaFromDer(der, 4), raw)
  })

  test('what is no signature is refused', () => {
    assert.throws(() => ecdsaToDer(Buffer.alloc(3)), PkiError)
    assert.throws(() => ecdsaToDer(Buffer.alloc(0)), PkiError)
    assert.throws(() => ecdsaFromDer(Buffer.from('3006020101020101', 'hex').subarray(0, 6), 32), PkiError)
    assert.throws(() => ecdsaFromDer(Buffer.from('30060201ff020101', 'hex'), 32), { code: 'malformed' })
    assert.throws(() => ecdsaFromDer(ecdsaToDer(Buffer.alloc(96, 1)), 32), { code: 'malformed' })
  })
})
