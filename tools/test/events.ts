// What a process that runs a part of the tests tells the one that reports on all of them: events of Node's runner, each
// as a line of JSON behind a mark, so that what the tests print themselves can stand between them.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** The record separator of JSON text sequences (RFC 7464). */
const MARK = '\u001e'
const TOLD = ['test:start', 'test:pass', 'test:fail', 'test:diagnostic', 'test:interrupted'] as const

export type ToldEvent = Extract<TestEvent, { type: (typeof TOLD)[number] }>

/** The reporter of such a process. */
export default async function* tellEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  waitForReader()
  for await (const event of events) if (isTold(event)) yield `${MARK}${JSON.stringify(event, describeCause)}\n`
}

/**
 * What does not fit into a pipe is written later, and lost if the process ends first, as --test-force-exit makes it: the
 * last events of a part, its counts among them, where whoever reads is busy. So each write waits until it is read.
 */
function waitForReader(): void {
  const { _handle: pipe } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  pipe?.setBlocking?.(true)
}

/** Reads a line that such a process has printed: what a test has said, an event, or both. */
export function readLine(line: string): { said: string; event: ToldEvent | undefined } {
  const [said = '', json] = line.split(MARK)
  return { said, event: json === undefined ? undefined : (JSON.parse(json, reviveCause) as ToldEvent) }
}

function isTold(event: TestEvent): event is ToldEvent {
  return (TOLD as readonly string[]).includes(event.type)
}

/** What a test has thrown may be anything, and is told as it would be printed. The runner wraps it in an error. */
function describeCause(key: string, value: unknown): unknown {
  if (key !== 'error' || !(value instanceof Error)) return value
  const { code, failureType } = value as Error & { code?: string; failureType?: string }
  return { code, failureType, cause: inspect(code === 'ERR_TEST_FAILURE' ? value.cause : value) }
}

function reviveCause(key: string, value: unknown): unknown {
  return key === 'cause' ? { [inspect.custom]: () => value } : value
}
