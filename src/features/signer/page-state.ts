// Which page a person meets. Pure.
import type { Flow, FlowPerson } from '#features/signing/index.ts'
import type { Purpose } from './signer-statements.ts'

export const PAGE_STATES = [
  'authenticate',
  'notyourturn',
  'ready',
  'signing',
  'signed',
  'declined',
  'canceled',
  'expired',
  'closed',
] as const
export type PageState = (typeof PAGE_STATES)[number]

export type Situation = { flow: Flow; person: FlowPerson; isReadingMet: boolean; now: Date }

/** Ends come first, because they show nothing; then who the person is; then whose turn it is. */
export function pageState({ flow, person, isReadingMet, now }: Situation): PageState {
  const end = endOf(flow, person, now)
  if (end !== undefined) return end
  if (person.state === 'Signed') return 'signed'
  if (!isReadingMet) return 'authenticate'
  if (person.state === 'Waiting') return 'notyourturn'
  return person.hasConfirmed ? 'signing' : 'ready'
}

export const PROGRESS = ['signing', 'sealing', 'sealed'] as const

/** How far the whole request is: others may have to sign, the seal is being made, or everything is done. */
export function progressOf({ status }: Flow): (typeof PROGRESS)[number] {
  if (status === 'Open') return 'signing'
  return status === 'Processing' || status === 'Error' ? 'sealing' : 'sealed'
}

export type End = Extract<PageState, 'declined' | 'canceled' | 'expired' | 'closed'>

/** What a request has come to for somebody who can't act in it any more; undefined while they can. */
export function endOf(flow: Flow, person: FlowPerson, now: Date): End | undefined {
  if (person.state === 'Declined') return 'declined'
  if (flow.status === 'Canceled') return flow.statusReason === 'Expired' ? 'expired' : 'canceled'
  if (person.state === 'Signed') return undefined
  if (flow.status !== 'Open') return 'closed'
  const hasExpired = flow.expirationAt !== null && flow.expirationAt <= now
  return hasExpired && !person.hasConfirmed ? 'expired' : undefined
}

/** Whether somebody on this page can do anything with a code. */
export function isCodeOfUse(state: PageState, purpose: Purpose): boolean {
  return purpose === 'reading' ? state === 'authenticate' || state === 'signed' : state === 'ready'
}
