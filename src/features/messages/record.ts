// What becomes of a message stands in the history of the signature request that it is about.
import { appendEvents, SYSTEM, type Actor } from '#features/event/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Message, MessageState } from './message.ts'
import { settleMessage } from './message-statements.ts'

const EVENT_OF: Readonly<Partial<Record<MessageState, string>>> = {
  sent: 'signatorymessagesent',
  failed: 'signatorymessagefailed',
  outbox: 'signatorymessagekept',
}

export type Outcome = {
  state: Exclude<MessageState, 'waiting'>
  recipient: string | null
  problem: string | null
}

/** Ends a message's life, once, and tells the request's history. The address is in the message, not in the history. */
export async function settle(tx: Tx, message: Message, outcome: Outcome, now: Date): Promise<void> {
  const settled = await settleMessage.run(tx, {
    tenantId: message.tenantId,
    messageId: message.id,
    ...outcome,
    now,
  })
  const type = EVENT_OF[outcome.state]
  if (settled === 0 || type === undefined) return
  const { problem } = outcome
  await appendMessageEvent(tx, message, { type, actor: SYSTEM, now, data: problem === null ? {} : { problem } })
}

/** An administrator has read the message, link and code included. Whoever weighs the evidence must know. */
export async function recordShown(tx: Tx, message: Message, actor: Actor, now: Date): Promise<void> {
  await appendMessageEvent(tx, message, { type: 'signatorymessageshown', actor, now, data: {} })
}

type MessageEvent = { type: string; actor: Actor; now: Date; data: Record<string, unknown> }

async function appendMessageEvent(tx: Tx, message: Message, { type, actor, now, data }: MessageEvent): Promise<void> {
  const { tenantId, departmentId, requestId, signatoryId, kind, channel, id: messageId, referenceId } = message
  if (requestId === null) return
  const facts = { kind, channel, messageId, ...(referenceId !== null && { codeId: referenceId }), ...data }
  // What is told at the end comes after the timestamp that the end itself asked for, and evidence is fetched then.
  const stampSoon = kind === 'completed'
  const event = { type, actor, ...(signatoryId !== null && { signatoryId }), data: facts, stampSoon }
  await appendEvents(tx, { tenantId, requestId, requestKind: 'signaturerequest', departmentId }, [event], now)
}
