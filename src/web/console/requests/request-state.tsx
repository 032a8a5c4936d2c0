import type { IconName } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'
import { StateMark, type Tone } from '../parts/state-mark.tsx'
import type { SignatureRequest } from '#client'

type Status = SignatureRequest['status']
type SignatoryState = SignatureRequest['signatories'][number]['state']
type Look = [tone: Tone, icon: IconName, words: string]

const STATUSES: Record<Status, Look> = {
  Draft: ['quiet', ICONS.draft, 'Draft'],
  Open: ['accent', 'clock', 'Waiting'],
  Processing: ['accent', ICONS.turning, 'Being sealed'],
  Closed: ['good', 'done', 'Signed'],
  Canceled: ['quiet', 'cross', 'Canceled'],
  Error: ['bad', 'warning', 'Needs attention'],
  Archiving: ['good', ICONS.archive, 'Being archived'],
  Archived: ['good', ICONS.archive, 'Archived'],
  ArchivingFailed: ['warn', 'warning', 'Not archived'],
}

const SIGNATORY_STATES: Record<SignatoryState, Look> = {
  Waiting: ['quiet', 'clock', 'Not invited yet'],
  Invited: ['accent', ICONS.messages, 'Invited'],
  Viewed: ['accent', ICONS.eye, 'Has opened it'],
  Signed: ['good', 'done', 'Signed'],
  Declined: ['bad', 'cross', 'Declined'],
  Skipped: ['quiet', 'check', 'Not needed any more'],
}

/** The choices of the filter, in the order of a request's life. */
export const STATUS_NAMES = Object.entries(STATUSES).map(([status, [, , words]]) => [status, words] as const)

/** Where a request stands; why it ended is said along with it. */
export function RequestState({ status, statusReason }: Pick<SignatureRequest, 'status' | 'statusReason'>) {
  const [tone, icon, words] = STATUSES[status]
  const isEndOfItsOwn = status === 'Canceled' && (statusReason === 'Declined' || statusReason === 'Expired')
  return (
    <StateMark tone={tone} icon={icon}>
      {isEndOfItsOwn ? statusReason : words}
    </StateMark>
  )
}

export function SignatoryMark({ state }: { state: SignatoryState }) {
  const [tone, icon, words] = SIGNATORY_STATES[state]
  return (
    <StateMark tone={tone} icon={icon}>
      {words}
    </StateMark>
  )
}

/** Whom a request waits for, in a few words. */
export function describeWaiting({ status, signatories }: Pick<SignatureRequest, 'status' | 'signatories'>): string {
  if (status !== 'Open') return ''
  const awaited = signatories.filter(({ state }) => state === 'Invited' || state === 'Viewed')
  const [first, ...others] = awaited.map(shortName)
  if (first === undefined) return 'Getting ready'
  if (others.length === 0) return `Waiting for ${first}`
  return `Waiting for ${first} and ${others.length === 1 ? others[0]! : `${others.length} others`}`
}

function shortName({ firstName, lastName, email, mobilePhone }: SignatureRequest['signatories'][number]): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email || mobilePhone || 'somebody'
}
