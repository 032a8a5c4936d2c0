// A world to sign in, for tests: an authority with OCSP, a timestamp service, and a clock that the test moves.
import type { SignatureAlgorithm } from '#pki/algorithms.ts'
import {
  makeIssuingAuthority,
  makeOcspResponderCertificate,
  makeRoot,
  makeSealCertificate,
  makeSignatoryCertificate,
  makeTimestampCertificate,
} from '#pki/authority.ts'
import { parseCertificate } from '#pki/certificate.ts'
import { cmsTemplate } from '#pki/cms.ts'
import { issueOcspResponse, type CertificateStatus } from '#pki/ocsp.ts'
import { certificateId } from '#pki/ocsp-id.ts'
import { generateKey, memoryKey, memorySigner, type RawSigner } from '#pki/raw-signer.ts'
import { issueTimestamp } from '#pki/timestamp-authority.ts'
import { requestTimestamp } from '#pki/timestamp.ts'
import { addArchiveTimestamp, signPdf, type SignPdfOptions, type Timestamper } from '../../sign.ts'
import { bufferSource } from '../../source.ts'
import type { ValidationData } from '../../validation-data.ts'
import { validatePdf, type ValidationOptions } from '../validate-pdf.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
export const YEAR_MS = 365.25 * DAY_MS
const START = new Date('2026-11-15T03:20:00Z')

type Certifier = (publicKey: Parameters<typeof makeRoot>[0]['publicKey']) => Promise<Buffer>

async function makeSigner(algorithm: SignatureAlgorithm, chain: Buffer[], certify: Certifier): Promise<RawSigner> {
  const { publicKey, privateKey } = await generateKey(algorithm)
  return memorySigner({ certificate: await certify(publicKey), chain, algorithm, privateKey })
}

const makeStamper = (root: RawSigner, now: Date) =>
  makeSigner('ES256', [root.certificate], (publicKey) =>
    makeTimestampCertificate(root, { publicKey, name: 'Test timestamps', now }),
  )

/** Makes the authority; everything in it happens at `world.now`. */
export async function makeWorld() {
  const early = new Date(START.getTime() - DAY_MS)
  const rootKey = await generateKey('ES256')
  const rootCertificate = await makeRoot({
    publicKey: rootKey.publicKey,
    key: memoryKey(rootKey.privateKey, 'ES256'),
    name: 'Test root',
    now: early,
  })
  const { privateKey } = rootKey
  const root = memorySigner({ certificate: rootCertificate, chain: [], algorithm: 'ES256', privateKey })
  const issuing = await makeSigner('ES256', [rootCertificate], (publicKey) =>
    makeIssuingAuthority(root, { publicKey, name: 'Test issuing', organization: 'Test', now: early }),
  )
  const stamper = await makeStamper(root, early)
  return new World({ root, issuing, stamper })
}

export class World {
  now = START
  readonly root: RawSigner
  readonly issuing: RawSigner
  stamper: RawSigner
  private readonly statuses = new Map<string, CertificateStatus>()

  constructor({ root, issuing, stamper }: { root: RawSigner; issuing: RawSigner; stamper: RawSigner }) {
    this.root = root
    this.issuing = issuing
    this.stamper = stamper
  }

  /** A person with a certificate of 24 hours from now on. */
  signatory(name = 'Anna Müller', algorithm: SignatureAlgorithm = 'ES256'): Promise<RawSigner> {
    const { issuing, now } = this
    return makeSigner(algorithm, [issuing.certificate], (publicKey) =>
      makeSignatoryCertificate(issuing, { publicKey, name, requestId: 'request-1', authentication: 'None.', now }),
    )
  }

  seal(): Promise<RawSigner> {
    const { issuing, now } = this
    return makeSigner('ES256', [issuing.certificate], (publicKey) =>
      makeSealCertificate(issuing, { publicKey, name: 'Contracts', organization: 'Test', now }),
    )
  }

  readonly tsa: Timestamper = async (imprint) => {
    const { now, stamper } = this
    const authority = { signer: stamper, template: cmsTemplate(stamper) }
    const service = { send: (request: Buffer) => issueTimestamp(request, authority, { now }) }
    return (await requestTimestamp({ ...imprint, now }, service)).der
  }

  /** From now on timestamps are made with a new key and certificate. */
  async renewTimestampAuthority(): Promise<void> {
    this.stamper = await makeStamper(this.root, this.now)
  }

  revoke({ certificate }: RawSigner, revokedAt: Date): void {
    this.statuses.set(certificate.toString('hex'), { revokedAt, reason: 'keyCompromise' })
  }

  /** A fresh answer about a certificate, by a delegated responder of its issuer. */
  async ocsp(certificate: Buffer, issuer: RawSigner): Promise<Buffer> {
    const { now } = this
    const responder = await makeSigner('ES256', [issuer.certificate], (publicKey) =>
      makeOcspResponderCertificate(issuer, { publicKey, name: 'Test OCSP', now }),
    )
    const id = certificateId(parseCertificate(certificate), parseCertificate(issuer.certificate))
    const status = this.statuses.get(certificate.toString('hex')) ?? 'good'
    const nextUpdate = new Date(now.getTime() + DAY_MS)
    return issueOcspResponse(responder, { responses: [{ id, status, thisUpdate: now, nextUpdate }], producedAt: now })
  }

  /** Everything needed to protect signatures of these signers, as of now. */
  async validationData(...signers: RawSigner[]): Promise<ValidationData> {
    const { root, issuing, stamper } = this
    const certificates = [root, issuing, stamper, ...signers].map(({ certificate }) => certificate)
    const ocsps = await Promise.all([
      this.ocsp(issuing.certificate, root),
      this.ocsp(stamper.certificate, root),
      ...signers.map(({ certificate }) => this.ocsp(certificate, issuing)),
    ])
    return { certificates, ocsps, crls: [] }
  }

  /** The document with a signature at the level given. */
  async sign(pdf: Buffer, options: Partial<SignPdfOptions> & Pick<SignPdfOptions, 'signer'>): Promise<Buffer> {
    const appended = await signPdf(bufferSource(pdf), {
      level: 'B-LTA',
      tsa: this.tsa,
      time: this.now,
      field: { name: 'Signature' },
      validationData: () => this.validationData(options.signer),
      ...options,
    })
    return Buffer.concat([pdf, ...appended])
  }

  /** The document with validation data and a document timestamp of now. */
  async archive(pdf: Buffer, ...data: ValidationData[]): Promise<Buffer> {
    const all = data.length === 0 ? [await this.validationData()] : data
    const validationData = {
      certificates: all.flatMap(({ certificates }) => certificates),
      ocsps: all.flatMap(({ ocsps }) => ocsps),
      crls: all.flatMap(({ crls }) => crls),
    }
    return Buffer.concat([pdf, await addArchiveTimestamp(bufferSource(pdf), { tsa: this.tsa, validationData })])
  }

  /** Judges as of now, with this world's root as the only anchor. */
  validate(pdf: Buffer, more: Partial<ValidationOptions> = {}) {
    return validatePdf(pdf, { trustAnchors: [this.root.certificate], time: this.now, ...more })
  }
}
