// Structured logs on standard output: one line an event, with the names below blanked wherever they turn up.
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const SECRETS = [
  'password',
  'token',
  'key',
  'secret',
  'authorization',
  'cookie',
  'contentBase64',
  'personalIdentifier',
  'email',
]
const LONGEST_TEXT = 2_000

/** A log of this process, on standard output unless told otherwise. */
export function makeLog(level: string, name: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { process: name, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: SECRETS.flatMap((field) => [field, `*.${field}`, `headers["${field}"]`]), censor: '[secret]' },
    // Most callers have described it already; describing it again would leave nothing of it.
    serializers: { error: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Type, message, stack and cause of an error; nothing else that may hang on it, such as a query's values. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: cut(String(error)) }
  return {
    type: error.name,
    message: cut(error.message),
    code: 'code' in error ? String(error.code) : undefined,
    stack: cut(error.stack ?? ''),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

/** Short, and on one line for every reader: JSON leaves the separators of Unicode as they are. */
function cut(given: string): string {
  const text = given.replaceAll(/[\u2028\u2029]/g, ' ')
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}
