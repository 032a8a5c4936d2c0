import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { certificatePem, openssl, pem, withoutOpenssl } from '../../test/fakes/openssl.ts'
import { makeTestChain, type TestChain } from '../../test/fakes/pki.ts'
import { signatureIdentifier } from './algorithms.ts'
import { makeOcspResponderCertificate, makeRoot, makeTimestampCertificate } from './authority.ts'
import { parseCertificate, type Certificate } from './certificate.ts'
import { findRevocation, isCrlFrom, isInScope, issueCrl, parseCrl, type CrlContent } from './crl.ts'
import { bitString, boolean, enumerated, explicit, implicit, integer, octetString, sequence, time } from './der.ts'
import { PkiError } from './errors.ts'
import { extension } from './extension-writer.ts'
import { certificateId } from './ocsp-id.ts'
import { buildOcspRequest, parseOcspRequest } from './ocsp-request.ts'
import { issueOcspResponse, judgeOcspResponse, ocspError, parseOcspResponse, type CertificateStatus } from './ocsp.ts'
import { OID } from './oids.ts'
import { generateKey, memoryKey, memorySigner } from './raw-signer.ts'
import { judgeRevocation, listToProtect, requireProtection, type RevocationData } from './validation-data.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2036-03-01T12:00:00Z')
const revokedAt = new Date('2026-02-01T00:00:00Z')

