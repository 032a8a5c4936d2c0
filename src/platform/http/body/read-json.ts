// JSON as we accept it. JSON.parse is fast and forgiving; what it forgives is checked beside it, by two quick passes
// that only find out whether something is wrong. What exactly, and where, is worked out when a body is refused.
import { isUtf8 } from 'node:buffer'
import {
  duplicateKey,
  forbiddenKey,
  formatPath,
  loneSurrogate,
  notJson,
  notUtf8,
  nulCharacter,
  numberOutOfRange,
  tooDeep,
} from './errors.ts'
import { followTrail } from './json-trail.ts'

export const MAX_JSON_DEPTH = 32

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const BYTE_ORDER_MARK = 0xfeff

/**
 * Reads a whole JSON body. Refuses what is not strict UTF-8, a byte order mark, U+0000 and lone surrogates in texts,
 * deep nesting, keys given twice, `__proto__`, and numbers beyond a double.
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw notUtf8()
  return parseStrictJson(bytes.toString('utf8'))
}

/** The same for a text that is known to be well-formed Unicode. */
export function parseStrictJson(text: string): unknown {
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw notJson('it begins with a byte order mark')
  const keys = countKeys(text)
  const value = parse(text)
  const counter: Counter = { keys: 0, hasEscapes: text.includes('\\u') }
  if (!isSound(value, counter)) throw faultIn(value, [])
  if (counter.keys !== keys) throw duplicateKey(followTrail(text).duplicate ?? 'The body')
  return value
}

/** How many keys the text names, which for well-formed JSON is how many colons stand outside of its strings. */
function countKeys(text: string): number {
  let colons = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      at = endOfString(text, at)
    } else if (char === COLON) {
      colons += 1
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth += 1
      if (depth > MAX_JSON_DEPTH) throw tooDeep(MAX_JSON_DEPTH)
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth -= 1
    }
  }
  return colons
}

/** Where the string that begins at `start` has its closing quotation mark; the end of the text if it has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8's own words may quote the body; its position does not.
    const position = error instanceof SyntaxError ? /at position \d+/.exec(error.message)?.[0] : undefined
    throw notJson(position === undefined ? 'it can not be parsed' : `it can not be parsed ${position}`)
  }
}

type Counter = { keys: number; /** Only an escape can bring in U+0000 or a lone surrogate. */ hasEscapes: boolean }

function isSound(value: unknown, counter: Counter): boolean {
  if (typeof value === 'string') return !counter.hasEscapes || isSoundText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isSound(item, counter)) return false
    return true
  }
  const record = value as Record<string, unknown>
  for (const key in record) {
    counter.keys += 1
    if (isForbidden(key, record) || (counter.hasEscapes && !isSoundText(key)) || !isSound(record[key], counter)) {
      return false
    }
  }
  return true
}

function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Keys by which a careless copy would reach a prototype. */
function isForbidden(key: string, record: Record<string, unknown>): boolean {
  if (key === '__proto__') return true
  if (key !== 'constructor') return false
  const value = record[key]
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

/** The error for the first thing that isSound() did not like. */
function faultIn(value: unknown, path: (string | number)[]): Error | undefined {
  if (typeof value === 'string') return faultInText(value, path)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : numberOutOfRange(formatPath(path))
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Object.keys(value)) {
    const record = value as Record<string, unknown>
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (!Array.isArray(value) && isForbidden(key, record)) return forbiddenKey(formatPath(here))
    const fault = (Array.isArray(value) ? undefined : faultInText(key, path)) ?? faultIn(record[key], here)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultInText(text: string, path: (string | number)[]): Error | undefined {
  if (!text.isWellFormed()) return loneSurrogate(formatPath(path))
  return text.includes('\0') ? nulCharacter(formatPath(path)) : undefined
}
