// What a validation answers with. Indications and sub-indications are those of ETSI EN 319 102-1, clause 5.1.3.

/** About the whole file. 'valid' only where nothing is in doubt; 'unsigned' where nobody has signed. */
export type Verdict = 'valid' | 'indeterminate' | 'invalid' | 'unsigned'

export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE'

export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'REVOKED'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE'
  | 'TIMESTAMP_ORDER_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'REVOCATION_OUT_OF_BOUNDS_NO_POE'
  | 'TRY_LATER'
  | 'GENERIC'

/** Protected by a password, not what a PDF is, or of a kind that is not judged here. */
export type Unreadable = 'encrypted' | 'damaged' | 'unsupported'

/** Each holds everything that the ones before it hold. */
export const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const

export type Level = (typeof LEVELS)[number]

export interface Finding {
  /** 'failure' and 'doubt' keep a file from being valid, a 'note' does not. */
  readonly weight: 'failure' | 'doubt' | 'note'
  /** In plain words, for the person who asks. */
  readonly message: string
}

export interface CertificateSummary {
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** Of the whole certificate, in hexadecimal. */
  readonly sha256: string
}

export interface Coverage {
  readonly kind: 'whole-file' | 'revision' | 'none'
  /** Counted from 1. */
  readonly revision?: number
  /** The signed bytes end here. */
  readonly end?: number
}

/** Something that a later revision added, and that a rule explains. */
export interface Addition {
  readonly revision: number
  readonly kind:
    | 'signature'
    | 'timestamp'
    | 'validation-data'
    | 'empty-field'
    | 'form-filling'
    | 'metadata'
    | 'extensions'
  readonly message: string
}

export interface SignatureReport {
  readonly kind: 'signature' | 'timestamp'
  readonly fieldName: string
  readonly indication: Indication
  readonly subIndication?: SubIndication
  /** What a signature reached; timestamps have no level. */
  readonly level?: Level
  /** The name in the certificate: who signed, or which authority stamped. */
  readonly subject?: string
  /** What the signer says. */
  readonly claimedTime?: Date
  /** The signature existed then: the earliest timestamp over it that holds. For a timestamp, its own time. */
  readonly provenTime?: Date
  readonly coverage: Coverage
  readonly changedAfterwards: 'no' | 'explained' | 'unexplained' | 'unknown'
  readonly additions: readonly Addition[]
  /** From the signer's to the trust anchor, as far as it could be built. */
  readonly certificates: readonly CertificateSummary[]
  readonly findings: readonly Finding[]
}

export interface ValidationReport {
  readonly verdict: Verdict
  readonly validatedAt: Date
  readonly revisions: number
  /** Why the file could not even be read; absent where it could. */
  readonly unreadable?: Unreadable
  readonly signatures: readonly SignatureReport[]
  readonly timestamps: readonly SignatureReport[]
  /** About the file as a whole. */
  readonly findings: readonly Finding[]
}
