// Sends one request to somebody else's server and never waits or reads longer than it wants to.
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent } from 'undici'
import { followCall, noteStatus } from '#platform/tracing/follow.ts'
import { classifyHost } from './address-guard.ts'
import { makeAddressRule, type AddressPolicy } from './allowed-addresses.ts'
import { Exchange, type Reply } from './exchange.ts'
import { guardedConnect, type Lookup } from './guarded-connect.ts'

export type { Reply } from './exchange.ts'

const CONNECT_MS = 5_000
const TOTAL_MS = 15_000
const REMEMBERED_TARGETS = 10_000

export type Outgoing = {
  url: string
  headers: Record<string, string>
  body: string
  /** Ends the wait early, as when the process stops. */
  signal?: AbortSignal
}

export type SenderOptions = AddressPolicy & {
  /** PEM file of further authorities. */
  caFile: string | undefined
  lookup?: Lookup
  connectMs?: number
  totalMs?: number
}

export type Sender = {
  /** Posts, and answers with what came back; never throws. */
  post(outgoing: Outgoing): Promise<Reply>
  close(): Promise<void>
}

export function makeSender(options: SenderOptions): Sender {
  const { connectMs = CONNECT_MS, totalMs = TOTAL_MS } = options
  const rule = makeAddressRule(options)
  const secureContext = makeSecureContext(options.caFile)
  const agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    maxHeaderSize: 16 * 1024,
    connect: guardedConnect({
      rule,
      secureContext,
      timeoutMs: connectMs,
      ...(options.lookup && { lookup: options.lookup }),
    }),
  })

  const targetOf = makeTargets()
  const followersOf = makeFollowers()

  return {
    post(outgoing) {
      const target = targetOf(outgoing.url)
      if (!target.isSpoken) return Promise.resolve(NOT_SPOKEN)
      return followCall({ method: 'POST', url: target.url }, async (step) => {
        const reply = await exchangeWith(target, outgoing)
        if (reply.status === undefined) step.hasFailed = true
        else noteStatus(step, reply.status)
        return reply
      })
    },
    close: () => agent.destroy(),
  }

  function exchangeWith({ origin, path }: Target, { headers, body, signal }: Outgoing): Promise<Reply> {
    return new Promise((resolve) => {
      const followers = signal && followersOf(signal)
      const exchange = new Exchange(totalMs, (reply) => {
        followers?.delete(exchange)
        resolve(reply)
      })
      followers?.add(exchange)
      if (signal?.aborted) exchange.breakOff()
      else agent.dispatch({ origin, path, method: 'POST', headers, body }, exchange)
    })
  }
}

const NOT_SPOKEN: Reply = {
  durationMs: 0,
  status: undefined,
  error: 'only https is spoken, except to this machine',
  isTimeout: false,
  retryAfter: undefined,
  answer: undefined,
}

/** One for all connections: reading the authorities anew costs twenty times as much as connecting. */
function makeSecureContext(caFile: string | undefined): SecureContext {
  const ca = caFile === undefined ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')]
  return createSecureContext({ minVersion: 'TLSv1.2', ...(ca && { ca }) })
}

/** The addresses of receivers come again and again. */
function makeTargets(): (url: string) => Target {
  const known = new Map<string, Target>()
  return (url) => {
    const found = known.get(url)
    if (found !== undefined) return found
    const parsed = new URL(url)
    const { protocol, hostname, origin, pathname, search } = parsed
    const isSpoken = protocol === 'https:' || classifyHost(hostname) === 'loopback'
    const target = { url: parsed, origin, path: pathname + search, isSpoken }
    if (known.size >= REMEMBERED_TARGETS) known.clear()
    known.set(url, target)
    return target
  }
}

type Target = { url: URL; origin: string; path: string; isSpoken: boolean }

/** Breaks off what follows a signal. One listener for all of it: to each new one, a signal compares all that it has. */
function makeFollowers(): (signal: AbortSignal) => Set<Exchange> {
  const all = new WeakMap<AbortSignal, Set<Exchange>>()
  return (signal) => {
    const found = all.get(signal)
    if (found !== undefined) return found
    const followers = new Set<Exchange>()
    signal.addEventListener('abort', () => followers.forEach((exchange) => exchange.breakOff()), { once: true })
    all.set(signal, followers)
    return followers
  }
}
