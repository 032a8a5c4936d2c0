// From the validator's terms to the keys of plain sentences.
import type { IconName } from '../ui/icon.tsx'
import type { Report, Signature } from './verify-api.ts'
import type { Key } from './words.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'quiet'
export type Look = { icon: IconName; tone: Tone; title: Key }

export const VERDICTS: Readonly<Record<Report['verdict'], Look & { text: Key }>> = {
  valid: { icon: 'done', tone: 'good', title: 'verdictValid', text: 'verdictValidText' },
  invalid: { icon: 'cross', tone: 'bad', title: 'verdictInvalid', text: 'verdictInvalidText' },
  indeterminate: { icon: 'warning', tone: 'warn', title: 'verdictDoubt', text: 'verdictDoubtText' },
  unsigned: { icon: 'page', tone: 'quiet', title: 'verdictUnsigned', text: 'verdictUnsignedText' },
}

/** In place of what the verdict says of others: why there is nothing to tell about signatures. */
export const UNREADABLE: Readonly<Record<NonNullable<Report['unreadable']>, Key>> = {
  encrypted: 'fileEncrypted',
  damaged: 'fileDamaged',
  unsupported: 'fileUnsupported',
}

export const STATES: Readonly<Record<Signature['indication'], Look>> = {
  'TOTAL-PASSED': { icon: 'done', tone: 'good', title: 'stateGood' },
  INDETERMINATE: { icon: 'warning', tone: 'warn', title: 'stateDoubt' },
  'TOTAL-FAILED': { icon: 'cross', tone: 'bad', title: 'stateBad' },
}

export const LEVELS: Readonly<Record<NonNullable<Signature['level']>, Key>> = {
  'B-B': 'levelBasic',
  'B-T': 'levelTime',
  'B-LT': 'levelProofs',
  'B-LTA': 'levelLasting',
}

export const CHAINS: Readonly<Record<Signature['kind'], Readonly<Record<Signature['chainEndsAt'], Key>>>> = {
  signature: { Installation: 'chainInstallation', Trusted: 'chainTrusted', Unknown: 'chainUnknown' },
  timestamp: { Installation: 'stampInstallation', Trusted: 'stampTrusted', Unknown: 'stampUnknown' },
}

export const AFTERWARDS: Readonly<Record<Signature['changedAfterwards'], Key>> = {
  no: 'afterNothing',
  explained: 'afterExplained',
  unexplained: 'afterChanged',
  unknown: 'afterUnknown',
}

/** In the order in which they are told. */
const ADDITIONS: readonly (readonly [kinds: readonly Signature['additions'][number]['kind'][], key: Key])[] = [
  [['signature'], 'addedSignature'],
  [['timestamp'], 'addedTimestamp'],
  [['validation-data'], 'addedProofs'],
  [['form-filling'], 'addedFilling'],
  [['empty-field'], 'addedField'],
  [['metadata', 'extensions'], 'addedFormalities'],
]

/** What came after a signature: each kind once, with how many of it there are. */
export function listAdditions({ additions }: Signature): { key: Key; count: number }[] {
  return ADDITIONS.map(([kinds, key]) => ({
    key,
    count: additions.filter(({ kind }) => kinds.includes(kind)).length,
  })).filter(({ count }) => count > 0)
}

const REASONS: Readonly<Record<string, Key>> = {
  FORMAT_FAILURE: 'reasonChanged',
  HASH_FAILURE: 'reasonChanged',
  SIG_CRYPTO_FAILURE: 'reasonForged',
  REVOKED: 'reasonRevoked',
  REVOKED_NO_POE: 'reasonRevoked',
  NOT_YET_VALID: 'reasonPeriod',
  OUT_OF_BOUNDS_NO_POE: 'reasonPeriod',
  NO_SIGNING_CERTIFICATE_FOUND: 'reasonIssuer',
  NO_CERTIFICATE_CHAIN_FOUND: 'reasonIssuer',
  CHAIN_CONSTRAINTS_FAILURE: 'reasonIssuer',
  CERTIFICATE_CHAIN_GENERAL_FAILURE: 'reasonIssuer',
  REVOCATION_OUT_OF_BOUNDS_NO_POE: 'reasonStatus',
  TRY_LATER: 'reasonStatus',
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'reasonWeak',
}

/** Why a signature is not good; undefined where it is. */
export function reasonOf({ indication, subIndication }: Signature): Key | undefined {
  if (indication === 'TOTAL-PASSED') return undefined
  return REASONS[subIndication ?? ''] ?? 'reasonOther'
}
