import { Take } from '#platform/http/paging.ts'
import { Named, DateTime, Int32, Nullable, Optional, Type, Uuid, Words } from '#platform/http/schema.ts'
import { CHANNELS, MESSAGE_KINDS, MESSAGE_STATES } from './message.ts'

export const MessagePath = Type.Object({ messageId: Uuid('Id of the message.') })

export const MessagesQuery = Type.Object({
  state: Optional(Words(MESSAGE_STATES)),
  signatureRequestId: Optional(Uuid('Only messages about this signature request.')),
  before: Optional(Uuid('The id of the last message that was read; the answer begins behind it.')),
  take: Take(),
})

const fields = {
  id: Uuid(),
  kind: Words(MESSAGE_KINDS),
  channel: Words(CHANNELS),
  state: Words(MESSAGE_STATES),
  recipient: Nullable(Type.String({ description: 'The address or number, once sending it was first tried.' })),
  language: Type.String(),
  signatureRequestId: Nullable(Uuid()),
  signatoryId: Nullable(Uuid()),
  userId: Nullable(Uuid()),
  departmentId: Uuid(),
  attempts: Int32(),
  problem: Nullable(Type.String({ description: 'Why the last try failed.' })),
  createdAt: DateTime(),
  modifiedAt: DateTime(),
}

const Gateways = Type.Object(
  { email: Type.Boolean(), sms: Type.Boolean() },
  { description: 'For which channels a gateway is configured. Messages of the others stay in the outbox.' },
)

export const MessageList = Type.Object({ gateways: Gateways, items: Type.Array(Named('MessageSummary', fields)) })

export const MessageBody = Named('Message', {
  ...fields,
  subject: Nullable(Type.String({ description: 'Of an e-mail.' })),
  text: Type.String(),
  html: Nullable(Type.String({ description: 'Of an e-mail.' })),
  url: Nullable(Type.String({ description: 'The link in the message.' })),
  code: Nullable(Type.String({ description: 'The one-time code in the message.' })),
})
