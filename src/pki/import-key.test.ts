import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { certificatePem, openssl, withoutOpenssl } from '../../test/fakes/openssl.ts'
import { makeIssuingAuthority, makeRoot, makeSealCertificate } from './authority.ts'
import { integer, nullValue, octetString, oid, sequence } from './der.ts'
import { readDer } from './der-reader.ts'
import { PkiError } from './errors.ts'
import { importPem, importPkcs12 } from './import-key.ts'
import { OID } from './oids.ts'
import { decryptWithPassword, PasswordAttempt } from './password-encryption.ts'
import { generateKey, memoryKey, memorySigner, type KeyPair } from './raw-signer.ts'

const now = new Date('2026-03-01T12:00:00Z')
const password = 'pässword 💥'

interface Files {
  root: Buffer
  issuing: Buffer
  seal: Buffer
  pair: KeyPair
}

async function makeFiles(algorithm: 'ES256' | 'ES384' | 'PS256' = 'ES256'): Promise<Files> {
  const [rootPair, issuingPair, pair] = await Promise.all([
    generateKey('ES256'),
    generateKey('ES256'),
    generateKey(algorithm),
  ])
  const root = await makeRoot({ ...rootPair, key: memoryKey(rootPair.privateKey, 'ES256'), name: 'Customer Root', now })
  const rootSigner = memorySigner({ certificate: root, chain: [], algorithm: 'ES256', privateKey: rootPair.privateKey })
  const names = { name: 'Customer Issuing', organization: 'Customer' }
  const issuing = await makeIssuingAuthority(rootSigner, { ...issuingPair, ...names, now })
  const issuer = memorySigner({
    certificate: issuing,
    chain: [root],
    algorithm: 'ES256',
    privateKey: issuingPair.privateKey,
  })
  const seal = await makeSealCertificate(issuer, {
    publicKey: pair.publicKey,
    name: 'Seal',
    organization: 'Customer',
    now,
  })
  return { root, issuing, seal, pair }
}

const keyPem = ({ privateKey }: KeyPair) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

