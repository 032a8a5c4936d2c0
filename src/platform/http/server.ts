// The HTTP edge: Fastify carries the bytes, the routes say the rest.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { AppError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { describeError, type Log } from '#platform/log/log.ts'
import { follow, noteStatus, type Step } from '#platform/tracing/follow.ts'
import { admit, makeJoin, runCall, runGuestCall, runPublicCall, type Incoming } from './call.ts'
import {
  errorBody,
  headersTooLarge,
  internalError,
  malformedRequest,
  statusOf,
  stopping,
  unknownRoute,
} from './edge-errors.ts'
import { allowOrigins } from './cors.ts'
import type { Metrics } from './metrics.ts'
import { makeRateLimit, networkOf, type RateLimit } from './rate-limit.ts'
import { Answer, routeName, type Route } from './route.ts'
import { watchUnusedConnections } from './unused-connections.ts'

export type ServerOptions = {
  platform: Platform
  routes: readonly Route[]
  metrics: Metrics
  /** Checks each answer against its declared schema; tests turn it on. */
  checkAnswer?: (route: Route, answer: Answer) => void
}

/** Headers are bounded anyway; longer parameters get an answer of ours instead of the router's. */
const MAX_PARAM_LENGTH = 16 * 1024
/** A page that shows a document asks for it in many small ranges; more than this is no person. */
const GUEST_CALLS_PER_MINUTE = 1_200
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

export const API_HEADERS: Record<string, string> = {
  'cache-control': 'no-store',
  // Whatever an answer holds, opened by itself it is no page of ours: no origin, no script, no form.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Builds the server from its routes; nothing listens yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { platform, metrics } = options
  const logger: FastifyBaseLogger = platform.log
  const hsts = platform.config.publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}
  const addHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers({ ...API_HEADERS, ...hsts, 'x-request-id': request.id })
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: platform.config.trustProxy.length > 0 ? platform.config.trustProxy : false,
    bodyLimit: platform.config.limits.bodyBytes,
    requestTimeout: 300_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 },
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH, querystringParser: () => ({}) },
    clientErrorHandler: refuseMalformed,
    // An address that can't be decoded reaches neither the hooks nor the error handler.
    frameworkErrors: (error, request, reply) => sendError(platform, request, addHeaders(request, reply), error),
  })
  // Bodies stay on the wire until the caller is known; each route then reads its own.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))

  // Not in the same turn: a message whose body turns out to be malformed is refused as such, not answered before that.
  app.addHook('onRequest', async (request, reply) => void addHeaders(request, reply))
  allowOrigins(app, platform.config.corsOrigins)
  // Nothing in these lines comes from a caller, so nothing has to be looked for and blanked: that would cost more than the
  // line itself.
  const calls = platform.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    logCall(calls, metrics, request, reply)
    done()
  })
  app.setNotFoundHandler((request, reply) => sendError(platform, request, reply, unknownRoute()))
  app.setErrorHandler((error, request, reply) => sendError(platform, request, reply, error))

  // Before the server waits for what is under way: these would not end by themselves.
  const endUnused = watchUnusedConnections(app.server)
  app.addHook('preClose', async () => {
    endUnused()
    platform.liveStreams.close()
  })

  const rateLimit = makeRateLimit(platform.config.limits.callsPerMinute)
  const guestLimit = makeRateLimit(GUEST_CALLS_PER_MINUTE)
  for (const route of options.routes) addRoute(app, route, { ...options, rateLimit, guestLimit })
  return app
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  { platform, rateLimit, guestLimit, checkAnswer }: ServerOptions & { rateLimit: RateLimit; guestLimit: RateLimit },
): void {
  const join = makeJoin(platform, route)
  const answerCaller = async (incoming: Incoming, reply: FastifyReply): Promise<Answer> => {
    const caller = await admit(platform, route, incoming.headers)
    reply.headers(rateLimit.take(caller.keyId ?? caller.userId))
    return runCall(platform, route, caller, incoming, join)
  }
  const answerGuest = async (incoming: Incoming, reply: FastifyReply): Promise<Answer> => {
    const { method } = route
    const guest = await route.admitGuest!(platform, { method, headers: incoming.headers, now: platform.clock.now() })
    reply.headers(guestLimit.take(guest.signatoryId))
    return runGuestCall(platform, route, guest, incoming)
  }
  const addressLimit = route.callsPerMinute === undefined ? undefined : makeRateLimit(route.callsPerMinute)
  const answerAnybody = async (incoming: Incoming, reply: FastifyReply): Promise<Answer> => {
    if (addressLimit) reply.headers(addressLimit.take(networkOf(incoming.address)))
    return runPublicCall(platform, route, incoming)
  }
  const answerTo = (incoming: Incoming, reply: FastifyReply): Promise<Answer> => {
    if (route.admitGuest) return answerGuest(incoming, reply)
    return route.isPublic ? answerAnybody(incoming, reply) : answerCaller(incoming, reply)
  }
  app.route({
    method: route.method,
    url: route.url,
    config: { name: routeName(route) },
    handler: (request, reply) =>
      followCallTo(route, request, async (step) => {
        try {
          const answer = await answerTo(incomingOf(request), reply)
          checkAnswer?.(route, answer)
          return sendAnswer(reply, answer)
        } catch (error) {
          return sendError(platform, request, reply, error, route)
        } finally {
          noteStatus(step, reply.statusCode)
        }
      }),
  })
}

