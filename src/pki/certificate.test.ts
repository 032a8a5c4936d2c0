import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { certificatePem, openssl, withoutOpenssl } from '../../test/fakes/openssl.ts'
import { makeTestChain, type TestChain } from '../../test/fakes/pki.ts'
import { isIssuedBy, isSignedBy, isValidAt, parseCertificate, publicKeyOf } from './certificate.ts'
import { PkiError } from './errors.ts'
import { issueCertificate, issuerFrom, newSerial } from './issue-certificate.ts'
import { encodeName, findCommonName, formatName, isSameName } from './names.ts'
import { OID, PRODUCT_POLICY } from './oids.ts'
import { generateKey, memoryKey, memorySigner, signWith, type RawSigner } from './raw-signer.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('certificates of our own authority', () => {
  let chain: TestChain
  let signatory: RawSigner
  before(async () => {
    chain = await makeTestChain({ now, baseUrl: 'https://sign.example.com/' })
    signatory = await chain.makeSignatory('Åsa Öberg', now)
  })

  test('node:crypto finds each issued by the one above it', () => {
    const root = new X509Certificate(chain.root.certificate)
    const issuing = new X509Certificate(chain.issuing.certificate)
    const pairs: [RawSigner, X509Certificate][] = [
      [chain.root, root],
      [chain.issuing, root],
      [chain.timestamp, root],
      [chain.rootResponder, root],
      [chain.seal, issuing],
      [chain.issuingResponder, issuing],
      [signatory, issuing],
    ]
    for (const [{ certificate }, issuer] of pairs) {
      const judged = new X509Certificate(certificate)
      assert.ok(judged.checkIssued(issuer), judged.subject)
      assert.ok(judged.verify(issuer.publicKey), judged.subject)
      assert.equal(judged.ca, certificate === chain.root.certificate || certificate === chain.issuing.certificate)
      assert.ok(isIssuedBy(parseCertificate(certificate), parseCertificate(issuer.raw)))
    }
  })

  test('our parser and node:crypto read the same', () => {
    for (const { certificate } of [chain.root, chain.issuing, chain.seal, chain.timestamp, signatory]) {
      const judged = new X509Certificate(certificate)
      const parsed = parseCertificate(certificate)
      assert.equal(parsed.serial.toString('hex').toUpperCase(), judged.serialNumber)
      assert.equal(parsed.notBefore.getTime(), judged.validFromDate.getTime())
      assert.equal(parsed.notAfter.getTime(), judged.validToDate.getTime())
      assert.ok(publicKeyOf(parsed).equals(judged.publicKey))
      assert.deepEqual(parsed.extendedKeyUsage, judged.keyUsage)
    }
  })

  test('a signatory certificate lives for 24 hours and says how the person was authenticated', () => {
    const parsed = parseCertificate(signatory.certificate)
    assert.equal(parsed.notAfter.getTime() - parsed.notBefore.getTime(), 24 * 3600 * 1000)
    assert.ok(isValidAt(parsed, now))
    assert.equal(formatName(parsed.subject), 'CN=Åsa Öberg, serialNumber=0198f2f6-8a4b-7c3e-9d51-0c2b7a1e4f60')
    assert.deepEqual(parsed.policies, [
      {
        oid: PRODUCT_POLICY.signatory,
        notices: ['Simple electronic signature; the e-mail address was confirmed by a code.'],
      },
    ])
    assert.deepEqual(parsed.keyUsage, ['nonRepudiation'])
    const keyId = parsed.authorityKeyIdentifier?.toString('hex')
    assert.deepEqual(parsed.ocspAddresses, [`https://sign.example.com/pki/${keyId}/ocsp`])
    assert.deepEqual(parsed.crlAddresses, [`https://sign.example.com/pki/${keyId}/authority.crl`])
  })

  test('without a public address certificates name none', async () => {
    const { seal } = await makeTestChain({ now })
    const parsed = parseCertificate(seal.certificate)
    assert.ok(!parsed.extensions.has(OID.authorityInformationAccess))
    assert.ok(!parsed.extensions.has(OID.crlDistributionPoints))
  })

  test('openssl verifies the chain for its purposes', { skip: withoutOpenssl }, () => {
    const files = {
      'root.pem': certificatePem(chain.root.certificate),
      'issuing.pem': certificatePem(chain.issuing.certificate),
      'seal.pem': certificatePem(chain.seal.certificate),
      'signatory.pem': certificatePem(signatory.certificate),
      'tsa.pem': certificatePem(chain.timestamp.certificate),
      'ocsp.pem': certificatePem(chain.issuingResponder.certificate),
    }
    const base = [
      'verify',
      '-x509_strict',
      '-attime',
      String(now.getTime() / 1000),
      '-CAfile',
      'root.pem',
      '-untrusted',
      'issuing.pem',
    ]
    const purposes = {
      'seal.pem': 'smimesign',
      'signatory.pem': 'smimesign',
      'tsa.pem': 'timestampsign',
      'ocsp.pem': 'ocsphelper',
    }
    for (const [file, purpose] of Object.entries(purposes)) {
      const { ok, text } = openssl([...base, '-purpose', purpose, file], files)
      assert.ok(ok, `${file}: ${text}`)
    }
    const { text } = openssl(['x509', '-noout', '-text', '-in', 'ocsp.pem'], files)
    assert.match(text, /OCSP No Check/)
  })

  test('a signatory certificate can say that it has no revocation information', { skip: withoutOpenssl }, async () => {
    const { makeSignatoryCertificate } = await import('./authority.ts')
    const { publicKey } = await generateKey('ES256')
    const certificate = await makeSignatoryCertificate(chain.issuing, {
      publicKey,
      now,
      name: 'A',
      requestId: '1',
      authentication: 'None',
      isRevocationFree: true,
    })
    const { extensions } = parseCertificate(certificate)
    assert.ok(extensions.has(OID.noRevocationAvailable) && extensions.has(OID.validityAssuredShortTerm))
    assert.ok(!parseCertificate(signatory.certificate).extensions.has(OID.noRevocationAvailable))
  })

  test('an end entity cannot issue', () => assert.throws(() => issuerFrom(chain.seal), { code: 'bad-argument' }))

  test('names with control characters, lone surrogates or no length are refused', () => {
    for (const bad of ['', 'a\nb', '\u0000', '\ud800', 'x'.repeat(65)]) {
      assert.throws(() => encodeName([['commonName', bad]]), { code: 'bad-argument' })
    }
    assert.throws(() => encodeName([['countryName', 'Ö1']]), { code: 'bad-argument' })
  })

  test('a name with a line break stands on one line', async () => {
    const { certificate } = await chain.makeSignatory('Aino\r\nVirtanen\u0000', now)
    assert.equal(findCommonName(parseCertificate(certificate).subject), 'Aino Virtanen')
  })

  test('a long name is cut to what a common name holds, without splitting a character', async () => {
    const { certificate } = await chain.makeSignatory('𝒜'.repeat(100), now)
    assert.equal(findCommonName(parseCertificate(certificate).subject), '𝒜'.repeat(64))
    assert.ok(new X509Certificate(certificate).subject.length > 0)
  })

  test('names compare without regard to case and spacing', () => {
    const one = encodeName([
      ['organizationName', 'Example  Oy'],
      ['commonName', 'Ä'],
    ])
    const other = encodeName([
      ['organizationName', 'EXAMPLE OY'],
      ['commonName', 'ä'],
    ])
    const third = encodeName([['organizationName', 'Example Oy, Ä']])
    assert.ok(isSameName(one, other))
    assert.ok(!isSameName(one, third))
    assert.ok(!isSameName(one, Buffer.from('zz')))
  })

  test('serial numbers are positive, 16 bytes, and never the same', () => {
    const serials = Array.from({ length: 200 }, () => newSerial())
    assert.ok(serials.every((serial) => serial.length === 16 && serial[0] !== undefined && serial[0] < 0x80))
    assert.equal(new Set(serials.map(String)).size, 200)
  })

  test('a changed byte anywhere ends in a typed error or a broken signature', () => {
    const issuer = parseCertificate(chain.issuing.certificate)
    const original = chain.seal.certificate
    fc.assert(
      fc.property(fc.integer({ min: 0, max: original.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(original)
        changed[at] = (changed[at] ?? 0) ^ mask
        assert.ok(!isAccepted(changed, issuer))
      }),
    )
  })

  test('a certificate cut anywhere is refused', () => {
    for (let length = 0; length < chain.seal.certificate.length; length += 7) {
      assert.throws(() => parseCertificate(chain.seal.certificate.subarray(0, length)), PkiError)
    }
  })
})

