import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { meterVerifications, verifySignature, type SignatureToVerify } from './algorithms.ts'
import { makeVerificationMemory } from './verification-memory.ts'

const ES256 = { family: 'ecdsa', hash: 'sha256' } as const
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

function checkOf(text: string): SignatureToVerify {
  const message = Buffer.from(text)
  return { scheme: ES256, publicKey: own.publicKey, message, signature: sign('sha256', message, own.privateKey) }
}

describe('a memory of signatures', () => {
  const copyOf = (check: SignatureToVerify) => ({
    ...check,
    message: Buffer.from(check.message),
    signature: Buffer.from(check.signature),
  })

  test('knows what was right, by its bytes, and nothing that differs in any part', () => {
    const memory = makeVerificationMemory()
    const check = checkOf('a message')
    const verify = (one: SignatureToVerify) =>
      meterVerifications(
        () => {},
        () => verifySignature(one),
        memory,
      )
    assert.equal(memory.has(check), false)
    assert.equal(verify(check), true)
    assert.equal(memory.has(copyOf(check)), true)
    const different = [
      { ...check, message: Buffer.from('another') },
      { ...check, signature: checkOf('a message').signature.subarray(0, 20) },
      { ...check, publicKey: other.publicKey },
      { ...check, scheme: { ...ES256, hash: 'sha384' as const } },
    ]
    for (const one of different) {
      assert.equal(memory.has(one), false)
      assert.equal(verify(one), false)
      assert.equal(memory.has(one), false, 'what was wrong is not kept')
    }
  })

  test('counts a check that it knows like any other', () => {
    const memory = makeVerificationMemory()
    const check = checkOf('counted')
    let counted = 0
    for (let file = 0; file < 3; file++)
      meterVerifications(
        () => counted++,
        () => verifySignature(copyOf(check)),
        memory,
      )
    assert.equal(counted, 3)
  })

  test('keeps only the last two hundred of a key', () => {
    const memory = makeVerificationMemory()
    const checks = Array.from({ length: 201 }, (_, number) => ({ ...checkOf('one'), message: Buffer.from([number]) }))
    for (const check of checks) memory.add(check)
    assert.deepEqual([memory.has(checks[0]!), memory.has(checks[1]!), memory.has(checks[200]!)], [false, true, true])
  })
})
