import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import type { Environment } from '#platform/config/environment.ts'

/** Which steps are kept, by OTEL_TRACES_SAMPLER and its argument; as its default has it, all that the caller's trace keeps. */
export function makeSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }: Environment): Sampler {
  const given = name?.trim() || 'parentbased_always_on'
  const isParentBased = given.startsWith('parentbased_')
  const root = makeRoot(given.replace(/^parentbased_/, ''), argument)
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

function makeRoot(name: string, argument: string | undefined): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(Number(argument ?? 1))
  return new AlwaysOnSampler()
}
