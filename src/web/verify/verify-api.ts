// What the page asks the service for: one file in, one report out.

export type Weight = 'failure' | 'doubt' | 'note'
export type Finding = { weight: Weight; message: string }
export type ChainEnd = 'Installation' | 'Trusted' | 'Unknown'
export type AdditionKind =
  | 'signature'
  | 'timestamp'
  | 'validation-data'
  | 'empty-field'
  | 'form-filling'
  | 'metadata'
  | 'extensions'
export type Certificate = { subject: string; issuer: string; notBefore: string; notAfter: string; sha256: string }
export type Signature = {
  kind: 'signature' | 'timestamp'
  fieldName: string
  indication: 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'
  subIndication: string | null
  level: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA' | null
  subject: string | null
  claimedTime: string | null
  provenTime: string | null
  changedAfterwards: 'no' | 'explained' | 'unexplained' | 'unknown'
  additions: { revision: number; kind: AdditionKind }[]
  chainEndsAt: ChainEnd
  certificates: Certificate[]
  findings: Finding[]
}
export type Verdict = 'valid' | 'indeterminate' | 'invalid' | 'unsigned'
export type Report = {
  verdict: Verdict
  validatedAt: string
  sha256: string
  sizeBytes: number
  evidence: { signatureRequestId: string; isSealedHere: boolean } | null
  signatures: Signature[]
  timestamps: Signature[]
  findings: Finding[]
}

export type TroubleKind = 'notPdf' | 'tooLarge' | 'busy' | 'offline' | 'other'

/** The codes of refusals that the page has words of its own for. */
export const REFUSALS: Readonly<Record<number, TroubleKind>> = {
  1000: 'notPdf', // An empty file is none.
  1610: 'notPdf',
  1019: 'tooLarge',
  1002: 'busy',
  9110: 'busy',
}

export class Trouble extends Error {
  readonly kind: TroubleKind

  constructor(kind: TroubleKind) {
    super(kind)
    this.kind = kind
  }
}

/** The service's report about a file; throws a Trouble where there is none. */
export async function checkFile(file: Blob, evidence: string | undefined): Promise<Report> {
  const query = evidence === undefined ? '' : `?evidence=${encodeURIComponent(evidence)}`
  const request = { method: 'POST', headers: { 'content-type': 'application/pdf' }, body: file }
  const response = await fetch(`/verify/api/document${query}`, request).catch(() => undefined)
  if (response === undefined) throw new Trouble('offline')
  const body = (await response.json().catch(() => ({}))) as Report & { code?: number }
  if (response.ok) return body
  throw new Trouble((body.code !== undefined && REFUSALS[body.code]) || 'other')
}
