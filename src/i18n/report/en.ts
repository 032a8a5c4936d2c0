import type { SameKeys } from '../translate.ts'

/** What the page says on which a message is reported. */
export const en = {
  title: 'Report this message',
  when: 'Report it if you do not know the sender, or if you think that the message wants to deceive you.',
  what: 'The operator of this service and the administrators of the sender’s organisation will see your report, and you will get no more messages about this request.',
  button: 'Report this message',
  open: 'I know the sender, open the request',
  doneTitle: 'Reported',
  doneText: 'Thank you. You will get no more messages about this request.',
  doneNext: 'You need not do anything else. Do not open documents of a sender whom you do not trust.',
} as const

export type ReportTexts = SameKeys<typeof en>
