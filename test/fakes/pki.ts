// A whole signing chain for tests: every kind of certificate that the product's own authority makes, with keys in memory.
import {
  makeIssuingAuthority,
  makeOcspResponderCertificate,
  makeRoot,
  makeSealCertificate,
  makeSignatoryCertificate,
  makeTimestampCertificate,
} from '#pki/authority.ts'
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import { generateKey, memoryKey, memorySigner, type KeyPair, type RawSigner } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import type { TimestampService } from '#pki/timestamp.ts'

export interface TestChain {
  root: RawSigner
  issuing: RawSigner
  seal: RawSigner
  timestamp: RawSigner
  /** The delegated responder for what the root issued. */
  rootResponder: RawSigner
  /** The delegated responder for what the issuing authority issued. */
  issuingResponder: RawSigner
  /** A one-time certificate and key for one person. */
  makeSignatory(name: string, now: Date): Promise<RawSigner>
}

export interface TestChainOptions {
  now: Date
  algorithm?: SignatureAlgorithm
  baseUrl?: string
}

/** Makes a chain that begins at `now`. */
export async function makeTestChain({ now, algorithm = 'ES256', baseUrl }: TestChainOptions): Promise<TestChain> {
  // RSA keys take long to make; one for all roles will do in a test.
  const shared = algorithm === 'PS256' || algorithm === 'RS256' ? await generateKey(algorithm) : undefined
  const withKey = async (chain: Buffer[], issue: (pair: KeyPair) => Promise<Buffer>): Promise<RawSigner> => {
    const pair = shared ?? (await generateKey(algorithm))
    return memorySigner({ certificate: await issue(pair), chain, algorithm, privateKey: pair.privateKey })
  }
  const organization = 'Example Oy'
  const root = await withKey([], ({ publicKey, privateKey }) =>
    makeRoot({ publicKey, key: memoryKey(privateKey, algorithm), name: 'Test Root', now }),
  )
  const below = [root.certificate]
  const issuing = await withKey(below, ({ publicKey }) =>
    makeIssuingAuthority(root, { publicKey, name: 'Test Issuing', organization, now, baseUrl }),
  )
  const underIssuing = [issuing.certificate, root.certificate]
  return {
    root,
    issuing,
    seal: await withKey(underIssuing, ({ publicKey }) =>
      makeSealCertificate(issuing, { publicKey, name: 'Accounts', organization, country: 'FI', now, baseUrl }),
    ),
    timestamp: await withKey(below, ({ publicKey }) =>
      makeTimestampCertificate(root, { publicKey, name: 'Test Timestamps', now, baseUrl }),
    ),
    rootResponder: await withKey(below, ({ publicKey }) =>
      makeOcspResponderCertificate(root, { publicKey, name: 'Test Root OCSP', now }),
    ),
    issuingResponder: await withKey(underIssuing, ({ publicKey }) =>
      makeOcspResponderCertificate(issuing, { publicKey, name: 'Test Issuing OCSP', now }),
    ),
    makeSignatory: (name, at) =>
      withKey(underIssuing, ({ publicKey }) =>
        makeSignatoryCertificate(issuing, {
          publicKey,
          name,
          requestId: '0198f2f6-8a4b-7c3e-9d51-0c2b7a1e4f60',
          authentication: 'Simple electronic signature; the e-mail address was confirmed by a code.',
          now: at,
          baseUrl,
        }),
      ),
  }
}

/** A timestamp service without a network in between. */
export const testTimestampService = (signer: RawSigner, clock: () => Date): TimestampService => ({
  send: (request) => issueTimestamp(request, { signer }, { now: clock() }),
})
