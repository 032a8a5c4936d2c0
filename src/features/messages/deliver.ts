// Sends what was asked for. A message may be tried several times and may even arrive twice, but always under the same
// Message-ID; what became of it is told once.
import { findTenantStop } from '#platform/auth/sender-statements.ts'
import { publicAddress } from '#platform/config/public-address.ts'
import { RETRY_AFTER_S } from '#platform/jobs/retry-after.ts'
import type { JobHandler, JobRun } from '#platform/jobs/job-handler.ts'
import { PermanentRefusal } from '#platform/mail/mailer.ts'
import type { Platform } from '#platform/platform.ts'
import { TROUBLE } from '#platform/troubles/trouble-names.ts'
import { watchTrouble } from '#platform/troubles/troubles.ts'
import type { MessageFacts, MessageRegistry } from './facts.ts'
import { openGateways, type Gateway, type Parcel } from './gateways.ts'
import { writeLetter } from './letter.ts'
import type { Message } from './message.ts'
import { beginAttempt, findMessage, noteProblem } from './message-statements.ts'
import { settle, type Outcome } from './record.ts'
import { SEND_CODE_QUEUE, SEND_QUEUE } from './send-message.ts'

type Post = { registry: MessageRegistry; gateways: ReturnType<typeof openGateways> }

/** The jobs that send messages. */
export function messageJobs(platform: Platform, registry: MessageRegistry): JobHandler[] {
  const post = { registry, gateways: openGateways(platform.config) }
  const run = (job: JobRun) => deliver(platform, post, job)
  return [
    { queue: SEND_QUEUE, run },
    { queue: SEND_CODE_QUEUE, isInteractive: true, run },
  ]
}

async function deliver(platform: Platform, { registry, gateways }: Post, job: JobRun): Promise<void> {
  const { db, clock } = platform
  const { tenantId } = job
  const messageId = String(job.payload['messageId'])
  const [message, tenant] = await db.transaction(tenantId, (tx) =>
    Promise.all([findMessage.maybeOne(tx, { tenantId, messageId }), findTenantStop.maybeOne(tx, { tenantId })]),
  )
  if (message === undefined || message.state !== 'waiting') return
  const end = (outcome: Outcome) =>
    db.transaction(tenantId, async (tx) => {
      await settle(tx, message, outcome, clock.now())
      await job.finish(tx)
    })

  const facts = tenant?.isStopped ? undefined : await registry[message.kind](platform, message)
  if (facts === undefined) return end({ state: 'dropped', recipient: null, problem: null })
  const { address: recipient } = facts
  const gateway = gateways[message.channel]
  if (gateway === undefined) return end({ state: 'outbox', recipient, problem: null })
  const mailId = await begin(platform, message, recipient)
  if (mailId === undefined) return end({ state: 'dropped', recipient: null, problem: null })
  const isLast = job.attempt >= RETRY_AFTER_S.length
  const refusal = await attempt(platform, { message, facts, mailId, gateway, isLast })
  return end({ state: refusal === undefined ? 'sent' : 'failed', recipient, problem: refusal ?? null })
}

/** Writes down that it is about to be sent, and answers with its Message-ID; undefined where it has ended meanwhile. */
async function begin(platform: Platform, message: Message, recipient: string): Promise<string | undefined> {
  const { db, clock } = platform
  const { tenantId, id: messageId } = message
  const mailId = makeMailId(platform, message)
  const begun = await db.transaction(tenantId, (tx) =>
    beginAttempt.maybeOne(tx, { tenantId, messageId, recipient, mailId, now: clock.now() }),
  )
  return begun?.mailId ?? undefined
}

type Attempt = Wrapping & { gateway: Gateway; isLast: boolean }

/** One try. Answers with why it failed for good, if it did; throws where it is worth another. */
async function attempt(platform: Platform, { gateway, isLast, ...wrapping }: Attempt): Promise<string | undefined> {
  const { db, clock } = platform
  const { message } = wrapping
  const { tenantId, id: messageId } = message
  try {
    return await hand(platform, message, gateway, makeParcel(platform, wrapping))
  } catch (error) {
    const problem = (error as Error).message
    if (isLast) return problem
    await db.transaction(tenantId, (tx) => noteProblem.run(tx, { tenantId, messageId, problem, now: clock.now() }))
    throw error
  }
}

/** A refusal of one message says nothing about the gateway: only what is worth another try counts as its trouble. */
function hand(platform: Platform, { channel }: Message, gateway: Gateway, parcel: Parcel): Promise<string | undefined> {
  return watchTrouble(platform, channel === 'email' ? TROUBLE.mail : TROUBLE.sms, async () => {
    try {
      await gateway(parcel)
      return undefined
    } catch (error) {
      if (error instanceof PermanentRefusal) return error.message
      throw error
    }
  })
}

type Wrapping = { message: Message; facts: MessageFacts; mailId: string }

function makeParcel({ config }: Platform, { message, facts, mailId }: Wrapping): Parcel {
  const letter = writeLetter({ message, facts, address: publicAddress(config), timezone: config.timezone })
  return { letter, address: facts.address, name: facts.name, id: message.id, mailId }
}

function makeMailId({ config }: Platform, { id }: Message): string {
  const domain = config.mail?.from.address.split('@').at(-1) ?? 'countersign.invalid'
  return `<${id}@${domain}>`
}
