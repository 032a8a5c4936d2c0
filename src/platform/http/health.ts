// What operators and their tools ask: alive, ready, how much. No key is needed, and nothing of any tenant is told.
import type { FastifyInstance } from 'fastify'
import { isSameSecret, secretHash } from '#platform/secrets/keyring.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Metrics } from './metrics.ts'

export type Check = { name: string; run(): Promise<void> }

export type Checks = {
  /** Without one of these nothing works: a failing one makes the service not ready. */
  vital: readonly Check[]
  /** Outside services that fail at the moment; the service works without them, but what needs them waits. */
  findTroubles?: () => Promise<string[]>
}

export type Health = { setStopping(): void }

const REMEMBER_MS = 2_000
const CHECK_WITHIN_MS = 4_000

type Found = { failed: string[]; degraded: string[] }

/** Adds /healthz, /readyz and /metrics. What fails or is degraded is named in the answer. */
export function addHealth(
  app: FastifyInstance,
  platform: Platform,
  metrics: Metrics,
  { vital, findTroubles = async () => [] }: Checks,
): Health {
  let isStopping = false
  let last: (Found & { at: number }) | undefined

  async function look(): Promise<Found> {
    if (isStopping) return { failed: ['stopping'], degraded: [] }
    if (last && performance.now() - last.at < REMEMBER_MS) return last
    const results = await Promise.all(vital.map((check) => runCheck(platform, check)))
    const failed = vital.filter((_, index) => !results[index]).map((check) => check.name)
    // Where these can't be read, the database is failing, and that is told already.
    const degraded = failed.length === 0 ? await findTroubles().catch(() => []) : []
    last = { at: performance.now(), failed, degraded }
    return isStopping ? { failed: ['stopping'], degraded: [] } : last
  }

  const statusOf = ({ failed, degraded }: Found) => {
    if (failed.length > 0) return isStopping ? 'stopping' : 'not ready'
    return degraded.length > 0 ? 'degraded' : 'ready'
  }

  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const found = await look()
    const { failed, degraded } = found
    metrics.setReady(failed.length === 0)
    metrics.setDegraded(degraded.length > 0)
    const checks = vital.map(({ name }) => [name, failed.includes(name) ? 'failing' : 'ok'])
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .headers(failed.length === 0 ? {} : { 'retry-after': '2' })
      .send({
        status: statusOf(found),
        checks: Object.fromEntries([...checks, ...degraded.map((name) => [name, 'degraded'])]),
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
