import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { certificatePem, openssl, withoutOpenssl } from '../../test/fakes/openssl.ts'
import { makeTestChain, testTimestampService, type TestChain } from '../../test/fakes/pki.ts'
import { parseCertificate } from './certificate.ts'
import { integer, oid, sequence, utf8String } from './der.ts'
import { PkiError } from './errors.ts'
import { PRODUCT_POLICY } from './oids.ts'
import { trustTimestampsOf } from './path.ts'
import { issueTimestamp, issueTimestampToken } from './timestamp-authority.ts'
import {
  buildTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
  requestTimestamp,
  verifyTimestampToken,
  type TimestampService,
} from './timestamp.ts'

const now = new Date('2026-03-01T12:00:00.750Z')
const content = Buffer.from('to be stamped')
const digest = createHash('sha256').update(content).digest()

describe('timestamps', () => {
  let chain: TestChain
  let service: TimestampService
  const ask = (changes: Partial<TimestampService> = {}) =>
    requestTimestamp({ hash: 'sha256', digest, now }, { ...service, ...changes })
  const answer = (request: Buffer) => issueTimestamp(request, { signer: chain.timestamp }, { now })
  before(async () => {
    chain = await makeTestChain({ now: new Date('2026-01-01T00:00:00Z') })
    service = testTimestampService(chain.timestamp, () => now)
  })

  test('our client accepts what our authority writes, in whole seconds', async () => {
    const token = await ask({ policy: PRODUCT_POLICY.timestamp })
    assert.equal(token.info.time.toISOString(), '2026-03-01T12:00:00.000Z')
    assert.deepEqual(token.info.digest, digest)
    assert.deepEqual(verifyTimestampToken(token, () => digest).findings, [])
  })

  test('a token for whoever shares the process is as good as one that was asked for', async () => {
    const der = await issueTimestampToken({ hash: 'sha256', digest }, { signer: chain.timestamp }, { now })
    const token = parseTimestampToken(der)
    assert.deepEqual([token.der, token.info.nonce], [der, undefined])
    assert.equal(token.info.time.toISOString(), '2026-03-01T12:00:00.000Z')
    assert.deepEqual(verifyTimestampToken(token, () => digest).findings, [])
    assert.equal(token.signedData.certificates.length > 0, true)
  })

  test('openssl asks, our authority answers, openssl verifies', { skip: withoutOpenssl }, async () => {
    for (const hash of ['sha256', 'sha384', 'sha512']) {
      const query = openssl(['ts', '-query', '-data', 'd', `-${hash}`, '-cert'], { d: content }).bytes
      const files = {
        q: query,
        r: await answer(query),
        'root.pem': certificatePem(chain.root.certificate),
      }
      const time = ['-attime', String(Math.floor(now.getTime() / 1000))]
      const { ok, text } = openssl(
        ['ts', '-verify', '-queryfile', 'q', '-in', 'r', '-CAfile', 'root.pem', ...time],
        files,
      )
      assert.ok(ok, text)
    }
  })

  test('a client that does not want the certificate gets none', { skip: withoutOpenssl }, async () => {
    const query = openssl(['ts', '-query', '-data', 'd', '-sha256'], { d: content }).bytes
    assert.deepEqual(parseTimestampResponse(await answer(query)).signedData.certificates, [])
  })

  test('other key types work as authority', async () => {
    for (const algorithm of ['ES384', 'PS256'] as const) {
      const other = await makeTestChain({ now: new Date('2026-01-01T00:00:00Z'), algorithm })
      const token = await requestTimestamp(
        { hash: 'sha256', digest, now },
        testTimestampService(other.timestamp, () => now),
      )
      assert.equal(token.signedData.signer.scheme.hash, algorithm === 'ES384' ? 'sha384' : 'sha256')
    }
  })

  const lies: [name: string, send: (request: Buffer) => Promise<Buffer>, message: RegExp][] = [
    ['over another digest', (request) => answer(swap(request, digest, Buffer.alloc(32, 1))), /imprint-mismatch/],
    [
      'with another nonce',
      () => answer(buildTimestampRequest({ hash: 'sha256', digest, nonce: Buffer.alloc(16, 7), policy: undefined })),
      /nonce/,
    ],
    [
      'without a nonce',
      () => answer(buildTimestampRequest({ hash: 'sha256', digest, nonce: undefined, policy: undefined })),
      /nonce/,
    ],
    [
      'by a certificate that is not for timestamps',
      (request) => issueTimestamp(request, { signer: chain.seal }, { now }),
      /key-usage-not-timestamping/,
    ],
    [
      'outside of its certificate',
      (request) => issueTimestamp(request, { signer: chain.timestamp }, { now: new Date('2025-01-01T00:00:00Z') }),
      /certificate-not-valid-at-time/,
    ],
    [
      'far from our clock',
      (request) => issueTimestamp(request, { signer: chain.timestamp }, { now: new Date('2026-03-02T12:00:00Z') }),
      /far from ours/,
    ],
    ['with a broken signature', async (request) => flipLast(await answer(request)), /signature-invalid/],
  ]
  for (const [name, send, message] of lies) {
    test(`a token ${name} is refused`, () => assert.rejects(ask({ send }), { code: 'timestamp-invalid', message }))
  }

  test('a token under another policy is refused', async () => {
    const authority = { signer: chain.timestamp, policy: '1.2.3' }
    const send = (request: Buffer) => issueTimestamp(withoutPolicy(request), authority, { now })
    await assert.rejects(ask({ send, policy: PRODUCT_POLICY.timestamp }), {
      code: 'timestamp-invalid',
      message: /policy/,
    })
  })

  test('the authority must lead to an anchor', async () => {
    await ask({ requireTrusted: trustTimestampsOf([parseCertificate(chain.root.certificate)]) })
    const stranger = await makeTestChain({ now: new Date('2026-01-01T00:00:00Z') })
    const requireTrusted = trustTimestampsOf([parseCertificate(stranger.root.certificate)])
    await assert.rejects(ask({ requireTrusted }), { code: 'timestamp-invalid', message: /not trusted/ })
  })

  test('a token with any byte changed is refused, has a finding, or says the same as before', async () => {
    const original = await ask()
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: original.der.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, mask) => {
          const changed = Buffer.from(original.der)
          changed[at] = (changed[at] ?? 0) ^ mask
          const accepted = findAccepted(changed)
          if (accepted === undefined) return
          assert.deepEqual(accepted.info, original.info)
          assert.deepEqual(accepted.authority?.raw, chain.timestamp.certificate)
        },
      ),
    )
  })

  test('what is no timestamp response is refused', async () => {
    for (const bytes of [Buffer.from('<html>'), Buffer.alloc(0), sequence(integer(0))]) {
      await assert.rejects(ask({ send: async () => bytes }), { code: 'malformed' })
    }
    const refusal = sequence(sequence(integer(2), sequence(utf8String('We are closed.'))))
    await assert.rejects(ask({ send: async () => refusal }), { code: 'timestamp-refused', message: /We are closed/ })
  })

  const bad: [name: string, request: Buffer, failure: RegExp][] = [
    ['nonsense', Buffer.from('hello'), /bad data format|wrong format/i],
    [
      'SHA-1',
      buildTimestampRequest({ hash: 'sha1', digest: Buffer.alloc(20), nonce: undefined, policy: undefined }),
      /algorithm/i,
    ],
    [
      'a digest of the wrong length',
      buildTimestampRequest({ hash: 'sha256', digest: Buffer.alloc(31), nonce: undefined, policy: undefined }),
      /format/i,
    ],
    [
      'a policy of others',
      buildTimestampRequest({ hash: 'sha256', digest, nonce: undefined, policy: '1.2.3' }),
      /policy/i,
    ],
  ]
  for (const [name, request, failure] of bad) {
    test(`our authority rejects ${name} with its reason, as openssl reads it`, { skip: withoutOpenssl }, async () => {
      const { text } = openssl(['ts', '-reply', '-in', 'r', '-text'], { r: await answer(request) })
      assert.match(text, /Status: Rejected/)
      assert.match(text, failure)
    })
  }
})

function swap(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  to.copy(copy, copy.indexOf(from))
  return copy
}

function flipLast(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1
  return copy
}

/** The request with its policy taken out, as an authority would see it that ignores policies. */
function withoutPolicy(request: Buffer): Buffer {
  const policy = oid(PRODUCT_POLICY.timestamp)
  const at = request.indexOf(policy)
  const cut = Buffer.concat([request.subarray(0, at), request.subarray(at + policy.length)])
  cut[1] = (cut[1] ?? 0) - policy.length
  return cut
}

function findAccepted(der: Buffer) {
  try {
    const token = parseTimestampToken(der)
    const { findings, authority } = verifyTimestampToken(token, () => digest)
    return findings.length > 0 ? undefined : { info: token.info, authority }
  } catch (error) {
    assert.ok(error instanceof PkiError, String(error))
    return undefined
  }
}
