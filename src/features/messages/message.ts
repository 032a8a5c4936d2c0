// What a message is, from the moment somebody asks for it until it is sent. Pure.

export const MESSAGE_KINDS = [
  'invitation',
  'reminder',
  'code',
  'canceled',
  'completed',
  'userinvitation',
  'passwordreset',
  'webhookdisabled',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const CHANNELS = ['email', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

/** Dropped: by the time it was to be sent there was nothing left to tell, for instance a code that had expired. */
export const MESSAGE_STATES = ['waiting', 'sent', 'failed', 'outbox', 'dropped'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/** A message as it lies in the database: whom it is for and what about, but nothing of what it will say. */
export type Message = {
  tenantId: string
  id: string
  departmentId: string
  kind: MessageKind
  channel: Channel
  /** The tag that was asked for; the words are of the nearest language that the product speaks. */
  language: string
  requestId: string | null
  signatoryId: string | null
  userId: string | null
  referenceId: string | null
}
