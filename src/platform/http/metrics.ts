import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  registry: Registry
  countCall(route: string, status: number, seconds: number): void
  setReady(isReady: boolean): void
  setDegraded(isDegraded: boolean): void
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
  const degraded = new Gauge({
    name: 'countersign_degraded',
    help: 'Whether an outside service fails at the moment; /readyz names it.',
    registers: [registry],
  })
  return {
    registry,
    countCall(route, status, seconds) {
      duration.observe({ route, status: String(status) }, seconds)
      if (status >= 500) errors.inc()
    },
    setReady: (isReady) => ready.set(isReady ? 1 : 0),
    setDegraded: (isDegraded) => degraded.set(isDegraded ? 1 : 0),
  }
}
