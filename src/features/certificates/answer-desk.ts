import type { ValidationData } from '#pades/validation-data.ts'
import { parseCertificate, type Certificate } from '#pki/certificate.ts'
import { issueCrl } from '#pki/crl.ts'
import { certificateId } from '#pki/ocsp-id.ts'
import { issueOcspResponse } from '#pki/ocsp.ts'
import type { RawSigner } from '#pki/raw-signer.ts'
import { keyIdOf } from './publish.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Gathers what a file has to carry: each certificate and each answer once, all answers from the same moment. */
export class AnswerDesk {
  readonly #root: RawSigner
  readonly #responders: readonly RawSigner[]
  readonly #at: Date
  readonly #certificates = new Map<string, Buffer>()
  readonly #ocsps: Buffer[] = []
  readonly #crls: Buffer[] = []
  readonly #answered = new Set<string>()

  constructor({ root, responders, at }: { root: RawSigner; responders: readonly RawSigner[]; at: Date }) {
    this.#root = root
    this.#responders = responders
    this.#at = at
  }

  /** Answers for a certificate of ours, and for its issuer up to the root. */
  async addIssued(certificate: Certificate, issuer: RawSigner): Promise<void> {
    const name = certificate.serial.toString('hex')
    if (this.#answered.has(name)) return
    this.#answered.add(name)
    this.#keep(certificate.raw, issuer.certificate)
    await this.#answer(certificate, issuer)
    const isRoot = issuer.certificate.equals(this.#root.certificate)
    if (!isRoot) await this.addIssued(parseCertificate(issuer.certificate), this.#root)
  }

  /** Adds what others have said. */
  add({ certificates, ocsps, crls }: ValidationData): void {
    this.#keep(...certificates)
    this.#ocsps.push(...ocsps)
    this.#crls.push(...crls)
  }

  /**
   * The root's own list beside the answers: a common validator mixes up answers about two certificates of one issuer
   * once they are old, and then asks for a list.
   */
  async addRootList(): Promise<void> {
    const thisUpdate = this.#at
    const nextUpdate = new Date(thisUpdate.getTime() + DAY_MS)
    const number = Math.floor(thisUpdate.getTime() / 1000)
    this.#crls.push(await issueCrl(this.#root, { revoked: [], thisUpdate, nextUpdate, number }))
  }

  data(): ValidationData {
    return { certificates: [...this.#certificates.values()], ocsps: this.#ocsps, crls: this.#crls }
  }

  async #answer(certificate: Certificate, issuer: RawSigner): Promise<void> {
    const authority = parseCertificate(issuer.certificate)
    const id = certificateId(certificate, authority)
    const thisUpdate = this.#at
    // An answer that outlives its certificate makes a validator look at a moment when the certificate had ended.
    const nextUpdate = new Date(Math.min(thisUpdate.getTime() + DAY_MS, certificate.notAfter.getTime()))
    // An authority that has been replaced has no delegate any more, and answers itself (RFC 6960 2.6).
    const responder = this.#responders.find((candidate) => isDelegateOf(candidate, authority)) ?? issuer
    if (responder !== issuer) this.#keep(responder.certificate)
    const responses = [{ id, status: 'good', thisUpdate, nextUpdate } as const]
    this.#ocsps.push(await issueOcspResponse(responder, { responses, producedAt: thisUpdate }))
  }

  #keep(...certificates: readonly Buffer[]): void {
    for (const der of certificates) this.#certificates.set(der.toString('base64'), der)
  }
}

function isDelegateOf({ certificate }: RawSigner, authority: Certificate): boolean {
  return parseCertificate(certificate).authorityKeyIdentifier?.equals(keyIdOf(authority)) ?? false
}
