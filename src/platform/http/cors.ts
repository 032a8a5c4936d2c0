// Browsers on other origins may call the API only where the operator lists them. Cookies never go along.
import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const HEADERS = 'authorization, content-type, idempotency-key, if-match, last-event-id, ocp-apim-subscription-key'
const EXPOSED =
  'etag, idempotent-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id'

export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    reply.header('vary', 'Origin')
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
  app.options('*', async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': HEADERS,
        'access-control-max-age': '600',
      })
      .code(204)
      .send(),
  )
}