/** By its route alone: the address itself may hold a link's token. */
function followCallTo(
  { method, url }: Route,
  { id, headers }: FastifyRequest,
  work: (step: Step) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const attributes = { 'http.request.method': method, 'http.route': url, 'countersign.request_id': id }
  const traceparent = headers['traceparent'] as string | undefined
  return follow({ kind: 'incoming', name: `${method} ${url}`, attributes, traceparent }, work)
}

function incomingOf(request: FastifyRequest): Incoming {
  return {
    raw: request.raw,
    headers: request.headers as Record<string, string | undefined>,
    params: request.params as Record<string, string>,
    search: searchOf(request.raw.url ?? ''),
    requestId: request.id,
    address: request.ip,
  }
}

function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

function sendAnswer(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (body === undefined || body === null) return reply.send()
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable) return reply.send(body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Answers with the error's three fields. Whatever was not raised on purpose goes to the log, and out as a request id. */
function sendError(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  route?: Route,
): FastifyReply {
  const error = thrown instanceof AppError ? thrown : understand(thrown, request.id)
  const status = statusOf(error, route)
  if (status >= 500) {
    const cause = thrown instanceof AppError ? (thrown.cause ?? thrown) : thrown
    platform.log.error(
      { requestId: request.id, route: request.routeOptions.url, error: describeError(cause) },
      error.message,
    )
  }
  if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS))
  // A body that nobody will read any more would otherwise be taken in to the last byte.
  if (!request.raw.complete && request.raw.headers['transfer-encoding'] !== undefined)
    reply.header('connection', 'close')
  if (reply.raw.headersSent || reply.raw.destroyed) {
    reply.raw.destroy()
    return reply
  }
  return sendAnswer(reply, new Answer(status, errorBody(error)))
}

/** Fastify's own refusals of malformed calls; anything else is a fault of ours. */
function understand(thrown: unknown, requestId: string): AppError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH_EXCEEDED' || code === 'ECONNRESET')
    return malformedRequest()
  if (code === 'FST_ERR_CTP_EMPTY_TYPE' || code.startsWith('FST_ERR_CTP')) return malformedRequest()
  if (code === 'FST_ERR_REOPENED_CLOSE_SERVER') return stopping()
  return internalError(requestId)
}

/** What never became a request: bad syntax, smuggling, endless headers. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const body = JSON.stringify(errorBody(isTooLarge ? headersTooLarge() : malformedRequest()))
  const status = isTooLarge
    ? '431 Request Header Fields Too Large'
    : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request'
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function logCall(log: Log, metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? 'unknown'
  // A stream lasts as long as its reader likes, which says nothing about how quick we are.
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
  if (!isStream) metrics.countCall(`${request.method} ${route}`, reply.statusCode, reply.elapsedTime / 1000)
  if (QUIET.has(route)) return
  log.info({
    requestId: request.id,
    route: `${request.method} ${route}`,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
  })
}
