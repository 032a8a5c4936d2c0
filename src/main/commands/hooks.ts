// `countersign hooks listen`: what webhooks would bring, brought to a developer's machine that no webhook can reach.
import { randomBytes } from 'node:crypto'
import { keyOf, SECRET_PREFIX, signatureHeaders } from '#features/hooks/sign-delivery.ts'
import { ownHeaders } from '#features/hooks/delivery-request.ts'
import type { FollowedEvent } from '#client'
import { EXIT, WrongUsage, type Command, type CommandGroup } from '../command-line/command.ts'
import { onService, reachService, SERVICE_OPTIONS } from '../service-access.ts'

const SECRET_BYTES = 32
const ANSWER_WITHIN_MS = 15_000
const MOST_COUNT = 1_000_000

const listen: Command = {
  purpose: 'forward events of a running service to a program on this machine',
  description:
    'Follows the events of a running service, and posts each to a program of yours exactly as a webhook would: the same ' +
    'body, the same headers, signed by the Standard Webhooks scheme. No subscription is needed, and the service need not ' +
    'reach you. What your program answers is shown and not retried. Runs until Ctrl-C.',
  options: {
    ...SERVICE_OPTIONS,
    forward: { value: 'URL', about: 'Where to post, such as http://localhost:3000/webhooks. Needed.' },
    after: { value: 'CURSOR', about: 'Begin after this cursor of GET /event, instead of now.' },
    count: { value: 'N', about: 'End after so many.' },
  },
  exitCodes: { 0: 'stopped by Ctrl-C, or after --count' },
  async run(terminal, given) {
    const forward = readForward(given.text('forward'))
    const most = readCount(given.text('count'))
    const service = await reachService(terminal, given)
    const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
    terminal.note(`Forwarding to ${forward}. Secret of the signatures: ${secret}`)
    const after = given.text('after')
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    try {
      const events = service.countersign.follow(after === undefined ? {} : { after }, { signal: stop.signal })
      const forwarded = await onService(service, () =>
        forwardAll(events, { forward, secret, most, say: terminal.note }),
      )
      terminal.answer({ forwarded }, `${forwarded} events forwarded.`)
    } catch (error) {
      if (!stop.signal.aborted) throw error
      terminal.answer({ stopped: true }, 'Stopped.')
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end)
    }
    return EXIT.good
  },
}

function readForward(text: string | undefined): string {
  if (text === undefined) throw new WrongUsage('--forward is missing')
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new WrongUsage('--forward must be an http or https address')
  return url.href
}

function readCount(text: string | undefined): number {
  if (text === undefined) return Infinity
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST_COUNT) throw new WrongUsage(`--count must be a number from 1 to ${MOST_COUNT}`)
  return count
}

type Forwarding = { forward: string; secret: string; most: number; say: (line: string) => void }

async function forwardAll(events: AsyncIterable<FollowedEvent>, { forward, secret, most, say }: Forwarding) {
  let count = 0
  for await (const event of events) {
    // Kinds that nobody can subscribe to are no webhooks.
    if (event.payload === null) continue
    say(`${event.timestamp}  ${event.eventType}  ${event.requestId}  → ${await post(event, forward, secret)}`)
    count += 1
    if (count >= most) break
  }
  return count
}

/** The answer's status, or why there was none. */
async function post({ id, sequenceNumber, payload }: FollowedEvent, forward: string, secret: string): Promise<string> {
  const body = JSON.stringify(payload)
  const headers = {
    ...ownHeaders({ sequence: sequenceNumber, isTest: false }),
    ...signatureHeaders({ id, at: new Date(), body, keys: [keyOf(secret)] }),
  }
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(forward, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
    return `no answer (${cause?.code ?? cause?.message ?? message})`
  }
}

export const hooks: CommandGroup = { purpose: 'webhooks: listen, for developers', commands: { listen } }
