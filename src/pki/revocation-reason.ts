/** Why a certificate was revoked, by the number that CRLs and OCSP responses carry (RFC 5280 5.3.1; 7 is unused). */
const REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  authorityCompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCrl: 8,
  privilegeWithdrawn: 9,
  attributeAuthorityCompromise: 10,
} as const

export type RevocationReason = keyof typeof REASONS

export interface Revocation {
  revokedAt: Date
  reason: RevocationReason
}

export const reasonNumber = (reason: RevocationReason) => REASONS[reason]

/** The reason for a number; one that the standard does not know counts as unspecified, which hides no revocation. */
export function reasonFrom(value: number | undefined): RevocationReason {
  const found = Object.entries(REASONS).find(([, number]) => number === value)
  return (found?.[0] as RevocationReason | undefined) ?? 'unspecified'
}
