import type { SameKeys } from '../translate.ts'

export const en = {
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  sentBy: 'Sent by {sender}.',
  footer: 'Sent with Countersign on behalf of {organisation}.',

  invitationSubject: '{organisation}: please sign “{subject}”',
  invitationHeadline: '{organisation} asks you to sign “{subject}”.',
  reminderSubject: 'Reminder from {organisation}: “{subject}” awaits your signature',
  reminderHeadline: '{organisation} is still waiting for your signature on “{subject}”.',
  deadline: 'You can sign until {deadline}.',
  signButton: 'Read and sign',
  howToDecline: 'If you do not want to sign, open the same page and choose “Decline to sign”. You can tell why.',
  linkIsYours: 'The link is meant for you alone. Please do not forward this message.',
  reportLink: 'You do not know the sender? Report this message',
  copyAddress: 'If the button does not work, copy this address into your browser:',

  realTitle: 'How to tell that this message is real',
  realAddress: 'The link leads to {host}. Your browser shows exactly that name once the page is open.',
  realNothingElse: 'There are no attachments, and you will never be asked for a password or for money.',
  realInDoubt: 'If in doubt, ask {organisation} first, in a way that you already know.',

  codeSubject: '{organisation}: your one-time code',
  codeHeadline: 'Enter this code on the page that you have open:',
  codeExpires: 'It works once, until {time}.',
  codeForYou: 'Do not tell it to anybody, not even to somebody who says that they work for {organisation}.',
  codeNotAsked: 'If you did not ask for a code, you need not do anything.',

  canceledSubject: '{organisation}: “{subject}” need not be signed any more',
  canceledHeadline: '{organisation} has withdrawn “{subject}”.',
  declinedHeadline: '“{subject}” from {organisation} has ended, because somebody declined to sign.',
  expiredHeadline: '“{subject}” from {organisation} has expired, because not everybody signed in time.',
  reason: 'Reason: {reason}',
  nothingToDo: 'You need not do anything. Your personal link does not work any more.',

  completedSubject: '{organisation}: “{subject}” is signed',
  completedHeadline: 'Everybody who had to sign “{subject}” has signed, and the documents are sealed.',
  completedCopy: 'If you need a copy of the signed documents, ask {organisation} for it.',
  downloadButton: 'Download the documents',

  accountSubject: '{organisation} invites you to Countersign',
  accountHeadline: '{organisation} has created an account for you.',
  accountNext: 'Choose a password to begin. The link works until {deadline}.',
  resetSubject: 'Choose a new password for Countersign',
  resetHeadline: 'Somebody asked for a new password for your account at {organisation}.',
  resetNext:
    'Choose it by this link, which works until {deadline}. If it was not you, do nothing: your password stays as it is.',
  passwordButton: 'Choose a password',

  webhookSubject: '{organisation}: a webhook was switched off',
  webhookHeadline: 'Countersign has stopped sending “{eventType}” to {host}.',
  webhookGone: 'The receiver answered that it is gone for good (410).',
  webhookFailing: 'For five days nothing but failures came back.',
  webhookNext:
    'Nothing is lost: once the receiver works again, resume the subscription and replay what happened in the meantime.',
  webhookId: 'Subscription: {id}',

  smsInvitation: '{organisation} asks you to sign “{subject}”: {url}',
  smsReminder: 'Reminder: {organisation} is waiting for your signature on “{subject}”: {url}',
  smsDeadline: 'Until {deadline}.',
  smsCode: '{code} is your code for {organisation}. It works until {time}. Do not tell it to anybody.',
  smsEnded: '“{subject}” from {organisation} need not be signed any more.',
  smsCompleted: '“{subject}” from {organisation} is signed.',
} as const

export type MailTexts = SameKeys<typeof en>
