// The outbox: what could not be sent because no gateway is configured, for administrators to read instead.
import { recordActivity } from '#features/activity/index.ts'
import { actorOf } from '#features/event/index.ts'
import { listReachableDepartments, requireReach, type Caller } from '#platform/auth/caller.ts'
import type { Config } from '#platform/config/config.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import type { Tx } from '#platform/db/database.ts'
import { entityNotFound } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { messageIsPointless, messageIsSent, messageNotInOutbox } from './errors.ts'
import type { MessageRegistry } from './facts.ts'
import { hasGateway } from './gateways.ts'
import { writeLetter, type Letter } from './letter.ts'
import type { MessageState } from './message.ts'
import { findMessage, listMessages } from './message-statements.ts'
import { recordShown } from './record.ts'
import { writeHtml } from './write-html.ts'
import { writeText } from './write-text.ts'

type Row = Awaited<ReturnType<typeof findMessage.one>>

export type ListOutbox = { caller: Caller; wanted: Wanted; take: number; config: Config }

type Wanted = { state?: MessageState; signatureRequestId?: string; before?: string }

/** The messages within reach, newest first; never what they say. */
export async function listOutbox(tx: Tx, { caller, wanted, take, config }: ListOutbox) {
  const rows = await listMessages.many(tx, {
    tenantId: caller.tenantId,
    departmentIds: (await listReachableDepartments(tx, caller)) ?? null,
    requestId: wanted.signatureRequestId ?? null,
    state: wanted.state ?? null,
    before: wanted.before ?? null,
    take,
  })
  const gateways = { email: hasGateway(config, 'email'), sms: hasGateway(config, 'sms') }
  return { gateways, items: rows.map(describeMessage) }
}

export type Reading = { caller: Caller; messageId: string }
export type OpenedMessage = { message: Row; letter: Letter }

/** Writes a message of the outbox as its recipient would have got it, link and code included. */
export async function openMessage(
  platform: Platform,
  registry: MessageRegistry,
  { caller, messageId }: Reading,
): Promise<OpenedMessage> {
  const message = await platform.db.transaction(caller.tenantId, (tx) => getMessage(tx, { caller, messageId }))
  if (hasGateway(platform.config, message.channel)) throw messageIsSent(message.channel)
  if (message.state !== 'outbox') throw messageNotInOutbox(message.state)
  const facts = await registry[message.kind](platform, message)
  if (facts === undefined) throw messageIsPointless()
  const { config } = platform
  const letter = writeLetter({ message, facts, address: publicAddress(config), timezone: config.timezone })
  return { message, letter }
}

/** Answers with the message, and puts on record who has read it. */
export async function showMessage(
  tx: Tx,
  { caller, opened: { message, letter }, now }: { caller: Caller; opened: OpenedMessage; now: Date },
) {
  await recordShown(tx, message, actorOf(caller), now)
  const { id, kind, channel, departmentId } = message
  const target = { id, name: message.recipient }
  await recordActivity(tx, { caller, action: 'message.viewed', target, departmentId, details: { kind, channel }, now })
  const isMail = message.channel === 'email'
  return {
    ...describeMessage(message),
    subject: isMail ? letter.subject : null,
    text: isMail ? writeText(letter) : letter.sms,
    html: isMail ? writeHtml(letter) : null,
    url: letter.button?.url ?? null,
    code: letter.code ?? null,
  }
}

async function getMessage(tx: Tx, { caller, messageId }: Reading): Promise<Row> {
  const message = await findMessage.maybeOne(tx, { tenantId: caller.tenantId, messageId })
  if (message === undefined) throw entityNotFound('message', messageId)
  await requireReach(tx, caller, message.departmentId)
  return message
}

function describeMessage({ tenantId: _tenantId, referenceId: _referenceId, requestId, ...message }: Row) {
  return { ...message, signatureRequestId: requestId }
}
