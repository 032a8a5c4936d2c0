import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { certificatePem, openssl, withoutOpenssl } from '../../test/fakes/openssl.ts'
import { makeTestChain, testTimestampService, type TestChain } from '../../test/fakes/pki.ts'
import type { SignatureAlgorithm } from './algorithms.ts'
import { assembleCms, buildSignedAttributes, cmsTemplate, signCms } from './cms.ts'
import { parseSignedData } from './cms-reader.ts'
import { verifySignedData } from './cms-verify.ts'
import { PkiError } from './errors.ts'
import { OID } from './oids.ts'
import { signWith } from './raw-signer.ts'
import { requestTimestamp } from './timestamp.ts'

const now = new Date('2026-03-01T12:00:00Z')
const content = Buffer.from('The content of the document.')
const digest = createHash('sha256').update(content).digest()

describe('a CMS signature', () => {
  let chain: TestChain
  let cms: Buffer
  before(async () => {
    chain = await makeTestChain({ now })
    cms = await signCms(chain.seal, digest)
  })

  for (const algorithm of ['ES256', 'ES384', 'PS256', 'RS256'] satisfies SignatureAlgorithm[]) {
    test(`with ${algorithm} verifies as CAdES in openssl`, { skip: withoutOpenssl }, async () => {
      const { root, seal } = await makeTestChain({ now, algorithm })
      const template = cmsTemplate(seal)
      const signed = await signCms(seal, createHash(template.hash).update(content).digest(), template)
      const files = { 'cms.der': signed, 'root.pem': certificatePem(root.certificate), content }
      const time = ['-attime', String(now.getTime() / 1000)]
      const args = ['-inform', 'DER', '-in', 'cms.der', '-content', 'content', '-binary', '-CAfile', 'root.pem']
      const { ok, text } = openssl(['cms', '-verify', '-cades', ...args, ...time], files)
      assert.ok(ok, text)
      const changed = openssl(['cms', '-verify', '-cades', ...args, ...time], { ...files, content: 'Other content.' })
      assert.ok(!changed.ok)
      const parsed = parseSignedData(signed)
      assert.deepEqual(verifySignedData(parsed, parsed.signer.messageDigest).findings, [])
    })
  }

  test('carries exactly the three signed attributes of the PAdES baseline', () => {
    const { signer, content: embedded, contentType } = parseSignedData(cms)
    assert.deepEqual(
      signer.signedAttributeTypes.toSorted(),
      [OID.contentType, OID.messageDigest, OID.signingCertificateV2].toSorted(),
    )
    assert.equal(embedded, undefined)
    assert.equal(contentType, OID.data)
    assert.ok(signer.signingCertificate?.issuerSerial)
  })

  test('can pause between the signed attributes and the signature', async () => {
    const stored = buildSignedAttributes(cmsTemplate(chain.seal), digest).toString('base64')
    const signedAttributes = Buffer.from(stored, 'base64')
    const signature = await signWith(chain.seal, signedAttributes)
    const assembled = assembleCms(cmsTemplate(chain.seal), { signedAttributes, signature })
    assert.deepEqual(verifySignedData(parseSignedData(assembled), digest).findings, [])
  })

  test('carries a timestamp over the signature value', async () => {
    const template = cmsTemplate(chain.seal)
    const signedAttributes = buildSignedAttributes(template, digest)
    const signature = await signWith(chain.seal, signedAttributes)
    const imprint = createHash('sha256').update(signature).digest()
    const service = testTimestampService(chain.timestamp, () => now)
    const { der } = await requestTimestamp({ hash: 'sha256', digest: imprint, now }, service)
    const stamped = parseSignedData(assembleCms(template, { signedAttributes, signature, timestampToken: der }))
    assert.deepEqual(stamped.signer.timestampTokens, [der])
    assert.deepEqual(verifySignedData(stamped, digest).findings, [])
  })

  test('of another content is found out', () => {
    const other = createHash('sha256').update('x').digest()
    assert.deepEqual(verifySignedData(parseSignedData(cms), other).findings, ['digest-mismatch'])
  })

  test('without its certificate is found out', async () => {
    const template = { ...cmsTemplate(chain.seal), certificates: Buffer.alloc(0) }
    const bare = parseSignedData(await signCms(chain.seal, digest, template))
    assert.deepEqual(verifySignedData(bare, digest).findings, ['signer-certificate-missing'])
  })

  test('that names another certificate than its signer is found out', async () => {
    const { signingCertificateAttribute } = cmsTemplate(chain.issuing)
    const forged = await signCms(chain.seal, digest, { ...cmsTemplate(chain.seal), signingCertificateAttribute })
    assert.deepEqual(verifySignedData(parseSignedData(forged), digest).findings, ['signing-certificate-mismatch'])
  })

  test('whose digest and signature algorithms differ is found out', async () => {
    const sha384 = cmsTemplate({ ...chain.seal, algorithm: 'ES384' }).digestIdentifier
    const forged = await signCms(chain.seal, digest, { ...cmsTemplate(chain.seal), digestIdentifier: sha384 })
    assert.deepEqual(verifySignedData(parseSignedData(forged), digest).findings, ['algorithm-mismatch'])
  })

  test('by another key is found out', async () => {
    const stranger = await makeTestChain({ now })
    const template = cmsTemplate(chain.seal)
    const signedAttributes = buildSignedAttributes(template, digest)
    const signature = await signWith(stranger.seal, signedAttributes)
    const forged = parseSignedData(assembleCms(template, { signedAttributes, signature }))
    assert.deepEqual(verifySignedData(forged, digest).findings, ['signature-invalid'])
  })

  test('may be followed by zeros, and by nothing else', () => {
    assert.deepEqual(parseSignedData(Buffer.concat([cms, Buffer.alloc(100)])).der, cms)
    assert.throws(() => parseSignedData(Buffer.concat([cms, Buffer.from([0, 1])])), { reason: 'trailing-bytes' })
  })

  test('as others write it (signing time, no issuer serial) is read', { skip: withoutOpenssl }, () => {
    const key = openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'])
    const request = ['req', '-x509', '-key', 'k.pem', '-subj', '/CN=Other', '-days', '3']
    const certificate = openssl(request, { 'k.pem': key.bytes })
    const sign = [
      'cms',
      '-sign',
      '-binary',
      '-cades',
      '-in',
      'c',
      '-signer',
      'c.pem',
      '-inkey',
      'k.pem',
      '-outform',
      'DER',
    ]
    const files = { c: content, 'k.pem': key.bytes, 'c.pem': certificate.bytes }
    const parsed = parseSignedData(openssl([...sign, '-md', 'sha256'], files).bytes)
    assert.deepEqual(verifySignedData(parsed, digest).findings, [])
    assert.ok(parsed.signer.signingTime)
  })

  test('in BER with indefinite lengths is refused with its reason', { skip: withoutOpenssl }, () => {
    const ber = openssl(['cms', '-data_create', '-in', 'c', '-outform', 'DER', '-stream'], { c: content })
    assert.throws(() => parseSignedData(ber.bytes), { reason: 'indefinite-length' })
  })

  test('a digest of the wrong length cannot be signed', () => {
    assert.throws(() => buildSignedAttributes(cmsTemplate(chain.seal), Buffer.alloc(20)), { code: 'bad-argument' })
  })

  test('with any bytes changed ends in a typed error or a finding, unless only unprotected certificates changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: cms.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(cms)
        changed[at] = (changed[at] ?? 0) ^ mask
        const verdict = judge(changed)
        if (verdict === 'refused' || verdict.findings.length > 0) return
        assert.deepEqual(verdict.signerCertificate?.raw, chain.seal.certificate)
        assert.equal(changed.length, cms.length)
      }),
      { numRuns: 500 },
    )
  })

  test('cut anywhere is refused', () => {
    for (let length = 0; length < cms.length; length += 11) {
      assert.throws(() => parseSignedData(cms.subarray(0, length)), PkiError)
    }
  })
})

function judge(bytes: Buffer) {
  try {
    return verifySignedData(parseSignedData(bytes), digest)
  } catch (error) {
    assert.ok(error instanceof PkiError, String(error))
    return 'refused'
  }
}
