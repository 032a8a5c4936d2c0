// The judges that are libraries answer through a small program each, in JSON: which tool, which version, and for each
// file what it says about signatures and timestamps. ../README.md describes the form.

export interface DssSignature {
  readonly field: string
  /** The level, as DSS names it: PAdES-BASELINE-LTA. */
  readonly format: string
  readonly indication: string
  readonly subIndication: string | null
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

export interface DssTimestamp {
  readonly type: string
  readonly indication: string
  readonly subIndication: string | null
}

export interface PyhankoTrust {
  readonly isIntact: boolean
  readonly isValid: boolean
  readonly isTrusted: boolean
}

export interface PyhankoTimestamp extends PyhankoTrust {
  readonly field: string
  readonly coverage: string
  readonly modification: string | null
  /** What it can't explain about the changes; absent in older answers. */
  readonly doubt?: string | null
}

export interface PyhankoSignature extends PyhankoTimestamp {
  /** Everything in order as of the moment, without looking into the past. */
  readonly isAccepted: boolean
  readonly timestamp: PyhankoTrust | null
  /** The indication by EN 319 102-1 with the validation of long-term signatures. */
  readonly ades: string
  readonly adesInFuture: string
}

export type FileAnswer<Signature, Timestamp> =
  | { readonly error: string }
  | { readonly signatures: readonly Signature[]; readonly timestamps: readonly Timestamp[] }

export type DssAnswer = FileAnswer<DssSignature, DssTimestamp>
export type PyhankoAnswer = FileAnswer<PyhankoSignature, PyhankoTimestamp>

export interface Answers<Answer> {
  readonly tool: string
  readonly version: string
  readonly files: Readonly<Record<string, Answer>>
}

/** How a complaint begins that is about the document and not about the signature. */
export const UNREADABLE = 'cannot read the document'

/** What a judge printed; throws where that is no answer at all. */
export function parseAnswers<Answer>(printed: { ok: boolean; stdout: string; text: string }): Answers<Answer> {
  if (!printed.ok) throw new Error(`The judge failed: ${printed.text.slice(0, 2000)}`)
  return JSON.parse(printed.stdout) as Answers<Answer>
}
