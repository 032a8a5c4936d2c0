import type { Condition } from '#platform/troubles/read-condition.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  countCall(route: string, status: number, seconds: number): void
  setReady(isReady: boolean): void
  setCondition(condition: Condition): void
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'countersign_http_duration_seconds',
    help: 'Time from the first byte of a call to the last of its answer.',
    labelNames: ['route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const errors = new Counter({
    name: 'countersign_http_errors_total',
    help: 'Answers with a status of 500 and above.',
    registers: [registry],
  })
  const ready = new Gauge({ name: 'countersign_ready', help: 'Whether /readyz answers 200.', registers: [registry] })
  const setCondition = addConditionGauges(registry)
  return {
    registry,
    countCall(route, status, seconds) {
      duration.observe({ route, status: String(status) }, seconds)
      if (status >= 500) errors.inc()
    },
    setReady: (isReady) => ready.set(isReady ? 1 : 0),
    setCondition,
  }
}

const MEASURED: Record<Condition['measured'][number]['name'], string> = {
  jobs_waiting: 'Jobs that wait, now or until they are due.',
  jobs_given_up: 'Jobs that were given up after their last try.',
  queue_lag_seconds: 'How long the job that has waited the longest has been due.',
  certificate_end_seconds: 'When the first of the certificates in use ends, in seconds since 1970.',
  tenants_at_invitation_limit: 'Tenants that wanted to invite more people today than they may.',
  messages_reported: 'Messages that people have reported as unwanted, ever.',
  files_damaged: 'Stored files that are damaged, missing or can’t be read, as far as they were read.',
}

/** How the installation is. Whoever scrapes hears it without having asked /readyz. */
function addConditionGauges(registry: Registry): Metrics['setCondition'] {
  const make = (name: string, help: string) => new Gauge({ name: `countersign_${name}`, help, registers: [registry] })
  const degraded = make('degraded', 'Whether something does not work as it should although the service does.')
  const alive = make('workers', 'Workers that are alive.')
  const trouble = new Gauge({
    name: 'countersign_trouble',
    help: 'What is degraded, by the name that /readyz gives it.',
    labelNames: ['name'] as const,
    registers: [registry],
  })
  const gauges = new Map(Object.entries(MEASURED).map(([name, help]) => [name, make(name, help)]))
  return ({ degraded: names, workers, measured }) => {
    degraded.set(names.length > 0 ? 1 : 0)
    alive.set(workers)
    trouble.reset()
    for (const name of names) trouble.set({ name }, 1)
    for (const { name, value } of measured) gauges.get(name)?.set(value)
  }
}
