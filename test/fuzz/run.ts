// Sends the requests of a seed and collects what was wrong with the answers. The operations take turns, so that what
// one makes, the next can use.
import { Agent, request } from 'node:http'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { PERMISSIONS, type Permission } from '#platform/auth/permissions.ts'
import type { ApiDocument } from '../contract/documented.ts'
import { Harvest } from './harvest.ts'
import { isJson, judge, type Answered } from './judge.ts'
import { operationsOf, requestFor, withHarvest, type FuzzedOperation, type Plan } from './requests.ts'

export type Credentials = {
  key: string
  authorization: string
  /** Headers of a browser in which the same person is signed in to the console. */
  console: Record<string, string>
  /** Ids within reach, each under the name that requests know it by. */
  own: readonly [name: string, id: string][]
  /** The same caller with a new token and a new session. */
  renew: () => Promise<Credentials>
}

/** A signatory in a browser. */
export type Signatory = { headers: Record<string, string>; own: Credentials['own'] }

export type Fuzz = {
  document: ApiDocument
  url: string
  seed: number
  /** How many requests each operation gets. */
  each: number
  /** How many are under way together: one after the other, unless told otherwise. */
  atOnce?: number
  /** Makes a caller: the first, and another whenever a request has put the one in use out. */
  makeCredentials: () => Promise<Credentials>
  /** The same for whoever signs; none is needed where nothing of theirs is asked for. */
  makeSignatory?: () => Promise<Signatory>
  /** Ids of somebody else's things. */
  strangers?: string[]
  /** Texts that no answer may hold. */
  secrets?: string[]
  /** For a machine that others use as well. */
  slowestMs?: number
}

export type Finding = { operation: string; request: string; faults: string[] }
export type Outcome = {
  seed: number
  requests: number
  /** How many of each operation's requests were answered with a success. */
  accepted: Record<string, number>
  statuses: Record<number, number>
  findings: Finding[]
  slowestMs: number
}

const ENOUGH_FINDINGS = 20

