// Sends the requests of a seed and collects what was wrong with the answers. The operations take turns, so that what
// one makes, the next can use.
import { Agent, request } from 'node:http'
import fc from 'fast-check'
import type { ApiDocument } from '../contract/documented.ts'
import { Harvest } from './harvest.ts'
import { isJson, judge, type Answered } from './judge.ts'
import { operationsOf, requestFor, withHarvest, type FuzzedOperation, type Plan } from './requests.ts'

export type Credentials = {
  key: string
  authorization: string
  /** Ids within reach, each under the name that requests know it by. */
  own: readonly [name: string, id: string][]
  /** The same caller with a new token. */
  renew: () => Promise<Credentials>
}

export type Fuzz = {
  document: ApiDocument
  url: string
  seed: number
  /** How many requests each operation gets. */
  each: number
  /** Makes a caller: the first, and another whenever a request has put the one in use out. */
  makeCredentials: () => Promise<Credentials>
  /** Ids of somebody else's things. */
  strangers?: string[]
  /** Texts that no answer may hold. */
  secrets?: string[]
}

export type Finding = { operation: string; request: string; faults: string[] }
export type Outcome = {
  seed: number
  requests: number
  statuses: Record<number, number>
  findings: Finding[]
  slowestMs: number
}

const ENOUGH_FINDINGS = 20

export async function fuzz({
  document,
  url,
  seed,
  each,
  makeCredentials,
  strangers = [],
  secrets = [],
}: Fuzz): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true })
  const harvest = new Harvest(strangers)
  const outcome: Outcome = { seed, requests: 0, statuses: {}, findings: [], slowestMs: 0 }
  let credentials = await makeCredentials()
  harvest.begin(credentials.own)
  try {
    for (const { fuzzed, plan: unfilled } of plansOf(document, seed, each)) {
      const plan = withHarvest(unfilled, (name, choice) => harvest.pick(name, choice))
      const answered = await send(url, plan, { agent, headers: headersFor(fuzzed, credentials) })
      note(outcome, fuzzed, plan, answered, secrets)
      if (outcome.findings.length >= ENOUGH_FINDINGS) break
      if (answered.status < 300 && isJson(answered)) harvest.take(fuzzed.path, answered.text)
      if (isTokenGone(answered)) credentials = await credentials.renew()
      else if (isCallerGone(answered)) {
        credentials = await makeCredentials()
        harvest.begin(credentials.own)
      }
    }
  } finally {
    agent.destroy()
  }
  return outcome
}

function plansOf(document: ApiDocument, seed: number, each: number): { fuzzed: FuzzedOperation; plan: Plan }[] {
  const lanes = operationsOf(document).map((fuzzed, index) =>
    fc.sample(requestFor(fuzzed), { seed: seed + index, numRuns: each }).map((plan) => ({ fuzzed, plan })),
  )
  return Array.from({ length: each }, (_, turn) => lanes.map((lane) => lane[turn]!)).flat()
}

/** Where a token is needed or makes the caller an administrator, it is sent; elsewhere the key alone. */
function headersFor({ operation }: FuzzedOperation, { key, authorization }: Credentials): Record<string, string> {
  const security = (operation as { security?: object[]; 'x-permission'?: string }).security ?? []
  const needsToken = security.length > 0 && security.every((choice) => 'bearerToken' in choice)
  const permission = (operation as { 'x-permission'?: string })['x-permission'] ?? ''
  return {
    'ocp-apim-subscription-key': key,
    ...((needsToken || permission.endsWith(':manage')) && { authorization }),
  }
}

/** A logout or a new password did what it is for. */
function isTokenGone({ status, text }: Answered): boolean {
  return status === 401 && text.includes('"code":5001')
}

/** The key was revoked, or the user put out or given another role. */
function isCallerGone({ status, text }: Answered): boolean {
  return (status === 401 || status === 403) && /"code":(5000|600[134])/.test(text)
}

function note(outcome: Outcome, fuzzed: FuzzedOperation, plan: Plan, answered: Answered, secrets: string[]): void {
  outcome.requests++
  outcome.statuses[answered.status] = (outcome.statuses[answered.status] ?? 0) + 1
  outcome.slowestMs = Math.max(outcome.slowestMs, answered.tookMs)
  const told = secrets.filter((secret) => answered.text.includes(secret)).map((secret) => `it tells ${secret}`)
  const faults = [...judge(fuzzed, plan, answered), ...told]
  if (faults.length === 0) return
  const { method, address, headers, body } = plan
  const sent = `${method} ${address} ${JSON.stringify(headers)} ${body?.toString().slice(0, 2_000) ?? ''}`
  outcome.findings.push({ operation: `${fuzzed.method} ${fuzzed.path}`, request: sent, faults })
}

/** Addresses go out exactly as they are: other clients would tidy `%2e%2e` up. */
function send(
  url: string,
  { method, address, headers, body }: Plan,
  shared: { agent: Agent; headers: Record<string, string> },
): Promise<Answered> {
  const { hostname, port } = new URL(url)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path: address, agent: shared.agent, headers: { ...headers, ...shared.headers } },
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
export function describeOutcome({ seed, requests, statuses, findings, slowestMs }: Outcome): string {
  const found = findings.map(({ operation, request, faults }) => `${operation}: ${faults.join('; ')}\n    ${request}`)
  return [
    `fuzz: seed ${seed}, ${requests} requests, statuses ${JSON.stringify(statuses)}, slowest ${Math.round(slowestMs)} ms, ${findings.length} findings`,
    ...found,
  ].join('\n')
}
