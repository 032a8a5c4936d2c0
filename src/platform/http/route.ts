// One operation of the API as a value: its contract, who may use it, and a handler of a line or two. The same value
// registers the route, checks what comes in, and becomes its part of the OpenAPI document.
import type { Static, TSchema } from 'typebox'
import type { Caller } from '#platform/auth/caller.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import type { ErrorStatuses } from './edge-errors.ts'
import type { Readable } from 'node:stream'

/** An answer that is not simply the body with the route's usual status. */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>

  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** Somebody without an account or a key, known by a session alone: a signatory in a browser. */
export type Guest = Readonly<{ tenantId: string; sessionId: string; signatoryId: string }>

export type Knock = { method: string; headers: Record<string, string | undefined>; now: Date }

export type Call<P, Q, B, Prepared> = {
  /** Who calls. Absent on the few routes that anybody may use. */
  caller: Caller
  /** Who came in by `admitGuest`; absent on every other route. */
  guest: Guest
  params: P
  query: Q
  body: B
  headers: Record<string, string | undefined>
  /** The undisturbed body of routes that take it as a stream. */
  stream: Readable
  /** Who calls by what is known now, or a refusal: for answers that stay open longer than a caller's rights may last. */
  admitAgain: () => Promise<Caller>
  /** What `prepare` answered with. */
  prepared: Prepared
  requestId: string
}

export type Work = { tx: Tx; now: Date; platform: Platform }
export type Outside = { now: Date; platform: Platform }

type Shape<P extends TSchema, Q extends TSchema, B extends TSchema> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With :name for parameters. A trailing slash makes no difference. */
  url: string
  summary: string
  description?: string
  /** The number of an operation of the interface; additions of ours have none. */
  operation?: number
  /** The sub-API, for the reference's order. */
  tag: string
  permission: Permission
  /** Anybody may call it, without a key; the handler then has no caller and sees no tenant's rows. */
  isPublic?: true
  /** How often one address may call a public route in a minute. */
  callsPerMinute?: number
  /** Tells from the headers which guest comes, or refuses. The handler then works in that guest's tenant. */
  admitGuest?: (platform: Platform, knock: Knock) => Promise<Guest>
  /** A bearer token is needed as well as the key. */
  needsToken?: boolean
  params?: P
  query?: Q
  body?: B
  /** The call may come without a body. */
  isBodyOptional?: boolean
  /** How the body arrives: small JSON (the default), JSON with documents in it, or a stream for the handler. */
  bodyKind?: 'json' | 'documents' | 'stream'
  /** A stream may also come as multipart/form-data with one file in it. */
  takesForm?: true
  /** Schemas by status; the first is what a plain return value is answered with. `Nothing` means no body. */
  response: Record<number, TSchema>
  /** Content type of the first answer, where it is not JSON. */
  responseType?: string
  /** Other forms of the first answer that a caller may ask for, by their content type. */
  otherForms?: Record<string, TSchema>
  /** Hides a body that holds secrets from the store of idempotent answers. */
  answersWithSecrets?: boolean
  errorStatuses?: ErrorStatuses
  /** A GET that is written down: who has read this. */
  leavesTrace?: true
  /** Deactivated users hear UserInactiveError here, AuthorizationError elsewhere. */
  knowsUserInactive?: boolean
  /** Login answers afresh each time. */
  ignoresIdempotencyKey?: boolean
}

type Value<S extends TSchema> = Static<S>

export type Handler<P extends TSchema, Q extends TSchema, B extends TSchema, Prepared> = {
  /** Slow or outside work that must not hold a transaction open: checking documents, hashing passwords. */
  prepare?: (
    outside: Outside,
    call: Omit<Call<Value<P>, Value<Q>, Value<B>, undefined>, 'prepared'>,
  ) => Promise<Prepared>
  /** The operation itself, in one transaction of the caller's tenant. Returning undefined answers 204 where declared. */
  handle: (work: Work, call: Call<Value<P>, Value<Q>, Value<B>, Prepared>) => Promise<unknown>
  /** For calls that come in a rush and are alike: those that are ready at the same moment share a transaction. */
  together?: Together<Call<Value<P>, Value<Q>, Value<B>, Prepared>>
}

export type Together<C> = {
  /** Whether this one may be done with others. Those with an Idempotency-Key never are. */
  suits: (call: C) => boolean
  /**
   * Does several calls of one tenant, and answers each in their order. Where it throws nothing is done, and `handle` does
   * each by itself: so one that is refused is no harm to the others.
   */
  handle: (work: Omit<Work, 'now'>, calls: readonly { call: C; now: Date }[]) => Promise<unknown[]>
}

export type Route = Shape<TSchema, TSchema, TSchema> & Handler<TSchema, TSchema, TSchema, unknown>

/** Declares an operation. The types of params, query and body follow from their schemas. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema, Prepared = undefined>(
  definition: Shape<P, Q, B> & Handler<P, Q, B, Prepared>,
): Route {
  return definition as unknown as Route
}

/** The name under which a route is known in logs, metrics and idempotent answers. */
export function routeName({ method, url }: Pick<Route, 'method' | 'url'>): string {
  return `${method} ${url}`
}

export function isWrite({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET'
}
