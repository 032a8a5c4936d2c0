import { errorKind } from '#platform/errors.ts'

export const messageIsSent = errorKind(
  {
    code: 7900,
    classification: 'InvalidOperation',
    meaning: 'Messages of this channel are really sent, so nobody but the recipient reads them.',
  },
  (channel: string) =>
    `A gateway for ${channel} is configured: its messages are sent, and only their recipients read them.`,
)

export const messageNotInOutbox = errorKind(
  { code: 7901, classification: 'InvalidOperation', meaning: 'The message does not lie in the outbox.' },
  (state: string) => `This message is ${state}; only messages in the outbox can be read.`,
)

export const messageIsPointless = errorKind(
  {
    code: 7902,
    classification: 'InvalidOperation',
    meaning: 'What the message says does not hold any more: its link or code has ended.',
  },
  () => 'The link or code of this message has ended, so there is nothing left to read.',
)
