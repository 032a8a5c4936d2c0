// Headers that a subscriber wants with every delivery: theirs to choose, except those that carry the message itself.
import { headerNotAllowed } from './errors.ts'

/** RFC 9110 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
const VISIBLE_TEXT = /^[\u0020-\u007e]*$/

const REFUSED_NAMES = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'forwarded',
  'via',
  'cookie',
  'cookie2',
  'set-cookie',
  'user-agent',
  'date',
  '__proto__',
])
const REFUSED_PREFIXES = ['content-', 'proxy-', 'x-forwarded-', 'webhook-', 'countersign-', 'x-countersign-']

/** Passes where every header may be sent as it is. */
export function requireHeaders(headers: Record<string, string>): void {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!TOKEN.test(name)) throw headerNotAllowed(name, 'is not the name of a header.')
    if (isRefused(key)) throw headerNotAllowed(name, 'is set by the service itself and can not be chosen.')
    if (seen.has(key)) throw headerNotAllowed(name, 'is given twice, in different spellings.')
    if (!VISIBLE_TEXT.test(value)) throw headerNotAllowed(name, 'must be ASCII text without control characters.')
    seen.add(key)
  }
}

function isRefused(key: string): boolean {
  return REFUSED_NAMES.has(key) || REFUSED_PREFIXES.some((prefix) => key.startsWith(prefix))
}
