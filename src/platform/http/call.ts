// One call from its headers to its answer: who, whether, what, then the operation itself in one transaction.
import type { IncomingMessage } from 'node:http'
import { requireToken, readBearer } from '#platform/auth/authenticate.ts'
import { inactiveUserRefused, roleNotEnough, userInactive } from '#platform/auth/auth-errors.ts'
import type { Caller } from '#platform/auth/caller.ts'
import { isConsoleCall, readConsoleCookie, requireConsole } from '#platform/auth/console-session.ts'
import { PERMISSIONS } from '#platform/auth/permissions.ts'
import type { Tx } from '#platform/db/database.ts'
import { groupTransactions } from '#platform/db/group-transactions.ts'
import { makeGathering, type GatheringOptions, type Place } from '#platform/gathering.ts'
import { AppError, invalidArgument } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { fingerprint } from './canonical-json.ts'
import { errorBody, statusOf } from './edge-errors.ts'
import { makeOneAtATime } from './one-at-a-time.ts'
import { claimKey, keepAnswer, readIdempotencyKey, TWIN_WAIT_MS, type Repeatable } from './idempotency.ts'
import { readDocumentsBody, readSmallBody, type IncomingBody } from './incoming-body.ts'
import { readBody } from './read-input.ts'
import { readParams } from './read-params.ts'
import { readQuery } from './read-query.ts'
import { Answer, isWrite, routeName, type Call, type Guest, type Route } from './route.ts'

export type Incoming = {
  raw: IncomingMessage
  headers: Record<string, string | undefined>
  params: Record<string, string>
  search: string
  requestId: string
  /** Where the call comes from; behind a proxy, what the proxy says. */
  address: string
}

/** Who calls, once it is certain that this caller may use this operation. */
export async function admit(platform: Platform, route: Route, headers: Incoming['headers']): Promise<Caller> {
  const caller = await identify(platform, route, headers)
  if (route.needsToken || (platform.config.requireBearer && route.permission !== 'identity:login')) requireToken(caller)
  if (caller.isInactive) throw route.knowsUserInactive ? userInactive() : inactiveUserRefused()
  const allowed: readonly string[] = PERMISSIONS[route.permission]
  if (!allowed.includes(caller.role)) throw roleNotEnough()
  return caller
}

/** The console's session stands in for key and token, on every operation. */
async function identify(platform: Platform, { method }: Route, headers: Incoming['headers']): Promise<Caller> {
  const { authenticator, config } = platform
  if (isConsoleCall(headers)) {
    requireConsole(config, { method, headers })
    return authenticator.authenticateSession(readConsoleCookie(headers['cookie']))
  }
  return authenticator.authenticate(headers['ocp-apim-subscription-key'], readBearer(headers['authorization']))
}

type AnyCall = Call<unknown, unknown, unknown, unknown>

type Ready = { call: AnyCall; now: Date }

/** Does calls together with others of their tenant that are ready at the same moment. */
export type JoinOthers = {
  /** Says that one is being prepared: those that are ready wait for it, though not for long. */
  expect(tenantId: string): Place
  run(tenantId: string, ready: Ready): Promise<Answer>
}

/** A moment in which several more get ready on a busy server, and nobody notices that an answer took it longer. */
const TOGETHER: GatheringOptions = { enough: 6, longestWaitMs: 4 }

/** How calls of a route share transactions; undefined where each has its own. */
export function makeJoin(platform: Platform, route: Route): JoinOthers | undefined {
  const { together } = route
  if (together === undefined) return undefined
  const run = groupTransactions<Ready, Answer>(platform.db, async (tx, _tenantId, ready) => {
    const [first, ...others] = ready
    if (others.length === 0) return [await operate(platform, route, first!.call, tx, first!.now)]
    const results = await together.handle({ tx, platform }, ready)
    return results.map((result) => answerWith(route, result))
  })
  const { expect } = makeGathering(TOGETHER)
  return { expect, run }
}

