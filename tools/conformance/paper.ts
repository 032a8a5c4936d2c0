// A document on its way through signatures, a clock at hand, with the proofs that are collected as the product does it:
// right after each signature's timestamp, so that they are younger than what they protect.
import type { RawSigner } from '#pki/raw-signer.ts'
import { createSignatureFields, type NewField } from '#pades/fields.ts'
import { addArchiveTimestamp, signPdf, type Level, type SignPdfOptions } from '#pades/sign.ts'
import { bufferSource } from '#pades/source.ts'
import type { ValidationData } from '#pades/validation-data.ts'
import { SECOND_MS, timestamperOf, type Authority, type Clock } from './authority.ts'

interface Surroundings {
  readonly authority: Authority
  readonly clock: Clock
  readonly timestamps: RawSigner
}

export class Paper {
  pdf: Buffer
  readonly #authority: Authority
  readonly #clock: Clock
  readonly #proofs: ValidationData[] = []
  #timestamps: RawSigner

  private constructor(pdf: Buffer, { authority, clock, timestamps }: Surroundings) {
    this.pdf = pdf
    this.#timestamps = timestamps
    this.#authority = authority
    this.#clock = clock
  }

  static async of(pdf: Buffer, authority: Authority, clock: Clock): Promise<Paper> {
    return new Paper(pdf, { authority, clock, timestamps: await authority.timestampSigner(clock.now) })
  }

  async addFields(fields: readonly NewField[]): Promise<void> {
    this.#append([await createSignatureFields(bufferSource(this.pdf), fields)])
  }

  async sign(signer: RawSigner, level: Level, options: Partial<SignPdfOptions> = {}): Promise<void> {
    const appended = await signPdf(bufferSource(this.pdf), {
      signer,
      level,
      tsa: timestamperOf(this.#timestamps, this.#clock),
      time: this.#clock.now,
      field: { name: 'Signature' },
      name: 'Anna Müller',
      reason: 'I agree (v1)',
      validationData: () => this.prove(signer),
      ...options,
    })
    this.#append(appended)
  }

  /** Collects what proves the signer's certificate good, and answers with everything collected until now. */
  async prove(signer?: RawSigner): Promise<ValidationData> {
    const now = this.#clock.advance(SECOND_MS)
    this.#proofs.push(await this.#authority.proofsFor({ signer, timestamps: this.#timestamps }, now))
    this.#clock.advance(SECOND_MS)
    return {
      certificates: this.#proofs.flatMap(({ certificates }) => certificates),
      ocsps: this.#proofs.flatMap(({ ocsps }) => ocsps),
      crls: this.#proofs.flatMap(({ crls }) => crls),
    }
  }

  /** Lifts every signature to B-LTA. */
  async archive(): Promise<void> {
    await this.#stamp(await this.prove())
  }

  /** Keeps the signatures there, with a new timestamp authority, years before the old one ends. */
  async renew(): Promise<void> {
    await this.prove()
    this.#timestamps = await this.#authority.timestampSigner(this.#clock.now)
    await this.#stamp(await this.prove())
  }

  async #stamp(validationData: ValidationData): Promise<void> {
    const tsa = timestamperOf(this.#timestamps, this.#clock)
    this.#append([await addArchiveTimestamp(bufferSource(this.pdf), { tsa, validationData })])
  }

  #append(appended: readonly Buffer[]): void {
    this.pdf = Buffer.concat([this.pdf, ...appended])
  }
}
