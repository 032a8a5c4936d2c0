import type { Tx } from '#platform/db/database.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { insertMessage } from './message-statements.ts'
import type { Channel, MessageKind } from './message.ts'

export const SEND_QUEUE = 'messages.send'
/** Somebody sits in front of the page and waits for it. */
export const SEND_CODE_QUEUE = 'messages.sendcode'

export type NewMessage = {
  tenantId: string
  departmentId: string
  kind: MessageKind
  channel: Channel
  /** The signature request whose history tells what became of the message. */
  requestId?: string
  signatoryId?: string
  userId?: string
  /** What exactly it is about, for whoever provides the facts: the id of a code. */
  referenceId?: string
  /** A BCP 47 tag, as the request or the person chose it. */
  language: string
  now: Date
}

/** Has a message sent once this transaction has committed. Answers with its id. */
export async function sendMessage(tx: Tx, message: NewMessage): Promise<string> {
  const { tenantId, departmentId, kind, channel, language, now } = message
  const id = newId()
  const { requestId = null, signatoryId = null, userId = null, referenceId = null } = message
  await insertMessage.run(tx, {
    tenantId,
    id,
    departmentId,
    kind,
    channel,
    language,
    requestId,
    signatoryId,
    userId,
    referenceId,
    now,
  })
  const queue = kind === 'code' ? SEND_CODE_QUEUE : SEND_QUEUE
  await enqueue(tx, { tenantId, queue, payload: { messageId: id }, now })
  return id
}
