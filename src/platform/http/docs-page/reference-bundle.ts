import Fastify from 'fastify'

const PREFIX = '/reference'

/**
 * The script of the reference page. Its package keeps it as a text inside its own module and offers it by a route alone,
 * so that route is asked once, on a server that never listens. Loading it takes a quarter of a second: not at start.
 */
export async function loadReferenceBundle(): Promise<Buffer> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const scratch = Fastify()
  await scratch.register(reference, { routePrefix: PREFIX, configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await scratch.inject(`${PREFIX}/js/scalar.js`)
  await scratch.close()
  if (statusCode !== 200) throw new Error(`the script of the API reference is missing: status ${statusCode}`)
  return rawPayload
}
