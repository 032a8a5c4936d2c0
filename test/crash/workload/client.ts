// One client of one tenant. It does one thing after the other, on things of its own, and writes down in the ledger what
// it asked for and what it was told.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Classification } from '#platform/errors.ts'
import type { ReceivedMail } from '../../fakes/mail-server.ts'
import { makeCaller, type Caller, type Reply } from '../../service.ts'
import type { Ledger, Outcome, Thing } from '../ledger.ts'
import type { Tenant } from '../tenants.ts'
import type { Random } from './random.ts'

export type Ask = {
  params?: Record<string, string>
  query?: string
  body?: unknown
  raw?: Buffer
  headers?: Record<string, string>
  /** With the tenant's key alone, or as its administrator; a guest comes with nothing. */
  as?: 'key' | 'administrator' | 'guest'
  /** Refusals that may come instead of success. */
  mayRefuse?: readonly Classification[]
}

/** Things of the client's own that have been promised and not removed, by what they are. */
export type Mine = Record<
  | 'drafts'
  | 'open'
  | 'finished'
  | 'sealing'
  | 'sealed'
  | 'departments'
  | 'users'
  | 'keys'
  | 'templates'
  | 'requestTemplates'
  | 'subscriptions'
  | 'uploads',
  Thing[]
>

export type ClientOptions = {
  tenant: Tenant
  everybody: readonly Tenant[]
  url: string
  name: string
  random: Random
  ledger: Ledger
  mails: readonly ReceivedMail[]
  hookUrl: string
}

/** What was asked for does not go together with what has happened meanwhile. */
export const WRONG_STATE: readonly Classification[] = ['InvalidOperation']

/** Whoever got no answer waits a little before the next call. */
const PATIENCE_MS = 120

export class Client {
  readonly tenant: Tenant
  readonly random: Random
  readonly ledger: Ledger
  readonly mails: readonly ReceivedMail[]
  readonly hookUrl: string
  readonly url: string
  readonly mine: Mine = {
    drafts: [],
    open: [],
    finished: [],
    sealing: [],
    sealed: [],
    departments: [],
    users: [],
    keys: [],
    templates: [],
    requestTemplates: [],
    subscriptions: [],
    uploads: [],
  }
  readonly #name: string
  readonly #call: Caller
  readonly #foreignWords: string[]
  #marks = 0

  constructor({ tenant, everybody, url, name, random, ledger, mails, hookUrl }: ClientOptions) {
    this.tenant = tenant
    this.random = random
    this.ledger = ledger
    this.mails = mails
    this.hookUrl = hookUrl
    this.url = url
    this.#name = name
    this.#call = makeCaller(url, {})
    this.#foreignWords = everybody.filter((one) => one !== tenant).map(({ word }) => word)
  }

  /** A text that nothing else has, with the tenant's word in it. */
  newMark(): string {
    return `${this.tenant.word}-${this.#name}-${this.#marks++}`
  }

  /** Asks for a thing that is found again by its mark. */
  ask(table: Thing['table'], column: string, mark: string, values: Record<string, unknown> = {}): Thing {
    return this.ledger.ask({ tenantId: this.tenant.tenantId, table, column, mark }, values)
  }

  /** The answer; undefined where nobody knows what became of the call. */
  async call(operation: string, ask: Ask = {}): Promise<Reply | undefined> {
    const [method, pattern] = operation.split(' ') as [string, string]
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ask.params![name]!))
    const calls = this.ledger.calls.get(operation) ?? { answered: 0, unknown: 0 }
    this.ledger.calls.set(operation, calls)
    const options = {
      headers: { ...this.#credentials(ask.as ?? 'key'), ...ask.headers },
      ...(ask.raw !== undefined && { raw: ask.raw }),
    }
    const reply = await this.#call(method, path + (ask.query ?? ''), ask.body, options).catch(() => undefined)
    if (reply === undefined || reply.status >= 500) {
      calls.unknown++
      if (reply?.status === 500) this.ledger.surprises.push(`${operation} answers 500 ${reply.text.slice(0, 300)}`)
      await sleep(PATIENCE_MS)
      return undefined
    }
    calls.answered++
    this.#judge(operation, ask, reply)
    return reply
  }

  /** How a call ended that is done where it succeeds; a refusal is done too: nothing has changed. */
  outcomeOf(reply: Reply | undefined): Outcome | 'refused' {
    if (reply === undefined) return 'unknown'
    return reply.status < 300 ? 'done' : 'refused'
  }

  /** One of these things, or undefined where there is none yet. */
  pick(kind: keyof Mine): Thing | undefined {
    const things = this.mine[kind]
    return things.length === 0 ? undefined : this.random.pick(things)
  }

  /** Takes a thing away from the client's own: what happens to it next is the last. */
  take(kind: keyof Mine): Thing | undefined {
    const thing = this.pick(kind)
    if (thing !== undefined) this.mine[kind].splice(this.mine[kind].indexOf(thing), 1)
    return thing
  }

  #credentials(as: 'key' | 'administrator' | 'guest'): Record<string, string> {
    const { key, administrator } = this.tenant
    if (as === 'guest') return { origin: this.url, 'x-countersign-sign': '1' }
    const withKey = { 'ocp-apim-subscription-key': key }
    return as === 'key' ? withKey : { ...withKey, authorization: `Bearer ${administrator.token}` }
  }

  #judge(operation: string, { mayRefuse = [] }: Ask, { status, text, json }: Reply): void {
    if (status >= 400 && !mayRefuse.includes(json?.classification))
      this.ledger.surprises.push(`${operation} answers ${status} ${text.slice(0, 300)}`)
    for (const word of this.#foreignWords)
      if (text.includes(word)) this.ledger.leaks.push(`${operation} of ${this.tenant.word} tells ${word}`)
  }
}

export const isRefused = (reply: Reply | undefined): reply is Reply => reply !== undefined && reply.status >= 400

export const idOf = (thing: Thing) => [...thing.ids][0]!
