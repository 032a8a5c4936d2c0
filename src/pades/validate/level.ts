// The baseline level that a signature reached (EN 319 142-1, clause 6): each needs all that the one before needs.
import type { SignedData } from '#pki/cms-reader.ts'
import { entry, isName, type PdfDict } from '../value.ts'
import { findClaimedTime } from './claimed-time.ts'
import type { Proofs } from './proofs.ts'
import type { Level } from './report.ts'
import type { SignatureAnswer } from './signature-judge.ts'
import type { Store } from './store.ts'

export interface LevelQuestion {
  readonly dict: PdfDict
  readonly signedData: SignedData
  readonly answer: SignatureAnswer
  readonly revision: number
  readonly store: Store
  readonly proofs: Proofs
}

/** The level, or undefined where not even B-B is reached. */
export function findLevel({ dict, signedData, answer, revision, store, proofs }: LevelQuestion): Level | undefined {
  if (!isBaseline(dict, signedData)) return undefined
  // A level is a matter of form; whether the timestamp is believed stands in the indication.
  if (answer.provenTime === undefined) return answer.isStamped ? 'B-T' : 'B-B'
  const parts = [answer.trust, ...answer.tokens]
  const hasStore = store.certificates.length > 0 && parts.every((part) => part?.isSelfContained === true)
  if (!hasStore) return 'B-T'
  const evidence = parts.flatMap((part) => part?.evidence ?? [])
  const lastNeeded = Math.max(revision, ...evidence.map((raw) => store.since.get(raw) ?? revision))
  return proofs.findTime(lastNeeded) === undefined ? 'B-LT' : 'B-LTA'
}

/** Table 1: ETSI's sub-filter, the time in /M and not in the CMS, certificates only in the CMS. */
function isBaseline(dict: PdfDict, { signer }: SignedData): boolean {
  return (
    isName(entry(dict, 'SubFilter'), 'ETSI.CAdES.detached') &&
    findClaimedTime(dict) !== undefined &&
    !dict.entries.has('Cert') &&
    signer.signingTime === undefined &&
    signer.signingCertificate !== undefined
  )
}
