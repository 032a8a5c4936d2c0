// Sends one request to somebody else's server and never waits or reads longer than it wants to.
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, errors, type Dispatcher } from 'undici'
import { classifyHost } from './address-guard.ts'
import { makeAddressRule, type AddressPolicy } from './allowed-addresses.ts'
import { AddressRefused, guardedConnect, type Lookup } from './guarded-connect.ts'

const CONNECT_MS = 5_000
const TOTAL_MS = 15_000
const MOST_READ_BYTES = 64 * 1024
const KEPT_BYTES = 1024

export type Outgoing = {
  url: string
  headers: Record<string, string>
  body: string
  /** Ends the wait early, as when the process stops. */
  signal?: AbortSignal
}

export type Reply = {
  durationMs: number
  /** Absent where no answer came. */
  status: number | undefined
  /** Why no answer came, in words for the receiver's people. */
  error: string | undefined
  /** It took too long to connect or to answer. */
  isTimeout: boolean
  retryAfter: string | undefined
  /** The first bytes of the answer, as text. */
  answer: string | undefined
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

  return {
    async post({ url, headers, body, signal }) {
      const startedAt = performance.now()
      const { protocol, hostname, origin, pathname, search } = new URL(url)
      if (protocol !== 'https:' && classifyHost(hostname) !== 'loopback') {
        return { ...reply(startedAt), error: 'only https is spoken, except to this machine' }
      }
      const deadline = new Deadline(totalMs, signal)
      try {
        const response = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers,
          body,
          signal: deadline.signal,
        })
        const answer = await readStart(response.body)
        return reply(startedAt, response.statusCode, retryAfterOf(response), answer)
      } catch (error) {
        return { ...reply(startedAt), error: explain(error, deadline), isTimeout: isTimeout(error, deadline) }
      } finally {
        deadline.clear()
      }
    },
    close: () => agent.destroy(),
  }
}

/** One for all connections: reading the authorities anew costs twenty times as much as connecting. */
function makeSecureContext(caFile: string | undefined): SecureContext {
  const ca = caFile === undefined ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')]
  return createSecureContext({ minVersion: 'TLSv1.2', ...(ca && { ca }) })
}

/** From the first moment to the last byte. The agent's own timers begin anew with each byte that trickles in. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #outer: AbortSignal | undefined
  readonly #onOuter = () => this.#controller.abort()
  readonly totalMs: number
  hasPassed = false

  constructor(totalMs: number, outer: AbortSignal | undefined) {
    this.totalMs = totalMs
    this.#outer = outer
    this.#timer = setTimeout(() => {
      this.hasPassed = true
      this.#controller.abort()
    }, totalMs)
    if (outer?.aborted) this.#controller.abort()
    else outer?.addEventListener('abort', this.#onOuter, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#onOuter)
  }
}

/** Reads to the end, so that the connection can be used again, but not beyond the limit. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (keptBytes < KEPT_BYTES) {
      const part = chunk.subarray(0, KEPT_BYTES - keptBytes)
      kept.push(part)
      keptBytes += part.length
    }
    readBytes += chunk.length
    if (readBytes >= MOST_READ_BYTES) break // Leaving the loop destroys the rest with its connection.
  }
  // PostgreSQL can't store the zero character.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\ufffd')
}

function reply(startedAt: number, status?: number, retryAfter?: string, answer?: string): Reply {
  const durationMs = Math.round(performance.now() - startedAt)
  return { durationMs, status, error: undefined, isTimeout: false, retryAfter, answer }
}

function retryAfterOf({ headers }: Dispatcher.ResponseData): string | undefined {
  const value = headers['retry-after']
  return Array.isArray(value) ? value[0] : value
}

function isTimeout(error: unknown, deadline: Deadline): boolean {
  return deadline.hasPassed || error instanceof errors.ConnectTimeoutError
}

const LONGEST_ERROR = 300

function explain(error: unknown, deadline: Deadline): string {
  if (deadline.hasPassed) return `no complete answer within ${deadline.totalMs / 1000} s`
  if (deadline.signal.aborted) return 'the try was broken off because the service stopped'
  if (error instanceof AddressRefused) return error.message
  if (error instanceof errors.ConnectTimeoutError) return 'no connection in time'
  if (error instanceof Error) return describe(error).slice(0, LONGEST_ERROR)
  return 'the request failed'
}

function describe(error: Error): string {
  // Several addresses were tried: each failed for a reason of its own.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describe(error.errors[0])
  const code = 'code' in error ? String(error.code) : undefined
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`
}