function isAccepted(der: Buffer, issuer: ReturnType<typeof parseCertificate>): boolean {
  try {
    return isIssuedBy(parseCertificate(der), issuer)
  } catch (error) {
    assert.ok(error instanceof PkiError, String(error))
    return false
  }
}

describe('keys in memory', () => {
  for (const algorithm of ['ES256', 'ES384', 'PS256', 'RS256'] as const) {
    test(`${algorithm} chains hold for node:crypto and for openssl`, async () => {
      const { root, issuing, seal } = await makeTestChain({ now, algorithm })
      assert.ok(new X509Certificate(seal.certificate).verify(new X509Certificate(issuing.certificate).publicKey))
      assert.ok(new X509Certificate(issuing.certificate).verify(new X509Certificate(root.certificate).publicKey))
      assert.ok(isIssuedBy(parseCertificate(seal.certificate), parseCertificate(issuing.certificate)))
      if (withoutOpenssl) return
      const { text } = openssl(['x509', '-noout', '-text', '-in', 'a.pem'], {
        'a.pem': certificatePem(seal.certificate),
      })
      const names = {
        ES256: 'ecdsa-with-SHA256',
        ES384: 'ecdsa-with-SHA384',
        PS256: 'rsassaPss',
        RS256: 'sha256WithRSA',
      }
      assert.match(text, new RegExp(`Signature Algorithm: ${names[algorithm]}`))
    })
  }

  test('a key that does not belong to the certificate is refused', async () => {
    const { seal } = await makeTestChain({ now })
    const { privateKey } = await generateKey('ES256')
    assert.throws(() => memorySigner({ ...seal, privateKey }), { code: 'key-mismatch' })
  })

  test('an algorithm that the key cannot do is refused', async () => {
    const { privateKey } = await generateKey('ES256')
    for (const algorithm of ['ES384', 'PS256', 'RS256'] as const) {
      assert.throws(() => memoryKey(privateKey, algorithm), { code: 'weak-algorithm' })
    }
  })

  test('a signer that knows only digests signs the same messages', async () => {
    const { seal } = await makeTestChain({ now })
    const message = Buffer.from('message')
    let seen: Buffer | undefined
    const digestKey = {
      algorithm: 'ES256' as const,
      signDigest: async (digest: Buffer) => {
        seen = digest
        return Buffer.from('signature')
      },
    }
    assert.equal(String(await signWith(digestKey, message)), 'signature')
    assert.deepEqual(seen, createHash('sha256').update(message).digest())
    const signature = await signWith(seal, message)
    const scheme = { family: 'ecdsa', hash: 'sha256' } as const
    assert.ok(isSignedBy({ scheme, message, signature }, parseCertificate(seal.certificate)))
    assert.ok(
      !isSignedBy({ scheme: { ...scheme, family: 'rsa-pss' }, message, signature }, parseCertificate(seal.certificate)),
    )
  })

  test('a certificate must end after it begins', async () => {
    const { issuing } = await makeTestChain({ now })
    const { publicKey } = await generateKey('ES256')
    const subject = encodeName([['commonName', 'A']])
    const request = { subject, publicKey, notBefore: now, notAfter: now, extensions: [] }
    await assert.rejects(issueCertificate(request, issuerFrom(issuing)), { code: 'bad-argument' })
  })
})
