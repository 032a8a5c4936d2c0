import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { findAlgorithmSunset, findAlgorithmWeakness, requireSigningStrength } from './algorithm-policy.ts'
import { readPublicKey, readSignatureIdentifier, signatureIdentifier, type SignatureScheme } from './algorithms.ts'
import { explicit, integer, nullValue, oid, sequence } from './der.ts'
import { readDer } from './der-reader.ts'
import { OID } from './oids.ts'

const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).publicKey
const today = new Date('2026-03-01T00:00:00Z')
const later = new Date('2029-01-01T00:00:00Z')

const ecdsa: SignatureScheme = { family: 'ecdsa', hash: 'sha256' }
const pkcs1: SignatureScheme = { family: 'rsa-pkcs1', hash: 'sha256' }
const pss: SignatureScheme = { family: 'rsa-pss', hash: 'sha256', saltBytes: 32 }

const read = (der: Buffer) => readSignatureIdentifier(readDer(der))

describe('the algorithm policy', () => {
  const [p256, p192, rsa1024, rsa2048, rsa3072] = [ec('P-256'), ec('prime192v1'), rsa(1024), rsa(2048), rsa(3072)]
  const cases: [name: string, scheme: SignatureScheme, key: typeof p256, time: Date, isAccepted: boolean][] = [
    ['ECDSA on P-256', ecdsa, p256, later, true],
    ['ECDSA on P-192', ecdsa, p192, today, false],
    ['SHA-1', { ...ecdsa, hash: 'sha1' }, p256, today, false],
    ['MD5', { ...pkcs1, hash: 'md5' }, rsa3072, today, false],
    ['RSA with 1024 bits', pss, rsa1024, today, false],
    ['RSA with 2048 bits today', pkcs1, rsa2048, today, true],
    ['RSA-PSS with 2048 bits from 2029', pss, rsa2048, later, false],
    ['RSA-PSS with 3072 bits from 2029', pss, rsa3072, later, true],
    ['PKCS #1 with 3072 bits until 2029', pkcs1, rsa3072, new Date(later.getTime() - 1), true],
    ['PKCS #1 with 3072 bits from 2029', pkcs1, rsa3072, later, false],
  ]
  for (const [name, scheme, publicKey, time, isAccepted] of cases) {
    test(`${isAccepted ? 'accepts' : 'refuses'} ${name}`, () => {
      assert.equal(findAlgorithmWeakness({ scheme, publicKey, time }) === undefined, isAccepted)
    })
  }

  test('tells when a signature stops being accepted', () => {
    assert.deepEqual(findAlgorithmSunset({ scheme: pkcs1, publicKey: rsa3072 }), later)
    assert.deepEqual(findAlgorithmSunset({ scheme: pss, publicKey: rsa2048 }), later)
    assert.equal(findAlgorithmSunset({ scheme: pss, publicKey: rsa3072 }), undefined)
    assert.equal(findAlgorithmSunset({ scheme: ecdsa, publicKey: p256 }), undefined)
  })

  test('signs with nothing short', () => {
    assert.throws(() => requireSigningStrength(rsa2048, 'PS256'), { code: 'weak-algorithm' })
    assert.throws(() => requireSigningStrength(p192, 'ES256'), { code: 'weak-algorithm' })
    requireSigningStrength(rsa3072, 'RS256')
  })
})

describe('algorithm identifiers', () => {
  test('of ours are read back', () => {
    assert.deepEqual(read(signatureIdentifier('ES256')), ecdsa)
    assert.deepEqual(read(signatureIdentifier('PS256')), pss)
    assert.deepEqual(read(signatureIdentifier('RS256')), pkcs1)
  })

  test('of RSA carry NULL, of ECDSA nothing', () => {
    assert.equal(signatureIdentifier('RS256').toString('hex'), '300d06092a864886f70d01010b0500')
    assert.equal(signatureIdentifier('ES256').toString('hex'), '300a06082a8648ce3d040302')
  })

  test('that we do not know, or that mix hashes, are unsupported', () => {
    assert.throws(() => read(sequence(oid('1.3.101.112'))), { code: 'unsupported' })
    const sha256 = sequence(oid(OID.sha256), nullValue())
    const sha1 = sequence(oid(OID.sha1), nullValue())
    const mixed = sequence(explicit(0, sha256), explicit(1, sequence(oid(OID.mgf1), sha1)))
    assert.throws(() => read(sequence(oid(OID.rsaPss), mixed)), { code: 'unsupported' })
    const trailer = sequence(explicit(3, integer(2)))
    assert.throws(() => read(sequence(oid(OID.rsaPss), trailer)), { code: 'malformed' })
  })

  test('PSS without parameters means SHA-1, as the standard says', () => {
    assert.deepEqual(read(sequence(oid(OID.rsaPss), sequence())), { family: 'rsa-pss', hash: 'sha1', saltBytes: 20 })
  })
})

describe('public keys', () => {
  test('of other kinds are refused', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    assert.throws(() => readPublicKey(publicKey.export({ format: 'der', type: 'spki' })), { code: 'unsupported' })
    assert.throws(() => readPublicKey(Buffer.from('nonsense')), { code: 'malformed' })
  })
})
