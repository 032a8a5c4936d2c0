import type pg from 'pg'
import { Batch, type Answer, type Query, type QueryResult } from './batch.ts'
import { encodeParameter } from './parameters.ts'

type Waiting = Query & Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>

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
  #running: Promise<void> | undefined
  #told: unknown
  #isClosed = false

  constructor(client: pg.PoolClient, opening: Opening) {
    this.#client = client
    this.#opening = opening
  }

  async query(name: string, text: string, values: readonly unknown[]): Promise<QueryResult> {
    // It would run outside of any transaction, and on a connection that may be another's by then.
    if (this.#isClosed) throw new Error('the transaction that this statement belongs to has ended')
    const answer = this.#ask({ name, text, values: values.map(encodeParameter) })
    this.#plan()
    try {
      return await answer
    } catch (error) {
      throw this.#withStack(error)
    }
  }

  /** Ends the transaction: the commit travels with the statements that nobody has waited for. */
  async commit(commit: Query): Promise<void> {
    if (!this.#isOpen && this.#waiting.length === 0) return
    this.#isClosed = true
    const answer = this.#ask(commit)
    this.#send()
    // A transaction in which a statement failed ends as a rollback, which the server does not call an error.
    if ((await answer).command !== 'COMMIT')
      throw new Error('a statement failed and its error went unnoticed: nothing is committed')
  }

  /** Resolves once everything that was asked for has been answered. */
  async untilIdle(): Promise<void> {
    if (this.#waiting.length > 0) this.#send()
    while (this.#running) await this.#running
  }

  /** Takes no more statements, and resolves once those that were asked for have been answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.untilIdle()
  }

  #ask(query: Query): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ ...query, resolve, reject })
    return promise
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
    this.#isOpen = true
    this.#running = this.#run(opening, waiting).finally(() => {
      this.#running = undefined
      this.#send()
    })
  }

  async #run(opening: readonly Query[], waiting: Waiting[]): Promise<void> {
    const batch = this.#client.query(new Batch([...opening, ...waiting]))
    const answerTo = (index: number) => batch.answers[opening.length + index]
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
