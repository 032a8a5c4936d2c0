// One request and its answer, followed by hand: no stream is made of an answer of which we keep a kilobyte, and no signal
// of its own watches over each of a thousand requests a second.
import { errors, type Dispatcher } from 'undici'
import { AddressRefused } from './guarded-connect.ts'

const MOST_READ_BYTES = 64 * 1024
const KEPT_BYTES = 1024
const LONGEST_ERROR = 300

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

type Controller = Dispatcher.DispatchController
type Headers = Record<string, string | string[] | undefined>

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  readonly #done: (reply: Reply) => void
  #controller: Controller | undefined
  #status: number | undefined
  #retryAfter: string | undefined
  readonly #kept: Buffer[] = []
  #readBytes = 0
  #hasEnded = false

  /** The deadline is from the first moment to the last byte: the agent's own timers begin anew with each that trickles in. */
  constructor(totalMs: number, done: (reply: Reply) => void) {
    this.#done = done
    this.#timer = setTimeout(() => this.#fail(`no complete answer within ${totalMs / 1000} s`, true), totalMs)
  }

  /** Ends it early, as when the process stops. */
  breakOff(): void {
    this.#fail('the try was broken off because the service stopped', false)
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    // Its time may have passed while it waited for a connection.
    if (this.#hasEnded) this.#letGo()
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status
    const retryAfter = headers['retry-after']
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
  }

  /** Reads to the end, so that the connection can be used again, but not beyond the limit. */
  onResponseData(_controller: Controller, chunk: Buffer): void {
    // What the agent hands over lies in memory that it uses again.
    if (this.#readBytes < KEPT_BYTES) this.#kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES - this.#readBytes)))
    this.#readBytes += chunk.length
    if (this.#readBytes < MOST_READ_BYTES) return
    this.#succeed()
    this.#letGo()
  }

  onResponseEnd(): void {
    this.#succeed()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(explain(error), error instanceof errors.ConnectTimeoutError || isLate(error))
  }

  #succeed(): void {
    // PostgreSQL can't store the zero character.
    const answer = Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\ufffd')
    const { status, retryAfter } = { status: this.#status, retryAfter: this.#retryAfter }
    this.#end({ status, error: undefined, isTimeout: false, retryAfter, answer })
  }

  #fail(error: string, isTimeout: boolean): void {
    this.#end({ status: undefined, error, isTimeout, retryAfter: undefined, answer: undefined })
    this.#letGo()
  }

  #end(reply: Omit<Reply, 'durationMs'>): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#done({ durationMs: Math.round(performance.now() - this.#startedAt), ...reply })
  }

  #letGo(): void {
    if (this.#controller && !this.#controller.aborted) this.#controller.abort(new Error('not wanted any more'))
  }
}

function isLate(error: Error): boolean {
  return error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
}

function explain(error: Error): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof errors.ConnectTimeoutError) return 'no connection in time'
  return describe(error).slice(0, LONGEST_ERROR)
}

function describe(error: Error): string {
  // Several addresses were tried: each failed for a reason of its own.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describe(error.errors[0])
  const code = 'code' in error ? String(error.code) : undefined
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`
}
