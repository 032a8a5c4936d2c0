// What operators and their tools ask: alive, ready, how much. No key is needed, and nothing of any tenant is told.
import type { FastifyInstance } from 'fastify'
import { isSameSecret, secretHash } from '#platform/secrets/keyring.ts'
import { describeError } from '#platform/log/log.ts'
import type { Platform } from '#platform/platform.ts'
import type { Condition } from '#platform/troubles/read-condition.ts'
import type { Metrics } from './metrics.ts'

export type Check = { name: string; run(): Promise<void> }

export type Checks = {
  /** Without one of these nothing works: a failing one makes the service not ready. */
  vital: readonly Check[]
  /** What else is known: the service works while something is degraded, but what needs it waits. */
  readCondition?: () => Promise<Condition>
}

export type Health = { setStopping(): void }

const REMEMBER_MS = 2_000
/** What failed may be well again at any moment, and a load balancer waits for that. */
const REMEMBER_FAILURE_MS = 200
const CHECK_WITHIN_MS = 4_000

const NOTHING_KNOWN: Condition = { degraded: [], workers: 0, measured: [] }

type Found = { failed: string[]; condition: Condition }

/** Adds /healthz, /readyz and /metrics. What fails or is degraded is named in the answer. */
export function addHealth(
  app: FastifyInstance,
  platform: Platform,
  metrics: Metrics,
  { vital, readCondition = async () => NOTHING_KNOWN }: Checks,
): Health {
  let isStopping = false
  let last: (Found & { until: number }) | undefined
  let looking: Promise<Found> | undefined

  const stopping: Found = { failed: ['stopping'], condition: NOTHING_KNOWN }

  /** Whoever asks while somebody looks hears the same. */
  async function look(): Promise<Found> {
    if (isStopping) return stopping
    if (last && performance.now() < last.until) return last
    looking ??= lookAnew().finally(() => (looking = undefined))
    const found = await looking
    return isStopping ? stopping : found
  }

  async function lookAnew(): Promise<Found> {
    const results = await Promise.all(vital.map((check) => runCheck(platform, check)))
    const failed = vital.filter((_, index) => !results[index]).map((check) => check.name)
    // Where these can't be read, the database is failing, and that is told already.
    const condition = failed.length === 0 ? await readCondition().catch(() => NOTHING_KNOWN) : NOTHING_KNOWN
    const until = performance.now() + (failed.length === 0 ? REMEMBER_MS : REMEMBER_FAILURE_MS)
    last = { until, failed, condition }
    return last
  }

  const statusOf = ({ failed, condition }: Found) => {
    if (failed.length > 0) return isStopping ? 'stopping' : 'not ready'
    return condition.degraded.length > 0 ? 'degraded' : 'ready'
  }

  // Many a monitor asks with HEAD.
  const alsoForHead = { exposeHeadRoute: true }
  app.get('/healthz', alsoForHead, async () => ({ status: 'alive' }))
  app.get('/readyz', alsoForHead, async (_request, reply) => {
    const found = await look()
    const { failed, condition } = found
    const checks = vital.map(({ name }) => [name, failed.includes(name) ? 'failing' : 'ok'])
    return reply
      .code(failed.length === 0 ? 200 : 503)
      .headers(failed.length === 0 ? {} : { 'retry-after': '2' })
      .send({
        status: statusOf(found),
        checks: Object.fromEntries([...checks, ...condition.degraded.map((name) => [name, 'degraded'])]),
      })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(platform, request.headers.authorization)) return reply.code(401).send()
    const { failed, condition } = await look()
    metrics.setReady(failed.length === 0)
    metrics.setCondition(condition)
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
