// What many operations share: their refusals, headers, credentials and the key for repeats.
import type { Route } from '../route.ts'
import { isWrite } from '../route.ts'
import {
  reference,
  type Header,
  type OpenApiDocument,
  type Parameter,
  type Reference,
  type Response,
} from './document.ts'

type Credentials = Record<string, string[]>[]

const REFUSALS = {
  400: ['InvalidRequest', 'A parameter or the body is invalid or missing, or the state of things does not allow it.'],
  401: ['NotAuthenticated', 'The subscription key or the bearer token is missing or not valid.'],
  403: ['NotAllowed', 'The caller has no access to this, or may not do it with its role.'],
  404: ['NotFound', 'There is nothing with this id.'],
  408: ['TooSlow', 'The body arrived too slowly.'],
  413: ['TooLarge', 'The body, or a document in it, is larger than allowed.'],
  415: ['UnsupportedMediaType', 'The Content-Type or Content-Encoding can not be read.'],
  416: ['NoSuchRange', 'The document ends before the part that was asked for. Content-Range tells its size.'],
  429: ['TooManyCalls', 'Too many calls. Retry-After tells when to try again.'],
  500: ['InternalError', 'Something went wrong on the side of the service.'],
  503: ['Unavailable', 'The service is starting, stopping or overloaded. Retry-After tells when to try again.'],
} as const

type RefusalStatus = keyof typeof REFUSALS

/** 401 on operations that have no 403. */
const NOT_AUTHENTICATED_OR_ALLOWED = 'NotAuthenticatedOrAllowed'

/** The refusals that an operation can answer with, by status. */
export function refusalsOf(route: Route): Record<string, Reference> {
  return Object.fromEntries(
    refusalStatuses(route).map((status) => {
      const isBoth = status === 401 && route.errorStatuses?.forbidden === 401
      return [String(status), reference('responses', isBoth ? NOT_AUTHENTICATED_OR_ALLOWED : REFUSALS[status][0])]
    }),
  )
}

const BODY_REFUSALS = [408, 413, 415] as const

/** Without a key, but for people who are asked who they are in the same words. */
const ASKS_WHO: readonly string[] = ['signer:self', 'identity:signin']

function refusalStatuses(route: Route): RefusalStatus[] {
  const { isPublic, permission, errorStatuses, body, response, callsPerMinute } = route
  const notFound = errorStatuses?.notFound ? [404 as const] : []
  if (isPublic && !ASKS_WHO.includes(permission)) {
    const tooOften = callsPerMinute === undefined ? [] : [429 as const]
    return [400, ...notFound, ...(body ? BODY_REFUSALS : []), ...tooOften, 500, 503]
  }
  return [
    400,
    401,
    ...(errorStatuses?.forbidden === 401 ? [] : [403 as const]),
    ...notFound,
    ...(body ? BODY_REFUSALS : []),
    ...(206 in response ? [416 as const] : []),
    429,
    500,
    503,
  ]
}

export function sharedResponses(): Record<string, Response> {
  const described = Object.entries(REFUSALS).map(([status, [name, description]]) => {
    const waits = status === '429' || status === '503'
    return [name, refusal(description, waits)] as const
  })
  const both = refusal(`${REFUSALS[401][1]} Also: ${REFUSALS[403][1]}`, false)
  return { ...Object.fromEntries(described), [NOT_AUTHENTICATED_OR_ALLOWED]: both }
}

function refusal(description: string, waits: boolean): Response {
  return {
    description,
    headers: {
      'X-Request-Id': reference('headers', 'RequestId'),
      ...(waits && { 'Retry-After': reference('headers', 'RetryAfter') }),
    },
    content: { 'application/json': { schema: reference('schemas', 'Error') } },
  }
}

export const HEADERS: Record<string, Header> = {
  RequestId: { description: 'Names this call in the logs of the service.', schema: { type: 'string', format: 'uuid' } },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: { description: 'Calls a minute that the subscription key may make.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Calls that are left at the moment.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'Seconds until all calls are there again.', schema: { type: 'integer' } },
  IdempotentReplayed: {
    description: 'Present where this is the answer of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
}

/** The headers of an answer that is no refusal. */
export function successHeaders(route: Route): Record<string, Reference> {
  if (route.isPublic) return { 'X-Request-Id': reference('headers', 'RequestId') }
  return {
    'X-Request-Id': reference('headers', 'RequestId'),
    'RateLimit-Limit': reference('headers', 'RateLimit'),
    'RateLimit-Remaining': reference('headers', 'RateLimitRemaining'),
    'RateLimit-Reset': reference('headers', 'RateLimitReset'),
    ...(takesIdempotencyKey(route) && { 'Idempotent-Replayed': reference('headers', 'IdempotentReplayed') }),
  }
}

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat: within 24 hours the same key with the same content gets the same answer again, and with other content 400 UniqueConstraint.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export function takesIdempotencyKey(route: Route): boolean {
  return isWrite(route) && !route.ignoresIdempotencyKey && !route.isPublic
}

export const SECURITY_SCHEMES: OpenApiDocument['components']['securitySchemes'] = {
  subscriptionKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Ocp-Apim-Subscription-Key',
    description: 'The subscription key, primary or secondary value.',
  },
  bearerToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token from POST /identity/login. It narrows the call to that user’s department and role.',
  },
}

const KEY = { subscriptionKey: [] }
const KEY_AND_TOKEN = { subscriptionKey: [], bearerToken: [] }

/** The key, except on the few public routes; the token where it is needed, and otherwise if the caller likes. */
export function credentialsOf(route: Route): Credentials {
  if (route.isPublic) return []
  if (route.needsToken) return [KEY_AND_TOKEN]
  return route.permission === 'identity:login' ? [KEY] : [KEY, KEY_AND_TOKEN]
}
