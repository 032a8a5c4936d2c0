// What a judge who sees many files of the same makers keeps in mind from one to the next: the same few certificates and
// answers are in all of them. It changes how long a verdict takes and nothing else. For files of our own making: what a
// stranger's file says is forgotten with it.
import { parseCertificate } from '#pki/certificate.ts'
import { parseCrl } from '#pki/crl.ts'
import { parseOcspResponse } from '#pki/ocsp.ts'
import { makeVerificationMemory } from '#pki/verification-memory.ts'

const MOST_ITEMS = 200
/** Longer ones are rare, and keeping them would cost more than reading them. */
const LONGEST_BYTES = 16 * 1024

/** Reads values, the same bytes once. Who shares what it answers with must not change it. */
export class Remembered<T> {
  private readonly parse: (der: Buffer) => T
  private readonly known = new Map<string, T>()

  constructor(parse: (der: Buffer) => T) {
    this.parse = parse
  }

  read(der: Buffer): T {
    if (der.length > LONGEST_BYTES) return this.parse(der)
    const id = der.toString('latin1')
    const before = this.known.get(id)
    if (before !== undefined) return before
    // What was read points into its bytes, and those may be a part of a whole file.
    const value = this.parse(Buffer.from(der))
    if (this.known.size >= MOST_ITEMS) this.known.delete(this.known.keys().next().value!)
    this.known.set(id, value)
    return value
  }
}

export class Memory {
  readonly anchors = new Remembered(parseCertificate)
  readonly certificates = new Remembered(parseCertificate)
  readonly ocspResponses = new Remembered(parseOcspResponse)
  readonly crls = new Remembered(parseCrl)
  readonly verifications = makeVerificationMemory()
}