/** Reads the call, runs the operation and answers. Nothing that was staged stays behind if it fails. */
export async function runCall(
  platform: Platform,
  route: Route,
  caller: Caller,
  incoming: Incoming,
  join: JoinOthers | undefined,
): Promise<Answer> {
  const idempotencyKey =
    isWrite(route) && !route.ignoresIdempotencyKey ? readIdempotencyKey(incoming.headers['idempotency-key']) : undefined
  const params = route.params ? readParams(route.params, incoming.params) : {}
  const query = route.query ? readQuery(route.query, incoming.search) : {}
  const body = await takeBody(platform, route, incoming.raw)
  let place: Place | undefined
  try {
    const startedAt = platform.clock.now()
    const call: AnyCall = {
      caller: { ...caller, requestId: incoming.requestId },
      guest: NOBODY,
      params,
      query,
      body: body.value,
      headers: incoming.headers,
      stream: incoming.raw,
      admitAgain: () => admit(platform, route, incoming.headers),
      requestId: incoming.requestId,
      prepared: undefined,
    }
    try {
      call.body = checkBody(route, body.value)
      if (join && idempotencyKey === undefined && route.together!.suits(call)) place = join.expect(caller.tenantId)
      if (route.prepare) call.prepared = await route.prepare({ now: startedAt, platform }, call)
    } catch (error) {
      const refusal = lastingRefusal(error, route)
      // What comes as a stream has no fingerprint before it has arrived.
      if (refusal === undefined || idempotencyKey === undefined || route.bodyKind === 'stream') throw error
      return await keepRefusal(platform, repeatableCall(route, call, idempotencyKey), refusal, platform.clock.now())
    }
    await place?.arrive()
    // Preparing may have taken a while: the operation itself happens now.
    const now = platform.clock.now()
    if (idempotencyKey !== undefined) {
      const repeatable = repeatableCall(route, call, idempotencyKey)
      return await oneAtATime(
        `${repeatable.tenantId} ${repeatable.callerId} ${repeatable.operation} ${repeatable.key}`,
        () => runRepeatable(platform, route, call, repeatable, now),
      )
    }
    if (place) return await join!.run(caller.tenantId, { call, now })
    return await platform.db.transaction(caller.tenantId, (tx) => operate(platform, route, call, tx, now), {
      isReadOnly: !isWrite(route) && !route.leavesTrace,
    })
  } finally {
    place?.leave()
    await body.discard()
  }
}

/** Stands where a route has no caller or no guest; its handler does not look there. */
const NOBODY = undefined as never

/** Answers a call that anybody may make: no tenant's rows are visible to it. */
export async function runPublicCall(platform: Platform, route: Route, incoming: Incoming): Promise<Answer> {
  return runWithoutKey(platform, route, incoming, NOBODY, (work) => platform.db.systemTransaction(work))
}

/** Answers a guest's call, in one transaction of the tenant whose guest it is. */
export async function runGuestCall(
  platform: Platform,
  route: Route,
  guest: Guest,
  incoming: Incoming,
): Promise<Answer> {
  const isReadOnly = !isWrite(route)
  return runWithoutKey(platform, route, incoming, guest, (work) =>
    platform.db.transaction(guest.tenantId, work, { isReadOnly }),
  )
}

