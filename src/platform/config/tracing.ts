import type { EnvironmentReader } from './environment.ts'

const SAMPLERS = ['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const
const PLAIN_SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const
const PROTOCOL = 'http/protobuf'

/** Whether an operator has named a collector by the standard variables of OpenTelemetry. The library reads the rest itself. */
export function readIsTraced(env: EnvironmentReader): boolean {
  const addresses = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const isNamed = addresses.map((name) => env.url(name, ['https:', 'http:']) !== undefined).includes(true)
  if (!isNamed || env.boolean('OTEL_SDK_DISABLED')) return false
  if (env.oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none') return false
  env.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', [PROTOCOL])
  env.oneOf('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', [PROTOCOL])
  env.oneOf('OTEL_TRACES_SAMPLER', [...SAMPLERS, ...PLAIN_SAMPLERS])
  const share = Number(env.text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(share >= 0 && share <= 1)) env.problem('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1')
  return true
}
