import assert from 'node:assert/strict'
import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createKeyBox } from './key-box.ts'
import { generateKey } from './raw-signer.ts'

const current = randomBytes(32)
const context = { purpose: 'seal-key', tenantId: 't1', id: 'c1' }
const secret = Buffer.from('a very secret thing')

describe('a key box', () => {
  const keyBox = createKeyBox({ current })

  test('opens to what was put in', () => {
    assert.deepEqual(keyBox.open(keyBox.seal(secret, context), context), secret)
    assert.deepEqual(keyBox.open(keyBox.seal(Buffer.alloc(0), context), context), Buffer.alloc(0))
  })

  test('is what its description says', () => {
    const box = keyBox.seal(secret, context)
    const header = box.subarray(0, 41)
    const derived = Buffer.from(hkdfSync('sha256', current, header.subarray(9), 'countersign key box', 44))
    const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32))
    const words = Buffer.from('\0\0\0\x08seal-key\0\0\0\x02t1\0\0\0\x02c1', 'latin1')
    decipher.setAAD(Buffer.concat([header, words])).setAuthTag(box.subarray(-16))
    const opened = Buffer.concat([decipher.update(box.subarray(41, -16)), decipher.final()])
    assert.deepEqual(opened, secret)
  })

  test('never looks the same twice and does not show its content', () => {
    const [one, other] = [keyBox.seal(secret, context), keyBox.seal(secret, context)]
    assert.notDeepEqual(one, other)
    assert.ok(!one.includes(secret))
  })

  test('keeps private keys', async () => {
    const { privateKey } = await generateKey('ES256')
    assert.ok(keyBox.openPrivateKey(keyBox.sealPrivateKey(privateKey, context), context).equals(privateKey))
  })

  test('with any bit changed does not open', () => {
    const box = keyBox.seal(secret, context)
    for (let at = 0; at < box.length; at++) {
      const changed = Buffer.from(box)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      assert.throws(() => keyBox.open(changed, context), { name: 'PkiError', code: /^key-box-/ })
    }
  })

  test('cut or lengthened does not open', () => {
    const box = keyBox.seal(secret, context)
    for (let length = 0; length < box.length; length++) {
      assert.throws(() => keyBox.open(box.subarray(0, length), context), { code: 'key-box-refused' })
    }
    assert.throws(() => keyBox.open(Buffer.concat([box, Buffer.alloc(1)]), context), { code: 'key-box-refused' })
  })

  test('does not open in another place', () => {
    const box = keyBox.seal(secret, context)
    const elsewhere = [
      { ...context, purpose: 'timestamp-key' },
      { ...context, tenantId: 't2' },
      { ...context, id: 'c2' },
      // The same letters, divided differently.
      { purpose: 'seal-keyt', tenantId: '1', id: 'c1' },
    ]
    for (const other of elsewhere) assert.throws(() => keyBox.open(box, other), { code: 'key-box-refused' })
  })

  test('does not open with parts of another box', () => {
    const [one, other] = [keyBox.seal(secret, context), keyBox.seal(secret, context)]
    const mixed = Buffer.concat([one.subarray(0, 41), other.subarray(41)])
    assert.throws(() => keyBox.open(mixed, context), { code: 'key-box-refused' })
  })

  test('still opens after rotation, until the old key is gone', () => {
    const next = randomBytes(32)
    const box = keyBox.seal(secret, context)
    const rotated = createKeyBox({ current: next, previous: [current] })
    assert.deepEqual(rotated.open(box, context), secret)
    assert.ok(!rotated.isCurrent(box))
    const again = rotated.seal(rotated.open(box, context), context)
    assert.ok(rotated.isCurrent(again))
    const withoutOld = createKeyBox({ current: next })
    assert.deepEqual(withoutOld.open(again, context), secret)
    assert.throws(() => withoutOld.open(box, context), { code: 'key-box-unknown-key' })
  })

  test('needs a key of 256 bits and a secret of reasonable length', () => {
    assert.throws(() => createKeyBox({ current: randomBytes(16) }), { code: 'bad-argument' })
    assert.throws(() => keyBox.seal(Buffer.alloc(65_537), context), { code: 'bad-argument' })
  })
})
