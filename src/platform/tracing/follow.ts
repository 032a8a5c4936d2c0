// Steps that an operator may want to follow: calls that come in, jobs, calls that go out. Whoever does the work tells of
// it here, on a channel of Node's own; whether anybody listens is decided in main.
import { tracingChannel } from 'node:diagnostics_channel'

export type Step = {
  kind: 'incoming' | 'job' | 'outgoing'
  /** Of a kind of step, never of one person or document: names are counted. */
  name: string
  /** Nothing secret and nothing personal: no path with an id in it, no address of a person, no text of an error. */
  attributes: Record<string, string | number>
  /** Under which the caller follows its own step, as W3C Trace Context has it. */
  traceparent?: string | undefined
  hasFailed?: boolean
}

export const steps = tracingChannel<unknown, Step>('countersign:step')

/** Does the work, and lets whoever listens know when it began and how it ended. Without a listener it costs nothing. */
export function follow<T>(step: Step, work: (step: Step) => Promise<T>): Promise<T> {
  return steps.hasSubscribers ? steps.tracePromise(() => work(step), step) : work(step)
}

/** A call to another server, known by its host alone. */
export function followCall<T>(
  { method, url }: { method: string; url: URL },
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const attributes = { 'http.request.method': method, 'server.address': url.hostname }
  return follow({ kind: 'outgoing', name: method, attributes }, work)
}

/** Notes the status of an answer. What counts as a failure differs between those who ask and those who answer. */
export function noteStatus(step: Step, status: number): void {
  step.attributes['http.response.status_code'] = status
  step.hasFailed = status >= (step.kind === 'incoming' ? 500 : 400)
}
