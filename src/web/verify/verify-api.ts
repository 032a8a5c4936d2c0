// What the page asks the service for: one file in, one report out.
import type { ValidatedSignature, ValidationReport } from '#client'

export type Report = ValidationReport
export type Signature = ValidatedSignature

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
