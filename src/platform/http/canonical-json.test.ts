import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalJson, fingerprint } from './canonical-json.ts'

describe('canonical JSON', () => {
  test('does not depend on the order of names, on white space, or on what is absent', () => {
    assert.equal(canonicalJson({ b: [1, { d: null, c: 'é' }], a: undefined }), '{"b":[1,{"c":"é","d":null}]}')
    assert.deepEqual(fingerprint(JSON.parse('{ "x": 1.0, "y": "a" }')), fingerprint({ y: 'a', x: 1 }))
  })

  test('follows RFC 8785 in numbers and in the order of UTF-16 code units', () => {
    assert.equal(
      canonicalJson({ '\u20ac': 1e21, '\r': 4.5, '1': Number('333333333.33333329') }),
      '{"\\r":4.5,"1":333333333.3333333,"€":1e+21}',
    )
  })

  test('tells different values apart', () => {
    assert.notDeepEqual(fingerprint(['a', 'b']), fingerprint(['a,b']))
    assert.notDeepEqual(fingerprint({ a: '1' }), fingerprint({ a: 1 }))
  })
})
