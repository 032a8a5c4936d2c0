// What the record of who did what says, in words.
import type { Activity } from '#client'
import type { IconName } from '../../ui/icon.tsx'
import { ICONS } from '../icons.ts'
import type { Tone } from '../parts/state-mark.tsx'

export type TargetType = Activity['target']['type']

export const TARGETS: Record<TargetType, string> = {
  subscriptionkey: 'Subscription keys',
  user: 'Users and sign-ins',
  department: 'Departments',
  certificate: 'Certificates',
  documenttemplate: 'Document templates',
  requesttemplate: 'Request templates',
  subscription: 'Webhooks',
  message: 'Messages',
  tenant: 'Organisation',
}

export const ONE: Record<TargetType, string> = {
  subscriptionkey: 'Subscription key',
  user: 'User',
  department: 'Department',
  certificate: 'Seal certificate',
  documenttemplate: 'Document template',
  requesttemplate: 'Request template',
  subscription: 'Webhook',
  message: 'Message',
  tenant: 'Organisation',
}

type Deed = { words: string; tone: Tone; icon: IconName }

const DEEDS: Record<string, Deed> = {
  created: { words: 'Created', tone: 'good', icon: ICONS.plus },
  changed: { words: 'Changed', tone: 'quiet', icon: 'pen' },
  moved: { words: 'Moved', tone: 'quiet', icon: ICONS.forward },
  deleted: { words: 'Deleted', tone: 'bad', icon: ICONS.remove },
  revoked: { words: 'Revoked', tone: 'bad', icon: ICONS.remove },
  rotated: { words: 'Value replaced', tone: 'quiet', icon: ICONS.again },
  invited: { words: 'Invited', tone: 'good', icon: ICONS.messages },
  deactivated: { words: 'Deactivated', tone: 'warn', icon: 'cross' },
  reactivated: { words: 'Reactivated', tone: 'good', icon: 'done' },
  passwordset: { words: 'Password set', tone: 'quiet', icon: 'key' },
  factoradded: { words: 'Authenticator app added', tone: 'good', icon: ICONS.shield },
  factorremoved: { words: 'Authenticator app removed', tone: 'warn', icon: ICONS.shield },
  factorreset: { words: 'Second factors removed by an administrator', tone: 'warn', icon: ICONS.shield },
  passkeyadded: { words: 'Passkey added', tone: 'good', icon: ICONS.shield },
  passkeyremoved: { words: 'Passkey removed', tone: 'warn', icon: ICONS.shield },
  signedin: { words: 'Signed in', tone: 'quiet', icon: ICONS.person },
  signinfailed: { words: 'Wrong password', tone: 'warn', icon: 'warning' },
  signedout: { words: 'Signed out', tone: 'quiet', icon: ICONS.leave },
  stopped: { words: 'Stopped by the operator', tone: 'bad', icon: 'cross' },
  paused: { words: 'Paused', tone: 'warn', icon: 'clock' },
  resumed: { words: 'Resumed', tone: 'good', icon: 'done' },
  tested: { words: 'Tested', tone: 'quiet', icon: ICONS.integrations },
  replayed: { words: 'Sent again', tone: 'quiet', icon: ICONS.again },
  viewed: { words: 'Read by an administrator', tone: 'warn', icon: ICONS.eye },
}

/** What was done, whatever it was done to. */
export function describeDeed(action: string): Deed {
  const name = action.slice(action.indexOf('.') + 1)
  return DEEDS[name] ?? { words: name, tone: 'quiet', icon: 'pen' }
}

/** The details as one line: which fields, which value, how many. */
export function describeDetails(details: Activity['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ')
}
