// Messages in words.
import type { MessageSummary } from '#client'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../parts/state-mark.tsx'

export const KINDS: Record<MessageSummary['kind'], string> = {
  invitation: 'Invitation to sign',
  reminder: 'Reminder',
  code: 'One-time code',
  canceled: 'A request has ended',
  completed: 'A request is complete',
  userinvitation: 'Invitation to this console',
  passwordreset: 'A new password',
  webhookdisabled: 'A webhook was disabled',
}

export const STATES: Record<MessageSummary['state'], { words: string; tone: Tone; icon: IconName }> = {
  waiting: { words: 'Being sent', tone: 'accent', icon: 'clock' },
  sent: { words: 'Sent', tone: 'good', icon: 'done' },
  failed: { words: 'Not sent', tone: 'bad', icon: 'cross' },
  outbox: { words: 'In the outbox', tone: 'warn', icon: 'page' },
  dropped: { words: 'Not needed any more', tone: 'quiet', icon: 'close' },
}

export const CHANNELS = { email: 'E-mail', sms: 'Text message' } as const

/** What becomes of messages, as the operator has set the service up. */
export function describeGateways({ email, sms }: { email: boolean; sms: boolean }): string {
  if (email && sms) return 'E-mails and text messages are really sent. What they say is for their recipients alone.'
  if (email)
    return 'E-mails are really sent, and what they say is for their recipients alone. No gateway for text messages is set up: they stay here.'
  if (sms)
    return 'Text messages are really sent, and what they say is for their recipients alone. No mail server is set up: e-mails stay here.'
  return 'Nothing is sent: the operator has set up neither a mail server nor a gateway for text messages. What people would have got lies here for administrators to pass on.'
}