describe('revocation', () => {
  let chain: TestChain
  let root: Certificate
  let issuing: Certificate
  let seal: Certificate
  let content: CrlContent
  before(async () => {
    chain = await makeTestChain({ now: new Date('2026-01-01T00:00:00Z'), baseUrl: 'https://sign.example.com' })
    root = parseCertificate(chain.root.certificate)
    issuing = parseCertificate(chain.issuing.certificate)
    seal = parseCertificate(chain.seal.certificate)
    const revoked = [{ serial: seal.serial, revokedAt, reason: 'keyCompromise' as const }]
    content = { revoked, thisUpdate: now, nextUpdate: later, number: 7 }
  })

  const respond = (
    status: CertificateStatus,
    { responder = chain.issuingResponder, nonce = undefined as Buffer | undefined } = {},
  ) =>
    issueOcspResponse(responder, {
      responses: [{ id: certificateId(seal, issuing), status, thisUpdate: now, nextUpdate: later }],
      producedAt: now,
      nonce,
    })

  const answerAt = async (thisUpdate: Date): Promise<RevocationData> => {
    const single = { status: 'good' as const, thisUpdate, nextUpdate: later }
    const below = await issueOcspResponse(chain.issuingResponder, {
      responses: [{ id: certificateId(seal, issuing), ...single }],
      producedAt: thisUpdate,
    })
    const above = await issueOcspResponse(chain.rootResponder, {
      responses: [{ id: certificateId(issuing, root), ...single }],
      producedAt: thisUpdate,
    })
    return { ocspResponses: [parseOcspResponse(below), parseOcspResponse(above)], crls: [] }
  }

  describe('lists', () => {
    test('openssl reads a list of ours and sees who is revoked', { skip: withoutOpenssl }, async () => {
      const files = {
        'crl.pem': pem('X509 CRL', await issueCrl(chain.issuing, content)),
        'root-crl.pem': pem('X509 CRL', await issueCrl(chain.root, { ...content, revoked: [] })),
        'root.pem': certificatePem(chain.root.certificate),
        'issuing.pem': certificatePem(chain.issuing.certificate),
        'seal.pem': certificatePem(chain.seal.certificate),
        'ocsp.pem': certificatePem(chain.issuingResponder.certificate),
      }
      const { text } = openssl(['crl', '-in', 'crl.pem', '-noout', '-text'], files)
      assert.match(text, /X509v3 CRL Number:\s+7/)
      assert.match(text, /Key Compromise/)
      const verify = ['verify', '-crl_check_all', '-CRLfile', 'crl.pem', '-CRLfile', 'root-crl.pem']
      const rest = ['-attime', String(now.getTime() / 1000), '-CAfile', 'root.pem', '-untrusted', 'issuing.pem']
      assert.match(openssl([...verify, ...rest, 'seal.pem'], files).text, /certificate revoked/)
      const good = openssl([...verify, ...rest, 'ocsp.pem'], files)
      assert.ok(good.ok, good.text)
    })

    test('what is issued is read back', async () => {
      const crl = parseCrl(await issueCrl(chain.issuing, content))
      assert.ok(isCrlFrom(crl, issuing) && !isCrlFrom(crl, root))
      assert.ok(isInScope(crl, seal) && !isInScope(crl, issuing))
      assert.deepEqual(findRevocation(crl, seal), { revokedAt, reason: 'keyCompromise' })
      assert.equal(findRevocation(crl, issuing), undefined)
      assert.deepEqual([crl.thisUpdate, crl.nextUpdate], [now, later])
    })

    test('a list may be long', async () => {
      const revoked = Array.from({ length: 150_000 }, (_, index) => {
        const serial = Buffer.from((0x10000000 + index).toString(16), 'hex')
        return { serial, revokedAt, reason: 'unspecified' as const }
      })
      const crl = parseCrl(await issueCrl(chain.issuing, { ...content, revoked }))
      assert.equal(crl.entries.size, 150_000)
      assert.equal(findRevocation(crl, seal), undefined)
    })

    test('a list changed after signing is not from its issuer', async () => {
      const der = await issueCrl(chain.issuing, content)
      const at = der.indexOf(seal.serial)
      der[at] = (der[at] ?? 0) ^ 1
      assert.ok(!isCrlFrom(parseCrl(der), issuing))
    })

    test('a list by a certificate without the right to sign lists does not count', async () => {
      const forged = parseCrl(await issueCrl(chain.seal, content))
      assert.ok(!isCrlFrom(forged, seal))
    })

    const partial: [name: string, extra: Buffer][] = [
      ['delta', extension(OID.deltaCrlIndicator, integer(1), { isCritical: true })],
      ['indirect', extension(OID.issuingDistributionPoint, sequence(implicit(4, boolean(true))), { isCritical: true })],
      [
        'attribute',
        extension(OID.issuingDistributionPoint, sequence(implicit(5, boolean(true))), { isCritical: true }),
      ],
      ['unknown', extension('1.2.3.4', octetString(Buffer.alloc(1)), { isCritical: true })],
    ]
    for (const [name, extra] of partial) {
      test(`${name} lists are refused as unsupported`, () => {
        assert.throws(() => parseCrl(listWith(issuing, extra)), { code: 'unsupported' })
      })
    }

    test('an entry with an unknown critical extension spoils the whole list', () => {
      const strange = extension('1.2.3.4', octetString(Buffer.alloc(1)), { isCritical: true })
      const entries = sequence(sequence(integer(5), time(now)), sequence(integer(6), time(now), sequence(strange)))
      const algorithm = signatureIdentifier('ES256')
      const body = sequence(integer(1), algorithm, issuing.subject, time(now), entries)
      assert.throws(() => parseCrl(sequence(body, algorithm, bitString(Buffer.alloc(70)))), { code: 'unsupported' })
    })

    test('a list for authorities alone says nothing about a seal', () => {
      const scope = sequence(implicit(2, boolean(true)))
      const extra = extension(OID.issuingDistributionPoint, scope, { isCritical: true })
      const crl = parseCrl(listWith(issuing, extra))
      assert.ok(!isInScope(crl, seal))
    })

    test('a list cut anywhere is refused', async () => {
      const der = await issueCrl(chain.issuing, content)
      for (let length = 0; length < der.length; length += 5)
        assert.throws(() => parseCrl(der.subarray(0, length)), PkiError)
    })
  })

  describe('OCSP', () => {
    test('openssl asks, we answer, openssl verifies', { skip: withoutOpenssl }, async () => {
      const files = {
        'root.pem': certificatePem(chain.root.certificate),
        'issuing.pem': certificatePem(chain.issuing.certificate),
        'seal.pem': certificatePem(chain.seal.certificate),
      }
      const who = ['-issuer', 'issuing.pem', '-cert', 'seal.pem']
      for (const hash of ['-sha1', '-sha256']) {
        const asked = openssl(['ocsp', hash, ...who, '-reqout', 'out'], files).bytes
        const { ids, nonce } = parseOcspRequest(asked)
        const responses = ids.map((id) => ({
          id,
          status: { revokedAt, reason: 'superseded' as const },
          thisUpdate: now,
          nextUpdate: later,
        }))
        const answer = await issueOcspResponse(chain.issuingResponder, { responses, producedAt: now, nonce })
        assert.ok(nonce && parseOcspResponse(answer).nonce?.equals(nonce))
        const at = [
          '-no_nonce',
          '-CAfile',
          'root.pem',
          '-verify_other',
          'issuing.pem',
          '-attime',
          String(now.getTime() / 1000),
        ]
        const { text } = openssl(['ocsp', hash, '-respin', 'r.der', ...who, ...at], { ...files, 'r.der': answer })
        assert.match(text, /Response verify OK/)
        assert.match(text, /seal\.pem: revoked[\s\S]*Reason: superseded/)
      }
    })

    test('what another responder answers to our request is read', { skip: withoutOpenssl }, async () => {
      const pair = await generateKey('ES256')
      const responderPair = await generateKey('ES256')
      const signed = await makeRoot({ ...pair, key: memoryKey(pair.privateKey, 'ES256'), name: 'R', now })
      const authority = memorySigner({
        certificate: signed,
        chain: [],
        algorithm: 'ES256',
        privateKey: pair.privateKey,
      })
      const subject = parseCertificate(
        await makeTimestampCertificate(authority, { publicKey: pair.publicKey, name: 'T', now }),
      )
      const responder = await makeOcspResponderCertificate(authority, {
        publicKey: responderPair.publicKey,
        name: 'O',
        now,
      })
      const nonce = Buffer.from('0123456789abcdef')
      const { bytes, text } = openssl(
        [
          'ocsp',
          '-index',
          'i',
          '-rsigner',
          'o.pem',
          '-rkey',
          'o.key',
          '-CA',
          'r.pem',
          '-reqin',
          'q',
          '-respout',
          'out',
          '-ndays',
          '2',
        ],
        {
          i: `V\t360101000000Z\t\t${subject.serial.toString('hex').toUpperCase()}\tunknown\t/CN=T\n`,
          'o.pem': certificatePem(responder),
          'o.key': responderPair.privateKey.export({ format: 'pem', type: 'pkcs8' }),
          'r.pem': certificatePem(signed),
          q: buildOcspRequest(subject, parseCertificate(signed), nonce),
        },
      )
      assert.ok(bytes.length > 0, text)
      const response = parseOcspResponse(bytes)
      assert.equal(judgeOcspResponse(response, subject, parseCertificate(signed)).status, 'good')
      assert.deepEqual(response.nonce, nonce)
    })

    test('our own answers are judged', async () => {
      const judged = judgeOcspResponse(parseOcspResponse(await respond('good')), seal, issuing)
      assert.equal(judged.status, 'good')
      assert.deepEqual(judged.responder.raw, chain.issuingResponder.certificate)
      const revoked = judgeOcspResponse(
        parseOcspResponse(await respond({ revokedAt, reason: 'unspecified' })),
        seal,
        issuing,
      )
      assert.deepEqual(revoked.status, { revokedAt, reason: 'unspecified' })
    })

    test('the issuer itself may answer', async () => {
      const judged = judgeOcspResponse(
        parseOcspResponse(await respond('good', { responder: chain.issuing })),
        seal,
        issuing,
      )
      assert.deepEqual(judged.responder.raw, issuing.raw)
    })

    const impostors: [name: string, responder: () => TestChain['seal']][] = [
      ['the responder of another authority', () => chain.rootResponder],
      ['a certificate that is not for OCSP', () => chain.seal],
    ]
    for (const [name, responder] of impostors) {
      test(`${name} may not answer`, async () => {
        const response = parseOcspResponse(await respond('good', { responder: responder() }))
        assert.throws(() => judgeOcspResponse(response, seal, issuing), { code: 'malformed', message: /authorised/ })
      })
    }

    test('an answer about another certificate, or changed, is refused', async () => {
      const der = await respond('good')
      assert.throws(() => judgeOcspResponse(parseOcspResponse(der), issuing, root), /another certificate/)
      const good = Buffer.from('8000', 'hex')
      const at = der.lastIndexOf(good, der.indexOf(Buffer.from('20260301120000Z'), 200))
      der[at] = 0x82
      assert.throws(() => judgeOcspResponse(parseOcspResponse(der), seal, issuing), PkiError)
    })

    test('an answer that is only an error is told as such', () => {
      assert.throws(() => parseOcspResponse(ocspError('tryLater')), /error 3/)
      assert.throws(() => parseOcspResponse(sequence(enumerated(0))), PkiError)
    })

    test('a response cut anywhere is refused', async () => {
      const der = await respond('good')
      for (let length = 0; length < der.length; length += 5) {
        assert.throws(() => parseOcspResponse(der.subarray(0, length)), PkiError)
      }
    })
  })

  describe('protection of a signature', () => {
    test('data from the second of the signature protects it', async () => {
      const evidence = requireProtection([seal, issuing, root], await answerAt(now), { since: now, now })
      assert.equal(evidence.length, 2)
      assert.ok(evidence.every(({ responder }) => responder?.extensions.has(OID.ocspNoCheck)))
    })

    test('data from the second before does not, nor does data from the future', async () => {
      const before = await answerAt(new Date(now.getTime() - 1000))
      const question = { certificate: seal, issuer: issuing, since: now, now }
      assert.equal(judgeRevocation({ ...question, data: before }).status, 'too-old')
      assert.throws(() => requireProtection([seal, issuing, root], before, { since: now, now }), {
        code: 'not-valid-now',
      })
      assert.equal(judgeRevocation({ ...question, data: await answerAt(later) }).status, 'unknown')
    })

    test('a revocation in any source wins over newer good answers', async () => {
      const data = await answerAt(now)
      const crl = parseCrl(await issueCrl(chain.issuing, { ...content, thisUpdate: revokedAt }))
      const verdict = judgeRevocation({
        certificate: seal,
        issuer: issuing,
        since: now,
        now,
        data: { ...data, crls: [crl] },
      })
      assert.ok(verdict.status === 'revoked')
      assert.deepEqual([verdict.source, verdict.reason, verdict.revokedAt], ['crl', 'keyCompromise', revokedAt])
    })

    test('a hold that has been lifted no longer counts, one that stands does', async () => {
      const held = [{ serial: seal.serial, revokedAt, reason: 'certificateHold' as const }]
      const crl = parseCrl(await issueCrl(chain.issuing, { ...content, revoked: held, thisUpdate: revokedAt }))
      const question = { certificate: seal, issuer: issuing, since: now, now }
      const { ocspResponses } = await answerAt(now)
      assert.equal(judgeRevocation({ ...question, data: { ocspResponses, crls: [crl] } }).status, 'good')
      assert.equal(judgeRevocation({ ...question, data: { ocspResponses: [], crls: [crl] } }).status, 'revoked')
    })

    test('responders need no protection, anchors neither', () => {
      const responder = parseCertificate(chain.issuingResponder.certificate)
      assert.deepEqual(listToProtect([responder, issuing, root]), [{ certificate: issuing, issuer: root }])
      const data = { ocspResponses: [], crls: [] }
      assert.equal(judgeRevocation({ certificate: responder, issuer: issuing, since: now, now, data }).status, 'exempt')
      assert.equal(judgeRevocation({ certificate: seal, issuer: issuing, since: now, now, data }).status, 'unknown')
    })
  })
})

/** An empty list with this extension and no true signature: parsing comes before that. */
function listWith(issuer: Certificate, extra: Buffer): Buffer {
  const algorithm = signatureIdentifier('ES256')
  const body = sequence(integer(1), algorithm, issuer.subject, time(now), explicit(0, sequence(extra)))
  return sequence(body, algorithm, bitString(Buffer.alloc(70)))
}
