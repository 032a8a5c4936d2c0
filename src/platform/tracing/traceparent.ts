import { isSpanContextValid, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api'

// W3C Trace Context 3.2.2: version, trace id, parent id, flags. Later versions may add fields behind these.
const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/

/** The caller's own span, as the one around ours; undefined where the header names none. */
export function readTraceparent(header: string | undefined): Context | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : undefined
}