async function runWithoutKey(
  platform: Platform,
  route: Route,
  incoming: Incoming,
  guest: Guest,
  transaction: (work: (tx: Tx) => Promise<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { raw, headers, requestId, search } = incoming
  const params = route.params ? readParams(route.params, incoming.params) : {}
  const query = route.query ? readQuery(route.query, search) : {}
  const body = checkBody(route, (await takeBody(platform, route, raw)).value)
  const now = platform.clock.now()
  const call: AnyCall = {
    caller: NOBODY,
    guest,
    params,
    query,
    body,
    headers,
    stream: raw,
    admitAgain: NOBODY,
    requestId,
    prepared: undefined,
  }
  if (route.prepare) call.prepared = await route.prepare({ now, platform }, call)
  return transaction((tx) => operate(platform, route, call, tx, now))
}

async function takeBody(platform: Platform, route: Route, raw: IncomingMessage): Promise<IncomingBody> {
  if (!route.body || route.bodyKind === 'stream') return { value: undefined, discard: async () => {} }
  if (route.bodyKind !== 'documents') return readSmallBody(raw)
  const { bodyBytes, documentBytes, documents } = platform.config.limits
  return readDocumentsBody(raw, platform.blobs, { bodyBytes, jsonBytes: 2 * 1024 * 1024, documentBytes, documents })
}

function checkBody(route: Route, value: unknown): unknown {
  if (!route.body || route.bodyKind === 'stream') return undefined
  if (value === undefined && route.isBodyOptional) return undefined
  if (value === undefined) throw invalidArgument('body', 'is required')
  const read = readBody(route.body, value)
  if (read === undefined && !route.isBodyOptional) throw invalidArgument('body', 'must be an object')
  return read
}

async function operate(platform: Platform, route: Route, call: AnyCall, tx: Tx, now: Date): Promise<Answer> {
  return answerWith(route, await route.handle({ tx, now, platform }, call))
}

function answerWith(route: Route, result: unknown): Answer {
  if (result instanceof Answer) return result
  const usual = Number(Object.keys(route.response)[0])
  return result === undefined && 204 in route.response ? new Answer(204) : new Answer(usual, result)
}

function repeatableCall(route: Route, call: AnyCall, key: string): Repeatable {
  const { caller, params, query, body } = call
  const streamed = (call.prepared as { fingerprint?: string } | undefined)?.fingerprint
  return {
    tenantId: caller.tenantId,
    callerId: caller.userId,
    operation: routeName(route),
    key,
    fingerprint: fingerprint({ params, query, body, streamed }),
    holdsSecrets: route.answersWithSecrets ?? false,
  }
}

const oneAtATime = makeOneAtATime(TWIN_WAIT_MS)

async function runRepeatable(
  platform: Platform,
  route: Route,
  call: AnyCall,
  repeatable: Repeatable,
  now: Date,
): Promise<Answer> {
  const { db, keyring } = platform
  const { tenantId } = repeatable
  try {
    return await db.transaction(
      tenantId,
      async (tx) => {
        const earlier = await claimKey(tx, repeatable, keyring, now)
        if (earlier) return earlier
        const answer = await operate(platform, route, call, tx, now)
        await keepAnswer(tx, repeatable, answer, keyring)
        return answer
      },
      { lockTimeoutMs: TWIN_WAIT_MS },
    )
  } catch (error) {
    const refusal = lastingRefusal(error, route)
    if (refusal === undefined) throw error
    return keepRefusal(platform, repeatable, refusal, now)
  }
}

/** What a repeat under the same key hears again; undefined for faults of ours, and for what passes by itself. */
function lastingRefusal(error: unknown, route: Route): Answer | undefined {
  if (!(error instanceof AppError) || error.retryAfterS !== undefined) return undefined
  const status = statusOf(error, route)
  return status >= 500 ? undefined : new Answer(status, errorBody(error))
}

/** A refusal rolled its transaction back, so it is kept in one of its own. A twin that got in between wins. */
async function keepRefusal(platform: Platform, repeatable: Repeatable, answer: Answer, now: Date): Promise<Answer> {
  return platform.db.transaction(
    repeatable.tenantId,
    async (tx) => {
      const earlier = await claimKey(tx, repeatable, platform.keyring, now)
      if (earlier) return earlier
      await keepAnswer(tx, repeatable, answer, platform.keyring)
      return answer
    },
    { lockTimeoutMs: TWIN_WAIT_MS },
  )
}
