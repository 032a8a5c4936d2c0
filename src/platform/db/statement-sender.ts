import type pg from 'pg'
import { Batch, type Query, type QueryResult } from './batch.ts'
import { encodeParameter } from './parameters.ts'

type Waiting = Query & Pick<PromiseWithResolvers<QueryResult>, 'resolve' | 'reject'>

/** What goes ahead of the statements: in front of the first batch alone, or of every one. */
export type Opening = { queries: readonly Query[]; isForEachBatch: boolean }

/**
 * Sends the statements of one transaction. Those that are asked for in one go travel together, the opening with the
 * first of them; what comes while a batch is on its way goes with the next.
 */
export class StatementSender {
  readonly #client: pg.PoolClient
  readonly #opening: Opening
  #waiting: Waiting[] = []
  #isPlanned = false
  #isOpen = false
  #ending: Query | undefined
  #end: Promise<string> | undefined
  #running: Promise<void> | undefined
  #told: unknown

  constructor(client: pg.PoolClient, opening: Opening) {
    this.#client = client
    this.#opening = opening
  }

  /** Whether anything has been sent, so that there is something to commit. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** What the server did at the end, where that has travelled with the last statements. */
  get end(): Promise<string> | undefined {
    return this.#end
  }

  /** Lets the end of the transaction travel with the next statements, which are its last. */
  endWithNext(ending: Query): void {
    this.#ending = ending
  }

  async query(name: string, text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (this.#end) throw new Error(`the transaction has ended before ${name}`)
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>()
    this.#waiting.push({ name, text, values: values.map(encodeParameter), resolve, reject })
    this.#plan()
    try {
      return await promise
    } catch (error) {
      throw this.#withStack(error)
    }
  }

  /** Resolves once everything that was asked for has been answered. */
  async untilIdle(): Promise<void> {
    if (this.#waiting.length > 0) this.#send()
    while (this.#running) await this.#running
  }

  #plan(): void {
    if (this.#isPlanned || this.#running) return
    this.#isPlanned = true
    process.nextTick(() => {
      this.#isPlanned = false
      this.#send()
    })
  }

  #send(): void {
    if (this.#running || this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    const opening = !this.#isOpen || this.#opening.isForEachBatch ? this.#opening.queries : []
    const ending = this.#ending === undefined ? [] : [this.#ending]
    this.#isOpen = true
    const batch = this.#client.query(new Batch([...opening, ...waiting, ...ending]))
    if (ending.length > 0) this.#end = batch.done.then((answers) => answers.at(-1)!.command)
    this.#end?.catch(() => {}) // Whoever ends the transaction asks for it.
    this.#running = this.#hear(batch, waiting, opening.length).finally(() => {
      this.#running = undefined
      this.#send()
    })
  }

  /** Tells everybody who waits what came of it, and those behind a statement that failed, of its error. */
  async #hear(batch: Batch, waiting: readonly Waiting[], before: number): Promise<void> {
    const answerTo = (index: number) => batch.answers[before + index]
    try {
      await batch.done
      for (const [index, { resolve }] of waiting.entries()) resolve(answerTo(index)!)
    } catch (error) {
      for (const [index, { resolve, reject }] of waiting.entries()) {
        const answer = answerTo(index)
        if (answer) resolve(answer)
        else reject(error)
      }
    }
  }

  /** The stack that leads back to whoever asked for the statement that failed, and not to the socket. */
  #withStack(error: unknown): unknown {
    if (error instanceof Error && error !== this.#told) Error.captureStackTrace(error)
    this.#told = error
    return error
  }
}
