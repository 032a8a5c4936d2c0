// Sends steps to an OpenTelemetry collector, by OTLP over HTTP. Loaded only where an operator has named one: nobody else
// pays for it.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Environment } from '#platform/config/environment.ts'
import type { Log } from '#platform/log/log.ts'
import { steps, type Step } from './follow.ts'
import { makeSampler } from './sampler.ts'
import { readTraceparent } from './traceparent.ts'

const KINDS = { incoming: SpanKind.SERVER, job: SpanKind.CONSUMER, outgoing: SpanKind.CLIENT } as const
/** A collector that does not answer must not hold up the end of a process. */
const LAST_EXPORT_WITHIN_MS = 2_000

export type Tracing = {
  /** Sends what is left, for a moment, and listens no more. */
  stop(): Promise<void>
}

export type TracingOptions = { service: string; version: string; environment: Environment; log: Log }

/** Follows every step from now on. Where to, and how much, the standard variables of OpenTelemetry say. */
export function startTracing({ service, version, environment, log }: TracingOptions): Tracing {
  tellTroubles(log)
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: makeSampler(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const stopListening = listen((step, around) => {
    const options = { kind: KINDS[step.kind], attributes: step.attributes }
    return provider.getTracer('countersign', version).startSpan(step.name, options, around)
  })
  return {
    async stop() {
      stopListening()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_EXPORT_WITHIN_MS)))
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
      diag.disable()
    },
  }
}

type Begin = (step: Step, around: Context) => Span

/** Makes a span of each step. One that begins inside of another is its child. */
function listen(begin: Begin): () => void {
  const current = new AsyncLocalStorage<unknown>()
  const spans = new WeakMap<Step, Span>()
  // Only what goes out belongs to what is going on; a job may begin while something else ends.
  const contextAround = (step: Step) =>
    step.kind === 'outgoing' ? (current.getStore() as Context | undefined) : readTraceparent(step.traceparent)
  const open = (step: Step): Context => {
    const around = contextAround(step) ?? ROOT_CONTEXT
    const span = begin(step, around)
    spans.set(step, span)
    return trace.setSpan(around, span)
  }
  const close = (step: Step) => {
    const span = spans.get(step)
    if (span === undefined) return
    span.setAttributes(step.attributes)
    if (step.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  const fail = (step: Step & { error?: unknown }) => {
    step.hasFailed = true
    // Its kind alone: what an error says may name a person.
    step.attributes['error.type'] = step.error instanceof Error ? step.error.name : 'unknown'
  }
  const ignore = () => {}
  const listeners = { start: ignore, end: ignore, asyncStart: ignore, asyncEnd: close, error: fail }
  steps.start.bindStore(current, open)
  steps.subscribe(listeners)
  return () => {
    steps.start.unbindStore(current)
    steps.unsubscribe(listeners)
  }
}

/** A collector that can't be reached is worth a line in the log, and nothing more. */
function tellTroubles(log: Log): void {
  const warn = (message: string) => log.warn({ what: message.slice(0, 300) }, 'tracing is in trouble')
  const ignore = () => {}
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
}