describe('import of a customer key', () => {
  let files: Files
  before(async () => {
    files = await makeFiles()
  })

  const isHarmless = (bytes: Buffer) => {
    try {
      return importPkcs12(bytes, { password, now }).privateKey.equals(files.pair.privateKey)
    } catch (error) {
      return error instanceof PkiError
    }
  }

  /** The same key and chain as openssl packs them. */
  const pack = (options: string[], { seal, issuing, root, pair } = files) => {
    const { ok, text, bytes } = openssl(
      [
        'pkcs12',
        '-export',
        '-in',
        'seal.pem',
        '-inkey',
        'key.pem',
        '-certfile',
        'chain.pem',
        '-out',
        'out',
        '-passout',
        `pass:${password}`,
        ...options,
      ],
      { 'seal.pem': certificatePem(seal), 'key.pem': keyPem(pair), 'chain.pem': certificatePem(root, issuing) },
    )
    assert.ok(ok, text)
    return bytes
  }

  const kinds: [name: string, options: string[]][] = [
    ['AES-256 and an HMAC with SHA-256', []],
    [
      'AES-128, SHA-512 MAC and many rounds',
      ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha512', '-iter', '20000'],
    ],
    ['triple DES and a SHA-1 MAC', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['certificates in the clear', ['-certpbe', 'NONE']],
  ]
  for (const [name, options] of kinds) {
    test(`PKCS #12 with ${name}`, { skip: withoutOpenssl }, () => {
      const imported = importPkcs12(pack(options), { password, now })
      assert.deepEqual(imported.certificate, files.seal)
      assert.deepEqual(imported.chain, [files.issuing, files.root])
      assert.ok(imported.privateKey.equals(files.pair.privateKey))
      assert.equal(imported.algorithm, 'ES256')
      assert.throws(() => importPkcs12(pack(options), { password: 'wrong', now }), { code: 'wrong-password' })
    })
  }

  test('each kind of key gets its algorithm', { skip: withoutOpenssl }, async () => {
    for (const algorithm of ['ES384', 'PS256'] as const) {
      assert.equal(importPkcs12(pack([], await makeFiles(algorithm)), { password, now }).algorithm, algorithm)
    }
  })

  test('a file without MAC is refused, with the way out', { skip: withoutOpenssl }, () => {
    assert.throws(() => importPkcs12(pack(['-nomac']), { password, now }), {
      code: 'unsupported',
      message: /openssl pkcs12/,
    })
  })

  test('RC2 is refused, with the way out', () => {
    const algorithm = sequence(oid(OID.pbeSha1Rc2With40Bits), sequence(octetString(randomBytes(8)), integer(2048)))
    assert.throws(() => decryptWithPassword(readDer(algorithm), Buffer.alloc(8), new PasswordAttempt('a')), {
      code: 'unsupported',
      message: /RC2.*openssl pkcs12 -export/,
    })
  })

  test('rounds without end are refused before any work', () => {
    const derivation = sequence(oid(OID.pbkdf2), sequence(octetString(randomBytes(8)), integer(2 ** 40)))
    const cipher = sequence(oid(OID.aes256Cbc), octetString(randomBytes(16)))
    const algorithm = sequence(oid(OID.pbes2), sequence(derivation, cipher))
    const tripleDes = sequence(oid(OID.pbeSha1TripleDes), sequence(octetString(randomBytes(8)), integer(2 ** 40)))
    for (const der of [algorithm, tripleDes]) {
      assert.throws(() => decryptWithPassword(readDer(der), Buffer.alloc(16), new PasswordAttempt('a')), {
        code: 'unsupported',
      })
    }
  })

  test('rounds add up over a file', () => {
    const attempt = new PasswordAttempt('a')
    attempt.spend(2_000_000, Buffer.alloc(8))
    assert.throws(() => attempt.spend(2_000_000, Buffer.alloc(8)), { code: 'unsupported' })
    assert.throws(() => new PasswordAttempt('a').spend(-5, Buffer.alloc(8)), { code: 'unsupported' })
  })

  test('PEM with a plain key', () => {
    const text = `${certificatePem(files.root, files.seal, files.issuing)}${keyPem(files.pair)}`
    const imported = importPem(text, { now })
    assert.deepEqual([imported.certificate, ...imported.chain], [files.seal, files.issuing, files.root])
  })

  test('PEM with an encrypted key', { skip: withoutOpenssl }, () => {
    for (const options of [
      ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA256'],
      ['-v1', 'PBE-SHA1-3DES'],
    ]) {
      const encrypted = openssl(['pkcs8', '-topk8', '-in', 'k', '-passout', `pass:${password}`, ...options], {
        k: keyPem(files.pair),
      })
      assert.ok(encrypted.ok, encrypted.text)
      const text = `${certificatePem(files.seal)}${encrypted.bytes.toString()}`
      assert.ok(importPem(text, { password, now }).privateKey.equals(files.pair.privateKey))
      assert.throws(() => importPem(text, { now }), { code: 'wrong-password' })
      assert.throws(() => importPem(text, { password: 'wrong', now }), PkiError)
    }
  })

  test('keys in the older forms of PEM', () => {
    const sec1 = files.pair.privateKey.export({ format: 'pem', type: 'sec1' }).toString()
    assert.equal(importPem(`${certificatePem(files.seal)}${sec1}`, { now }).algorithm, 'ES256')
    const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n'
    const old = `-----BEGIN EC PRIVATE KEY-----\n${headers}AAAA\n-----END EC PRIVATE KEY-----\n`
    const text = `${certificatePem(files.seal)}${old}`
    assert.throws(() => importPem(text, { now }), { code: 'unsupported', message: /openssl pkcs8 -topk8/ })
  })

  test('a key of somebody else, none, or two are refused', async () => {
    const other = keyPem(await generateKey('ES256'))
    const certificate = certificatePem(files.seal)
    assert.throws(() => importPem(`${certificate}${other}`, { now }), { code: 'key-mismatch' })
    assert.throws(() => importPem(keyPem(files.pair), { now }), { code: 'key-mismatch' })
    assert.throws(() => importPem(certificate, { now }), { code: 'malformed' })
    assert.throws(() => importPem(`${certificate}${other}${keyPem(files.pair)}`, { now }), { code: 'malformed' })
  })

  test('a certificate that is not valid now, or belongs to an authority, is refused', async () => {
    const text = `${certificatePem(files.seal)}${keyPem(files.pair)}`
    assert.throws(() => importPem(text, { now: new Date('2036-01-01T00:00:00Z') }), { code: 'not-valid-now' })
    const pair = await generateKey('ES256')
    const root = await makeRoot({ ...pair, key: memoryKey(pair.privateKey, 'ES256'), name: 'R', now })
    assert.throws(() => importPem(`${certificatePem(root)}${keyPem(pair)}`, { now }), { code: 'bad-argument' })
  })

  const selfSigned = (key: string[], extension: string) => {
    const words = 'req -x509 -nodes -keyout - -subj /CN=Own -days 3 -addext basicConstraints=CA:FALSE -addext'.split(
      ' ',
    )
    return openssl([...words, extension, '-newkey', ...key]).bytes.toString()
  }

  test('a key that is too short is refused', { skip: withoutOpenssl }, () => {
    const text = selfSigned(['rsa:2048'], 'keyUsage=digitalSignature')
    assert.throws(() => importPem(text, { now: new Date() }), { code: 'weak-algorithm' })
  })

  test('a certificate that is for anything but signing is refused', { skip: withoutOpenssl }, () => {
    const key = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
    importPem(selfSigned(key, 'keyUsage=critical,nonRepudiation'), { now: new Date() })
    const text = selfSigned(key, 'keyUsage=critical,keyAgreement')
    assert.throws(() => importPem(text, { now: new Date() }), { code: 'bad-argument' })
  })

  test('a changed or cut file ends in a typed error or the same key', { skip: withoutOpenssl }, () => {
    const packed = pack([])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: packed.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(packed)
        changed[at] = (changed[at] ?? 0) ^ mask
        assert.ok(isHarmless(changed))
        assert.ok(isHarmless(packed.subarray(0, at)))
      }),
    )
  })

  test('parameters of the wrong kind are malformed', () => {
    const algorithm = sequence(oid(OID.pbes2), nullValue())
    assert.throws(() => decryptWithPassword(readDer(algorithm), Buffer.alloc(8), new PasswordAttempt('a')), {
      code: 'malformed',
    })
  })
})
