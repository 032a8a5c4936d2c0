// The authority that stands behind the files: a chain as the product makes it, with a clock that can be turned, so that
// a file can be signed over weeks and renewed over years within a second.
import {
  makeIssuingAuthority,
  makeOcspResponderCertificate,
  makeRoot,
  makeSealCertificate,
  makeSignatoryCertificate,
  makeTimestampCertificate,
} from '#pki/authority.ts'
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { issueCrl } from '#pki/crl.ts'
import { issueOcspResponse } from '#pki/ocsp.ts'
import { certificateId } from '#pki/ocsp-id.ts'
import { generateKey, memoryKey, memorySigner, type KeyPair, type RawSigner } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { requestTimestamp } from '#pki/timestamp.ts'
import type { Timestamper } from '#pades/sign.ts'
import type { ValidationData } from '#pades/validation-data.ts'

export const SECOND_MS = 1000
export const DAY_MS = 24 * 60 * 60 * SECOND_MS
const ORGANIZATION = 'Example Oy'
const BASE_URL = 'https://sign.example'

/** A clock in whole seconds, as our timestamp authority writes them. */
export class Clock {
  #ms: number

  constructor(begin: Date) {
    this.#ms = begin.getTime()
  }

  get now(): Date {
    return new Date(this.#ms)
  }

  advance(ms: number): Date {
    this.#ms += ms
    return this.now
  }
}

interface Proven {
  readonly timestamps: RawSigner
  readonly signer?: RawSigner | undefined
}

export class Authority {
  readonly root: RawSigner
  readonly #issuing: RawSigner
  /** RSA keys take long to make, and who holds them does not matter here: one of each kind serves everybody. */
  readonly #keys: ReadonlyMap<SignatureAlgorithm, KeyPair>

  private constructor(
    { root, issuing }: Record<'root' | 'issuing', RawSigner>,
    keys: ReadonlyMap<SignatureAlgorithm, KeyPair>,
  ) {
    this.root = root
    this.#issuing = issuing
    this.#keys = keys
  }

  /** Makes keys and the certificates that live long. */
  static async begin(now: Date, algorithms: readonly SignatureAlgorithm[]): Promise<Authority> {
    const keys = new Map<SignatureAlgorithm, KeyPair>()
    for (const algorithm of new Set([...algorithms, 'ES256' as const]))
      keys.set(algorithm, await generateKey(algorithm))
    const root = await withNewKey([], ({ publicKey, privateKey }) =>
      makeRoot({ publicKey, key: memoryKey(privateKey, 'ES256'), name: 'Conformance root', now }),
    )
    const issuing = await withNewKey([root.certificate], ({ publicKey }) =>
      makeIssuingAuthority(root, { ...named('Conformance issuing', now), publicKey, organization: ORGANIZATION }),
    )
    return new Authority({ root, issuing }, keys)
  }

  /** A one-time certificate for one person. */
  signatory(name: string, algorithm: SignatureAlgorithm, now: Date): Promise<RawSigner> {
    return this.#signer(algorithm, (publicKey) =>
      makeSignatoryCertificate(this.#issuing, {
        ...named(name, now),
        publicKey,
        requestId: '0198f2f6-8a4b-7c3e-9d51-0c2b7a1e4f60',
        authentication: 'The e-mail address was confirmed by a code.',
      }),
    )
  }

  seal(name: string, algorithm: SignatureAlgorithm, now: Date): Promise<RawSigner> {
    return this.#signer(algorithm, (publicKey) =>
      makeSealCertificate(this.#issuing, { ...named(name, now), publicKey, organization: ORGANIZATION, country: 'FI' }),
    )
  }

  /** The key and certificate of a timestamp authority. */
  timestampSigner(now: Date): Promise<RawSigner> {
    return withNewKey([this.root.certificate], ({ publicKey }) =>
      makeTimestampCertificate(this.root, { ...named('Conformance timestamps', now), publicKey }),
    )
  }

  /** What proves, as of now, that neither these certificates nor the authority between them and the root is revoked. */
  async proofsFor({ signer, timestamps }: Proven, now: Date): Promise<ValidationData> {
    const certificates = [this.root, this.#issuing, timestamps].map(({ certificate }) => certificate)
    const crls = [await this.#list(now)]
    if (signer === undefined) return { certificates, ocsps: [], crls }
    const responder = await withNewKey([], ({ publicKey }) =>
      makeOcspResponderCertificate(this.#issuing, { publicKey, name: 'Conformance OCSP', now }),
    )
    return {
      certificates: [...certificates, signer.certificate, responder.certificate],
      ocsps: [await this.#answer(responder, signer.certificate, now)],
      crls,
    }
  }

  /**
   * Says of everything that the root has issued that it is not revoked. A list and not answers about each: pyHanko
   * takes an old answer about one certificate beside one about another of the same issuer for a wrong one.
   */
  #list(now: Date): Promise<Buffer> {
    const nextUpdate = new Date(now.getTime() + DAY_MS)
    return issueCrl(this.root, { revoked: [], thisUpdate: now, nextUpdate, number: now.getTime() })
  }

  async #signer(algorithm: SignatureAlgorithm, issue: (publicKey: KeyPair['publicKey']) => Promise<Buffer>) {
    const { publicKey, privateKey } = this.#keys.get(algorithm) as KeyPair
    const certificate = await issue(publicKey)
    return memorySigner({ certificate, chain: [this.#issuing.certificate], algorithm, privateKey })
  }

  async #answer(responder: RawSigner, subject: Buffer, now: Date): Promise<Buffer> {
    const certificate = parseCertificate(subject)
    const id = certificateId(certificate, parseCertificate(this.#issuing.certificate))
    // Validators move back to the end of this answer; if that lies after the certificate's own end, they doubt it.
    const nextUpdate = new Date(Math.min(now.getTime() + DAY_MS, certificate.notAfter.getTime()))
    const response = { id, status: 'good' as const, thisUpdate: now, nextUpdate }
    return issueOcspResponse(responder, { producedAt: now, responses: [response] })
  }
}

/** Stamps with the time of the clock. */
export function timestamperOf(signer: RawSigner, clock: Clock): Timestamper {
  const send = (request: Buffer) => issueTimestamp(request, { signer }, { now: clock.now })
  return async (imprint) => (await requestTimestamp({ ...imprint, now: clock.now }, { send })).der
}

const named = (name: string, now: Date) => ({ name, now, baseUrl: BASE_URL })

async function withNewKey(chain: Buffer[], issue: (pair: KeyPair) => Promise<Buffer>): Promise<RawSigner> {
  const pair = await generateKey('ES256')
  return memorySigner({ certificate: await issue(pair), chain, algorithm: 'ES256', privateKey: pair.privateKey })
}
