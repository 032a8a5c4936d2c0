// What the evidence of a signature request says.
import type { SameKeys } from '../translate.ts'

export const en = {
  title: 'Evidence of signing',
  introduction:
    'This record belongs to the documents named below. It says who took part, how each person was authenticated, and what happened when. The same facts are attached as evidence.json.',
  request: 'Signature request',
  sender: 'Sent by',
  opened: 'Opened',
  completed: 'Completed',
  seal: 'Sealed by',
  ownTimestamps: 'Timestamps were made by the timestamp authority that is part of this service.',
  outsideTimestamps: 'Timestamps were made by an outside timestamp authority.',
  participants: 'Participants',
  email: 'E-mail',
  stateSigned: 'Signed on {time}',
  stateDeclined: 'Declined',
  stateSkipped: 'Did not sign; the signature was optional',
  confirmed: 'Confirmed on {time}',
  forReading: 'Before reading: {how}',
  forSigning: 'Before signing: {how}',
  authenticationNone: 'a personal link and nothing else',
  authenticationEmail: 'a one-time code by e-mail, which confirms the address and is not a second factor',
  authenticationSms: 'a one-time code by text message, which confirms the phone number',
  authenticationStrong: 'an identity provider',
  codeShownToAdministrator: 'The code was shown to an administrator of the sender, not sent.',
  simpleSignature: 'This is a simple electronic signature.',
  electronicSignature: 'This is an electronic signature.',
  typedMark: 'Typed mark: {text}',
  drawnMark: 'Drawn mark:',
  documents: 'Documents',
  sha256: 'SHA-256',
  size: { one: '{count} byte', other: '{count} bytes' },
  level: 'Level asked for: {asked}. Level reached: {reached}.',
  history: 'History',
  historyExplained:
    'Each event carries the hash of the one before it, so that none can be changed, added or left out unnoticed.',
  verify: 'Verify this record and the documents at {url}',
  page: 'Page {page} of {pages}',
}

export type EvidenceTexts = SameKeys<typeof en>