export async function fuzz(wanted: Fuzz): Promise<Outcome> {
  const { document, url, seed, each, atOnce = 1, strangers = [], secrets = [], slowestMs, ...makers } = wanted
  const agent = new Agent({ keepAlive: true })
  const cast = new Cast(makers, new Harvest(strangers))
  const outcome: Outcome = { seed, requests: 0, accepted: {}, statuses: {}, findings: [], slowestMs: 0 }
  const plans = plansOf(document, seed, each)
  const work = async () => {
    for (let next = plans.shift(); next && outcome.findings.length < ENOUGH_FINDINGS; next = plans.shift()) {
      const { fuzzed, plan: unfilled } = next
      const headers = await cast.headersFor(fuzzed, outcome.requests)
      const plan = withHarvest(unfilled, (name, choice) => cast.harvest.pick(name, choice))
      const answered = await send(url, plan, { agent, headers })
      note(outcome, { fuzzed, plan, answered, secrets, slowestMs })
      if (answered.status < 300 && isJson(answered)) cast.harvest.take(fuzzed.path, answered.text)
      cast.goOn(fuzzed, answered)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    agent.destroy()
  }
  return outcome
}

/** An operation gets the same requests whichever others are asked with it. */
function plansOf(document: ApiDocument, seed: number, each: number): { fuzzed: FuzzedOperation; plan: Plan }[] {
  const lanes = operationsOf(document).map((fuzzed) => {
    const own = (seed ^ crc32(`${fuzzed.method} ${fuzzed.path}`)) | 0
    return fc.sample(requestFor(fuzzed), { seed: own, numRuns: each }).map((plan) => ({ fuzzed, plan }))
  })
  return Array.from({ length: each }, (_, turn) => lanes.map((lane) => lane[turn]!)).flat()
}

/** Who asks: a caller with a key, the same person in the console, and somebody who signs. */
class Cast {
  readonly harvest: Harvest
  readonly #makers: Pick<Fuzz, 'makeCredentials' | 'makeSignatory'>
  #credentials: Promise<Credentials> | undefined
  #signatory: Promise<Signatory> | undefined

  constructor(makers: Pick<Fuzz, 'makeCredentials' | 'makeSignatory'>, harvest: Harvest) {
    this.#makers = makers
    this.harvest = harvest
  }

  /** Each request seems to come from an address of its own, or the bounds for one address would answer most of them. */
  async headersFor(fuzzed: FuzzedOperation, turn: number): Promise<Record<string, string>> {
    const address = { 'x-forwarded-for': `198.18.${(turn >> 8) & 255}.${turn & 255}` }
    if (fuzzed.path.startsWith('/sign/'))
      return { ...(await (this.#signatory ??= this.#meetSignatory())).headers, ...address }
    const credentials = await (this.#credentials ??= this.#begin())
    if (fuzzed.path.startsWith('/console/')) return { ...credentials.console, ...address }
    return { ...keyHeaders(fuzzed, credentials), ...address }
  }

  /** What an answer means for whoever asked. */
  goOn({ path, method }: FuzzedOperation, answered: Answered): void {
    if (path.startsWith('/sign/')) {
      const isDone = method === 'POST' && /\/(sign|decline)$/.test(path) && answered.status < 300
      if (isDone || answered.status === 401) this.#signatory = undefined
    } else if (isTokenGone(answered)) this.#credentials = this.#renew(this.#credentials)
    else if (isCallerGone(answered)) this.#credentials = undefined
  }

  /** The same caller again; another one where a request has changed the password. */
  async #renew(gone: Promise<Credentials> | undefined): Promise<Credentials> {
    return (await (await gone)?.renew().catch(() => undefined)) ?? this.#begin()
  }

  async #begin(): Promise<Credentials> {
    const credentials = await this.#makers.makeCredentials()
    this.harvest.begin([...credentials.own, ...((await this.#signatory)?.own ?? [])])
    return credentials
  }

  async #meetSignatory(): Promise<Signatory> {
    const signatory = (await this.#makers.makeSignatory?.()) ?? { headers: {}, own: [] }
    for (const [name, id] of signatory.own) this.harvest.keep(name, id)
    return signatory
  }
}

/** Where a token is needed or makes the caller an administrator, it is sent; elsewhere the key alone. */
function keyHeaders({ operation }: FuzzedOperation, { key, authorization }: Credentials): Record<string, string> {
  const security = (operation as { security?: object[]; 'x-permission'?: string }).security ?? []
  const needsToken = security.length > 0 && security.every((choice) => 'bearerToken' in choice)
  const permission = (operation as { 'x-permission'?: Permission })['x-permission']
  const allowed: readonly string[] = permission === undefined ? [] : PERMISSIONS[permission]
  return {
    'ocp-apim-subscription-key': key,
    ...((needsToken || !allowed.includes('key')) && { authorization }),
  }
}

/** A logout, an ended session or a new password did what it is for. */
function isTokenGone({ status, text }: Answered): boolean {
  return status === 401 && /"code":500[13]\b/.test(text)
}

/** The key was revoked, or the user put out or given another role. */
function isCallerGone({ status, text }: Answered): boolean {
  return (status === 401 || status === 403) && /"code":(5000|600[134])/.test(text)
}

type Noted = {
  fuzzed: FuzzedOperation
  plan: Plan
  answered: Answered
  secrets: string[]
  slowestMs: number | undefined
}

function note(outcome: Outcome, { fuzzed, plan, answered, secrets, slowestMs }: Noted): void {
  outcome.requests++
  const name = `${fuzzed.method} ${fuzzed.path}`
  outcome.accepted[name] = (outcome.accepted[name] ?? 0) + (answered.status < 400 ? 1 : 0)
  outcome.statuses[answered.status] = (outcome.statuses[answered.status] ?? 0) + 1
  outcome.slowestMs = Math.max(outcome.slowestMs, answered.tookMs)
  const told = secrets.filter((secret) => answered.text.includes(secret)).map((secret) => `it tells ${secret}`)
  const faults = [...judge(fuzzed, plan, answered, slowestMs), ...told]
  if (faults.length === 0) return
  const { method, address, headers, body } = plan
  const sent = `${method} ${address} ${JSON.stringify(headers)} ${body?.toString().slice(0, 2_000) ?? ''}`
  outcome.findings.push({ operation: name, request: sent, faults })
}

/** Addresses go out exactly as they are: other clients would tidy `%2e%2e` up. */
function send(
  url: string,
  { method, address, headers, body }: Plan,
  shared: { agent: Agent; headers: Record<string, string> },
): Promise<Answered> {
  const { hostname, port } = new URL(url)
  // Told always: without it the body of a DELETE would go out as the beginning of the next request.
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method,
        path: address,
        agent: shared.agent,
        headers: { ...headers, ...length, ...shared.headers },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        const contentType = incoming.headers['content-type'] ?? ''
        const finish = () =>
          resolve({
            status: incoming.statusCode!,
            contentType,
            text: Buffer.concat(chunks).toString(),
            tookMs: performance.now() - startedAt,
          })
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (!contentType.startsWith('text/event-stream')) return
          // It has no end, so its beginning is judged.
          finish()
          outgoing.destroy()
        })
        incoming.on('error', reject)
        incoming.on('end', finish)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The outcome in a few lines for people. */
export function describeOutcome({ seed, requests, accepted, statuses, findings, slowestMs }: Outcome): string {
  const found = findings.map(({ operation, request, faults }) => `${operation}: ${faults.join('; ')}\n    ${request}`)
  return [
    `fuzz: seed ${seed}, ${requests} requests, statuses ${JSON.stringify(statuses)}, slowest ${Math.round(slowestMs)} ms, ${findings.length} findings`,
    `fuzz: never accepted: ${neverAccepted(accepted).join(', ') || 'none'}`,
    ...found,
  ].join('\n')
}

/** The operations whose requests were all refused: there the fuzzer only scratches at the door. */
export function neverAccepted(accepted: Outcome['accepted']): string[] {
  return Object.keys(accepted).filter((name) => accepted[name] === 0)
}
