// What operators and their tools ask: alive, ready, how much. No key is needed, and nothing of any tenant is told.
import type { FastifyInstance } from 'fastify'
import { isSameSecret, secretHash } from '#platform/secrets/keyring.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics } from './metrics.ts'

export type Check = { name: string; run(): Promise<void> }
export type Health = { setStopping(): void }

const REMEMBER_MS = 2_000
const CHECK_WITHIN_MS = 4_000

/** Adds /healthz, /readyz and /metrics. A failing check makes the service not ready, and is named in the answer. */
export function addHealth(
  app: FastifyInstance,
  platform: Platform,
  metrics: Metrics,
  checks: readonly Check[],
): Health {
  let isStopping = false
  let last: { at: number; failed: string[] } | undefined

  async function failing(): Promise<string[]> {
    if (isStopping) return ['stopping']
    if (last && performance.now() - last.at < REMEMBER_MS) return last.failed
    const results = await Promise.all(checks.map((check) => runCheck(platform, check)))
    const failed = checks.filter((_, index) => !results[index]).map((check) => check.name)
    last = { at: performance.now(), failed }
    return isStopping ? ['stopping'] : failed
  }

  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const failed = await failing()
    metrics.setReady(failed.length === 0)
    const state = (name: string) => (failed.includes(name) ? 'failing' : 'ok')
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .headers(failed.length === 0 ? {} : { 'retry-after': '2' })
      .send({
        status: failed.length === 0 ? 'ready' : isStopping ? 'stopping' : 'not ready',
        checks: Object.fromEntries(checks.map((check) => [check.name, state(check.name)])),
      })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(platform, request.headers.authorization)) return reply.code(401).send()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return {
    setStopping() {
      isStopping = true
    },
  }
}

async function runCheck({ log }: Platform, { name, run }: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_WITHIN_MS)
  })
  try {
    await Promise.race([run(), timeout])
    return true
  } catch (error) {
    log.warn({ check: name, error: describeError(error) }, 'a readiness check failed')
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Behind a proxy everybody's calls come from this machine, so the numbers then need their own token. */
function mayReadMetrics({ config }: Platform, authorization: string | undefined): boolean {
  if (config.metricsToken === undefined) return config.trustProxy.length === 0
  return isSameSecret(secretHash(authorization ?? ''), secretHash(`Bearer ${config.metricsToken}`))
}
