// A small authority for tests: root, issuing authority, a signatory, and a timestamp signer, all on real keys.
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import { makeIssuingAuthority, makeRoot, makeSignatoryCertificate, makeTimestampCertificate } from '#pki/authority.ts'
import { cmsTemplate } from '#pki/cms.ts'
import { generateKey, memoryKey, memorySigner, type RawSigner } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { requestTimestamp } from '#pki/timestamp.ts'
import type { Timestamper } from '../sign.ts'

export const TEST_TIME = new Date('2026-11-15T03:20:00Z')

export interface TestAuthority {
  root: Buffer
  issuing: RawSigner
  signer: RawSigner
  tsa: Timestamper
  tsaCertificate: Buffer
  tsaSigner: RawSigner
}

/** Makes keys and certificates, with a signatory's key of the algorithm given. */
export async function makeTestAuthority(
  algorithm: SignatureAlgorithm = 'ES256',
  now = TEST_TIME,
): Promise<TestAuthority> {
  const early = new Date(now.getTime() - 24 * 60 * 60 * 1000)
  const rootKey = await generateKey('ES256')
  const root = await makeRoot({
    publicKey: rootKey.publicKey,
    key: memoryKey(rootKey.privateKey, 'ES256'),
    name: 'Test root',
    now: early,
  })
  const rootSigner = memorySigner({ certificate: root, chain: [], algorithm: 'ES256', privateKey: rootKey.privateKey })

  const issuingKey = await generateKey('ES256')
  const issuingCertificate = await makeIssuingAuthority(rootSigner, {
    publicKey: issuingKey.publicKey,
    name: 'Test issuing',
    organization: 'Test',
    now: early,
  })
  const issuing = memorySigner({
    certificate: issuingCertificate,
    chain: [root],
    algorithm: 'ES256',
    privateKey: issuingKey.privateKey,
  })

  const tsaKey = await generateKey('ES256')
  const tsaCertificate = await makeTimestampCertificate(rootSigner, {
    publicKey: tsaKey.publicKey,
    name: 'Test timestamps',
    now: early,
  })
  const tsaSigner = memorySigner({
    certificate: tsaCertificate,
    chain: [root],
    algorithm: 'ES256',
    privateKey: tsaKey.privateKey,
  })

  const signer = await makeTestSigner(issuing, algorithm, now)
  return { root, issuing, signer, tsa: timestamperOf(tsaSigner, now), tsaCertificate, tsaSigner }
}

/** A signatory of a test authority. */
export async function makeTestSigner(
  issuing: RawSigner,
  algorithm: SignatureAlgorithm,
  now = TEST_TIME,
): Promise<RawSigner> {
  const { publicKey, privateKey } = await generateKey(algorithm)
  const certificate = await makeSignatoryCertificate(issuing, {
    publicKey,
    name: 'Anna Müller',
    requestId: 'request-1',
    authentication: 'None.',
    now,
  })
  return memorySigner({ certificate, chain: [issuing.certificate], algorithm, privateKey })
}

function timestamperOf(signer: RawSigner, now: Date): Timestamper {
  const authority = { signer, template: cmsTemplate(signer) }
  const service = { send: (request: Buffer) => issueTimestamp(request, authority, { now }) }
  return async (imprint) => (await requestTimestamp({ ...imprint, now }, service)).der
}
