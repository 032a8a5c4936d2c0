// What an operator's tools hear from a server, asked without a port of its own.
import type { FastifyInstance } from 'fastify'
import { addHealth } from '#platform/http/health.ts'
import { makeMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { readCondition } from '#platform/troubles/read-condition.ts'
import type { Platform } from '#platform/platform.ts'

export type Health = { status: number; body: { status: string; checks: Record<string, string> }; metrics: string }

type Checked = { app: FastifyInstance } & AsyncDisposable

/** A server that tells how it is, and nothing else. */
export function openHealth(platform: Platform, checkDatabase = async () => {}): Checked {
  const metrics = makeMetrics()
  const app = buildServer({ platform, routes: [], metrics })
  addHealth(app, platform, metrics, {
    vital: [{ name: 'database', run: checkDatabase }],
    readCondition: () => readCondition(platform),
  })
  return { app, [Symbol.asyncDispose]: () => app.close() }
}

/** Asks a fresh server, which remembers nothing, for its readiness and its metrics. */
export async function readHealth(platform: Platform, checkDatabase?: () => Promise<void>): Promise<Health> {
  await using opened = openHealth(platform, checkDatabase)
  const { app } = opened
  const answer = await app.inject('/readyz')
  return { status: answer.statusCode, body: answer.json(), metrics: (await app.inject('/metrics')).body }
}
